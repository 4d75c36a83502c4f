import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { openDebianServer } from "#test/debian-server.ts";
import { openRedisServer } from "#test/redis-server.ts";
import { startTestS3 } from "#test/s3.ts";
import { type Container, startContainer } from "./podman.ts";

const POSTGRESQL = "/usr/lib/postgresql";

function findPostgresql(): string {
  const versions = existsSync(POSTGRESQL) ? readdirSync(POSTGRESQL) : [];
  const found = versions
    .map((version) => join(POSTGRESQL, version, "bin"))
    .find((folder) => existsSync(join(folder, "initdb")));
  if (!found) throw new Error("Debian's PostgreSQL isn't there: apt install postgresql");
  return found;
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** One process of the site, in a container. */
export interface ContainedProcess {
  url: string;
  container: Container;
}

/** What containers of one site share, on this machine, and those that were started. */
export interface ContainedSite {
  /** All at the same moment. */
  start(count: number): Promise<ContainedProcess[]>;
  /** Another site, with the database that the image holds. */
  startAlone(): Promise<ContainedProcess>;
  close(): Promise<void>;
}

export async function openContainedSite(image: string): Promise<ContainedSite> {
  const closers: (() => Promise<unknown>)[] = [];
  const database = await openDebianServer(findPostgresql());
  closers.push(() => database.close());
  const redis = await openRedisServer();
  closers.push(() => redis.close());
  const files = await startTestS3();
  closers.push(() => files.close());
  const { host, user, database: name } = database.connection;
  // Its socket is a file of that folder.
  const socket = "/database";
  const env = {
    DATABASE_URL: `postgresql://${user}@localhost/${name}?host=${socket}`,
    REDIS_URL: redis.url,
    S3_URL: files.url,
    KEYS_SECRET: "of-the-bench-of-containers-and-nothing-else",
    TRUST_PROXY: "1",
  };
  async function startOne(name: string, settings: Record<string, string>): Promise<ContainedProcess> {
    const port = await findFreePort();
    const container = await startContainer(`foyer-bench-${process.pid}-${name}`, image, {
      env: { ...settings, HOST: "127.0.0.1", PORT: String(port) },
      volumes: [`${host}:${socket}`],
    });
    closers.push(() => container.remove());
    return { url: `http://127.0.0.1:${port}`, container };
  }
  return {
    start: (count) =>
      Promise.all(Array.from({ length: count }, (_, index) => startOne(String(index + 1), env))),
    startAlone: () => startOne("alone", {}),
    async close() {
      for (const close of closers.reverse()) await close();
    },
  };
}
