import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createPool } from "#server/db/pool.ts";

const run = promisify(execFile);

/** As whom PostgreSQL runs: it refuses root. */
async function findAccount(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all([run("id", ["-u", "postgres"]), run("id", ["-g", "postgres"])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** A PostgreSQL of the system's packages on a socket in a folder of its own: a server that is not the product's. */
export async function openDebianServer(binaries: string) {
  const account = await findAccount();
  const folder = await mkdtemp(join(tmpdir(), "foyer-debian-"));
  await chmod(folder, 0o755);
  if (account) await chown(folder, account.uid, account.gid);
  const data = join(folder, "data");
  const env = { ...process.env, LC_ALL: "C.UTF-8" };
  await run(join(binaries, "initdb"), ["-D", data, "-U", "foyer", "-A", "trust", "-E", "UTF8"], {
    ...account,
    env,
    cwd: folder,
  });
  const args = [
    "-D",
    data,
    "-c",
    "listen_addresses=",
    "-c",
    `unix_socket_directories=${folder}`,
    "-c",
    "fsync=off",
  ];
  const server = spawn(join(binaries, "postgres"), args, { ...account, env, cwd: folder, stdio: "ignore" });
  const ended = once(server, "exit");
  const connection = { host: folder, port: 5432, user: "foyer", database: "postgres" };
  const close = async () => {
    server.kill("SIGINT");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(connection);
  } catch (error) {
    await close();
    throw error;
  }
  return { connection, close };
}

async function waitUntilReady(connection: Parameters<typeof createPool>[0]): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const pool = createPool(connection, { name: "test", max: 1, onError: () => {} });
    const isReady = await pool.query("SELECT 1").then(
      () => true,
      () => false,
    );
    await pool.end();
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("Debian's PostgreSQL did not start");
}
