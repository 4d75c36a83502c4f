import { createHash } from "node:crypto";
import type pg from "pg";
import type { OpenCounter } from "../base/counters.ts";
import { openMemoryCounters } from "../base/counters.ts";
import { createRedisCarrier } from "./carrier.ts";
import { createHider, openRedisCounters } from "./counters.ts";
import { openHomedCounters } from "./homed-counters.ts";
import { openLink } from "./link.ts";
import type { Link } from "./link-types.ts";
import { watchMissing } from "./missing.ts";
import { openNotifyCarrier } from "./notify-carrier.ts";
import { openRedis, toServerName } from "./redis.ts";

/** What the processes of a site share beside the database. */
export interface Cluster {
  link: Link;
  openCounter: OpenCounter;
  /**
   * Whether the others are reached, by what. `server`: where that is, without its password. `processes`: those that are met, this one too.
   * `missing`: those that use the database, and aren't.
   */
  getState(): {
    isUp: boolean;
    carrier: "redis" | "postgresql";
    server: string;
    processes: number;
    missing: number;
  };
  close(): Promise<void>;
}

type Secrets = readonly [Buffer, ...Buffer[]];

/** What one is opened with, by `openFloor`, which knows the keys. */
export interface ClusterDeps {
  /** Names the process. */
  processId: string;
  /** What tells the site's database from all others. */
  databaseName: string;
  /** How many processes use that database now, this one too; 0 where it is the built-in one. */
  countProcesses(): Promise<number>;
  /** What is made of the site's secrets for a purpose, and made anew when its keys are rotated. */
  ofSecrets<Made extends object>(purpose: string, make: (secrets: Secrets) => Made): Made;
  steadyMs: () => number;
  /** In tests: what looks at the time. */
  every?: (ms: number, run: () => void) => () => void;
  log: { warn(details: object, message: string): void; info(details: object, message: string): void };
}

const SITE_CHARS = 16;

/** It keeps no process from its end. */
function startInterval(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms).unref();
  return () => clearInterval(timer);
}

/** What the site is called where it shares a Redis with others. */
export const toSite = (databaseName: string) =>
  createHash("sha256").update(databaseName).digest("base64url").slice(0, SITE_CHARS);

/** Joins the other processes by Redis. Where it can't be reached, the process is alone until it can. */
export async function openRedisCluster(url: string, deps: ClusterDeps): Promise<Cluster> {
  const { processId, databaseName, ofSecrets, steadyMs, every = startInterval, log } = deps;
  const site = toSite(databaseName);
  const hider = ofSecrets("limits", createHider);
  const redis = await openRedis({ url, log });
  const openCounter = await openRedisCounters({
    ...{ redis, site, log },
    memory: openMemoryCounters(steadyMs),
    // Whatever key is the newest then: processes that go by different ones would count apart.
    hide: (text) => hider.hide(text),
  });
  // Nothing is waited for behind it: whoever listens to it does so before anything comes.
  const timing = { clock: steadyMs, every };
  const link = openLink({ processId, carrier: createRedisCarrier(redis, site), log, ...timing });
  const server = toServerName(url);
  const missing = watchMissing({ ...deps, ...timing, link, server });
  return {
    link,
    openCounter,
    getState: () => ({
      isUp: redis.isUp && link.isIn,
      carrier: "redis",
      server,
      processes: link.list().length,
      missing: missing.count,
    }),
    async close() {
      missing.close();
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
  const { processId, steadyMs, every = startInterval, log } = deps;
  const carrier = await openNotifyCarrier({ connection, log });
  const timing = { clock: steadyMs, every };
  const link = openLink({ processId, carrier, log, ...timing });
  const server = "PostgreSQL";
  const missing = watchMissing({ ...deps, ...timing, link, server });
  return {
    link,
    openCounter: openHomedCounters({ link, memory: openMemoryCounters(steadyMs) }),
    getState: () => ({
      isUp: carrier.isUp && link.isIn,
      carrier: "postgresql",
      server,
      processes: link.list().length,
      missing: missing.count,
    }),
    close() {
      missing.close();
      return link.close();
    },
  };
}
