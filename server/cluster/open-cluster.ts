import { createHash } from "node:crypto";
import type { OpenCounter } from "../base/counters.ts";
import { openMemoryCounters } from "../base/counters.ts";
import { createRedisCarrier } from "./carrier.ts";
import { openRedisCounters } from "./counters.ts";
import { type Link, openLink } from "./link.ts";
import { openRedis, toServerName } from "./redis.ts";

/** What the processes of a site share beside the database. */
export interface Cluster {
  link: Link;
  openCounter: OpenCounter;
  /** Whether the others are reached. `server`: what carries it, without its password. */
  getState(): { isUp: boolean; server: string; processes: number };
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
  const link = openLink({ processId, carrier: createRedisCarrier(redis, site), log, clock: steadyMs });
  const openCounter = await openRedisCounters({
    ...{ redis, site, log },
    memory: openMemoryCounters(steadyMs),
    secret: deriveSecrets("limits")[0],
  });
  return {
    link,
    openCounter,
    getState: () => ({ isUp: redis.isUp, server: toServerName(url), processes: link.list().length }),
    async close() {
      await link.close();
      await redis.close();
    },
  };
}
