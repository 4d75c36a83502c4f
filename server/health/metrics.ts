import type pg from "pg";
import type { Logger } from "pino";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { OutboxState } from "#server/mail/service.ts";

/** Where the figures come from that are read when somebody asks. */
export interface MetricsSources {
  pools: Readonly<Record<string, Pick<pg.Pool, "totalCount" | "idleCount" | "waitingCount">>>;
  sockets: { count(): { connections: number; channels: number } };
  voice: { countHere(): { rooms: number; seats: number } };
  pageCache: { readonly entries: number; readonly asked: number; readonly drawn: number };
  /** What carries between processes, and how many there are; undefined where the site is one. */
  cluster: { getState(): { isUp: boolean; carrier: string; processes: number; missing: number } } | undefined;
  readOutbox(): Promise<OutboxState>;
  /** By their state. */
  countJobs(): Promise<Readonly<Record<string, number>>>;
  version: string;
  steadyMs(): number;
  log: Pick<Logger, "warn">;
}

/** How often the event loop is looked at: each look wakes the process. */
const LOOP_LOOK_MS = 50;
/** What is asked of the database is asked at most so often, whoever scrapes. */
const CACHED_MS = 5_000;
/** A scrape doesn't wait longer for it: Prometheus gives up after ten seconds, and has nothing then. */
const ANSWER_LIMIT_MS = 2_000;
/** From a cached page to a large export. */
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export interface Metrics {
  contentType: string;
  /** `route`: its pattern, never the address. */
  countRequest(method: string, route: string, status: number, seconds: number): void;
  /** Of this process, in Prometheus' text format. */
  readOwn(): Promise<string>;
  /** Of the site, whichever process is asked. What can't be read is left out. */
  readSite(): Promise<string>;
}

interface FromDatabase {
  mails: { pending: number; oldest_s: number | null; failed: number };
  jobs: Readonly<Record<string, number>>;
}

/** Asks the database once for all who come within a while. Undefined: it didn't answer in time. */
function createDatabaseReads({ readOutbox, countJobs, steadyMs, log }: MetricsSources) {
  let last: { at: number; answer: Promise<FromDatabase | undefined> } | undefined;

  async function ask(): Promise<FromDatabase | undefined> {
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(resolve, ANSWER_LIMIT_MS);
    try {
      const asked = Promise.all([readOutbox(), countJobs()]).then(([mails, jobs]) => ({ mails, jobs }));
      return await Promise.race([asked, late]);
    } catch (error) {
      log.warn({ err: error }, "the figures of the database can't be read for /metrics");
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  return () => {
    const at = steadyMs();
    if (!last || at - last.at >= CACHED_MS) last = { at, answer: ask() };
    return last.answer;
  };
}

/** Sets a gauge's samples anew at each scrape. */
type Fill = (set: (value: number, labels?: Record<string, string>) => void) => void | Promise<void>;

const gaugesOf =
  (registry: Registry) =>
  (name: string, help: string, labelNames: string[], fill: Fill): void => {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        this.reset();
        if (labelNames.length === 0) this.remove();
        await fill((value, labels = {}) => this.set(labels, value));
      },
    });
  };

