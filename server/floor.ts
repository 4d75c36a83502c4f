import type pg from "pg";
import type { Logger } from "pino";
import type { Actor } from "./base/actor.ts";
import type { OpenCounter } from "./base/counters.ts";
import type { Cluster } from "./cluster/open-cluster.ts";
import type { Config } from "./config.ts";
import type { ChangeFeed } from "./db/change-feed.ts";
import type { Notices } from "./db/change-notices.ts";
import type { Leases } from "./db/leases/lease.ts";
import type { Queryable } from "./db/pool.ts";
import type { FileStorage } from "./files/store.ts";
import type { FileStores } from "./files/stores.ts";
import type { RequireLevel } from "./http/bearer.ts";
import type { Registry } from "./models/registry/registry.ts";

type Secrets = readonly [Buffer, ...Buffer[]];

/** What every subject stands on: made once a process by `createApp`, and handed to each subject's `open…`. */
export interface Floor {
  config: Pick<
    Config,
    | "dataDir"
    | "publicUrl"
    | "trustProxy"
    | "ownerEmail"
    | "isDevelopment"
    | "mailFrom"
    | "auditRetentionMonths"
  > &
    Partial<
      Pick<
        Config,
        | "apiDocsLevel"
        | "accessTokenMinutes"
        | "sessionDays"
        | "consoleIdleHours"
        | "breachedPasswordsUrl"
        | "secondFactorLevel"
        | "hsts"
        | "logLevel"
        | "logRequests"
        | "skipBackup"
        | "chromiumPath"
        | "smtpUrl"
        | "metricsToken"
        | "otlp"
        | "keysSecret"
        | "launched"
      >
    >;
  pool: pg.Pool;
  /** Of few connections: an export holds one for as long as its reader takes. */
  exportPool: pg.Pool;
  feed: ChangeFeed;
  /** Of this process alone, made at its start: a UUID. */
  processId: string;
  /** The same after a restart, and another one for each process of the site: what figures are kept under. */
  processLabel: string;
  /** What is done by one process of the site at a time. */
  leases: Leases;
  /** Uploaded files. */
  storage: FileStorage;
  /** A store of its own for what the server draws or keeps beside them. */
  openStorage(name: string): FileStorage;
  /** Where these are, for what has to know. */
  stores: Pick<FileStores, "remote" | "countFaults" | "signFile">;
  registry: Registry;
  notices: Notices;
  /** Keys of 32 bytes for one purpose, the same in every process of the site: the first one marks, all recognise. As they are now. */
  deriveSecrets(purpose: string): Secrets;
  /** What is made of such keys, made anew when the site's keys are rotated while it runs: an object of functions without `this`. */
  ofSecrets<Made extends object>(purpose: string, make: (secrets: Secrets) => Made): Made;
  /** Who may ask: made by accounts, and asked by every endpoint that isn't public. */
  requireLevel: RequireLevel;
  /**
   * Asks for a log-in or a confirmation of the last ten minutes, after everything else that may forbid the call. Made by accounts.
   * `db`: the transaction of the call. @throws AppError step_up_required.
   */
  requireRecent(this: void, actor: Actor, db?: Queryable): Promise<void>;
  version: string;
  log: Logger;
  now: () => Date;
  /** Milliseconds that only grow, from any beginning: what limits and caches in memory are measured by, whatever becomes of `now`. */
  steadyMs: () => number;
  /** Limits by name, which processes of one site may share; else in memory, by `steadyMs`. */
  openCounter: OpenCounter;
  /** The other processes of the site; undefined: this one is alone. */
  cluster: Pick<Cluster, "link" | "getState"> | undefined;
  /** Factor on the time that counts, searches and previews may take; tests wait for what a busy machine does. */
  patience: number;
}
