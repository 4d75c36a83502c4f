import { createHash } from "node:crypto";
import type pg from "pg";
import type { OpenCounter } from "../base/counters.ts";
import { openMemoryCounters } from "../base/counters.ts";
import { createRedisCarrier } from "./carrier.ts";
import { openRedisCounters } from "./counters.ts";
import { openHomedCounters } from "./homed-counters.ts";
import { openLink } from "./link.ts";
import type { Link } from "./link-types.ts";
import { openNotifyCarrier } from "./notify-carrier.ts";
import { openRedis, toServerName } from "./redis.ts";

/** What the processes of a site share beside the database. */
export interface Cluster {
  link: Link;
  openCounter: OpenCounter;
  /** Whether the others are reached, by what. `server`: where that is, without its password. */
  getState(): { isUp: boolean; carrier: "redis" | "postgresql"; server: string; processes: number };
  close(): Promise<void>;
}

/** What one is opened with, by `openFloor`, which knows the keys. */
export interface ClusterDeps {
  /** Names the process. */
  processId: string;
  /** What tells the site's database from all others. */
  databaseName: string;
  deriveSecrets(purpose: string): readonly [Buffer, ...Buffer[]];
  steadyMs: () => number;
  log: { warn(details: object, message: string): void; info(details: object, message: string): void };
}

const SITE_CHARS = 16;

/** Joins the other processes by Redis. Where it can't be reached, the process is alone until it can. */
export async function openRedisCluster(url: string, deps: ClusterDeps): Promise<Cluster> {
  const { processId, databaseName, deriveSecrets, steadyMs, log } = deps;
  const site = createHash("sha256").update(databaseName).digest("base64url").slice(0, SITE_CHARS);
  const redis = await openRedis({ url, log });
  const openCounter = await openRedisCounters({
    ...{ redis, site, log },
    memory: openMemoryCounters(steadyMs),
    secret: deriveSecrets("limits")[0],
  });
  // Nothing is waited for behind it: whoever listens to it does so before anything comes.
  const link = openLink({ processId, carrier: createRedisCarrier(redis, site), log, clock: steadyMs });
  return {
    link,
    openCounter,
    getState: () => ({
      isUp: redis.isUp && link.isIn,
      carrier: "redis",
      server: toServerName(url),
      processes: link.list().length,
    }),
    async close() {
      await link.close();
      await redis.close();
    },
  };
}

/**
 * What reaches the other processes: Redis, else the database where a launcher started several. Undefined: this one is alone.
 * `connection`: of the site's database.
 */
export function chooseCluster(
  { redisUrl, launched }: { redisUrl: string | undefined; launched: object | undefined },
  connection: pg.ClientConfig,
): ((deps: ClusterDeps) => Promise<Cluster>) | undefined {
  if (redisUrl) return (deps) => openRedisCluster(redisUrl, deps);
  return launched && ((deps) => openNotifyCluster(connection, deps));
}

/** Joins the other processes by the site's database. @throws what the network says, or PostgreSQL: without it there is no site */
export async function openNotifyCluster(connection: pg.ClientConfig, deps: ClusterDeps): Promise<Cluster> {
  const { processId, steadyMs, log } = deps;
  const carrier = await openNotifyCarrier({ connection, log });
  const link = openLink({ processId, carrier, log, clock: steadyMs });
  return {
    link,
    openCounter: openHomedCounters({ link, memory: openMemoryCounters(steadyMs) }),
    getState: () => ({
      isUp: carrier.isUp,
      carrier: "postgresql",
      server: "PostgreSQL",
      processes: link.list().length,
    }),
    close: () => link.close(),
  };
}