/** Texts with other samples as one: of each metric its name once, and all samples below it, as the format asks. */
export function joinTexts(texts: readonly string[]): string {
  const metrics = new Map<string, string[]>();
  for (const metric of texts.flatMap((text) => text.trim().split("\n\n"))) {
    const [help = "", type = "", ...samples] = metric.split("\n");
    const name = help.split(" ")[2] ?? "";
    const known = metrics.get(name);
    if (known) known.push(...samples);
    else metrics.set(name, [help, type, ...samples]);
  }
  return `${[...metrics.values()].map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** `states`: which processes answer, by their labels. */
export function readUp(states: ReadonlyMap<string, boolean>): Promise<string> {
  const registry = new Registry();
  const help =
    "Whether a process of this start answers the one that is asked; without its answer the rest of it is missing.";
  gaugesOf(registry)("foyer_process_up", help, ["process"], (set) => {
    for (const [process, isUp] of states) set(isUp ? 1 : 0, { process });
  });
  return registry.metrics();
}

/** What the site is, whichever of its processes is asked. */
function createSiteMetrics(sources: MetricsSources): Registry {
  const registry = new Registry();
  const readDatabase = createDatabaseReads(sources);
  const add = gaugesOf(registry);
  add("foyer_mails", "Mails that wait, and those given up in the last day.", ["state"], async (set) => {
    const mails = (await readDatabase())?.mails;
    if (!mails) return;
    set(mails.pending, { state: "waiting" });
    set(mails.failed, { state: "failed" });
  });
  add("foyer_mails_oldest_wait_seconds", "How long the oldest mail that is due waits.", [], async (set) => {
    const mails = (await readDatabase())?.mails;
    if (mails) set(mails.oldest_s ?? 0);
  });
  add("foyer_jobs", "Bulk jobs that aren't deleted yet, by their state.", ["state"], async (set) => {
    for (const [state, count] of Object.entries((await readDatabase())?.jobs ?? {})) set(count, { state });
  });
  return registry;
}

/**
 * What the process counts and measures of itself, for Prometheus. Names follow its conventions; units are seconds and bytes. `label`: what its samples
 * are told from those of other processes by.
 */
export function createMetrics(sources: MetricsSources, label?: string): Metrics {
  const { pools, sockets, voice, pageCache, cluster, version } = sources;
  const registry = new Registry();
  if (label !== undefined) registry.setDefaultLabels({ process: label });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_LOOK_MS });
  const site = createSiteMetrics(sources);
  const add = gaugesOf(registry);

  const durations = new Histogram({
    name: "foyer_http_request_duration_seconds",
    help: "Answered requests, by the pattern of their route.",
    labelNames: ["method", "route", "status"],
    buckets: DURATION_BUCKETS_S,
    registers: [registry],
  });

  add("foyer_build_info", "The version that runs.", ["version"], (set) => set(1, { version }));
  add("foyer_database_connections", "Connections to the database.", ["pool", "state"], (set) => {
    for (const [pool, { totalCount, idleCount }] of Object.entries(pools)) {
      set(idleCount, { pool, state: "idle" });
      set(totalCount - idleCount, { pool, state: "used" });
    }
  });
  add("foyer_database_waiting", "Who waits for a connection.", ["pool"], (set) => {
    for (const [pool, { waitingCount }] of Object.entries(pools)) set(waitingCount, { pool });
  });
  add("foyer_socket_connections", "Open sockets.", [], (set) => set(sockets.count().connections));
  add("foyer_socket_channels", "Channels that open sockets have joined.", [], (set) =>
    set(sockets.count().channels),
  );
  add("foyer_voice_rooms", "Voice rooms with somebody in them that this process keeps.", [], (set) =>
    set(voice.countHere().rooms),
  );
  add("foyer_voice_seats", "Seats in them.", [], (set) => set(voice.countHere().seats));
  add("foyer_page_cache_entries", "Finished pages in memory.", [], (set) => set(pageCache.entries));
  new Counter({
    name: "foyer_page_cache_requests_total",
    help: "Pages that were asked for.",
    labelNames: ["result"],
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ result: "hit" }, pageCache.asked - pageCache.drawn);
      this.inc({ result: "miss" }, pageCache.drawn);
    },
  });
  if (cluster) {
    add("foyer_link_up", "Whether what carries between processes answers.", ["carrier"], (set) => {
      const { isUp, carrier } = cluster.getState();
      set(isUp ? 1 : 0, { carrier });
    });
    add("foyer_processes", "Processes of the site that this one knows, itself included.", [], (set) =>
      set(cluster.getState().processes),
    );
    add("foyer_processes_missing", "Processes that use the database and can't be heard.", [], (set) =>
      set(cluster.getState().missing),
    );
  }

  return {
    contentType: registry.contentType,
    countRequest(method, route, status, seconds) {
      durations.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds);
    },
    readOwn: () => registry.metrics(),
    readSite: () => site.metrics(),
  };
}
