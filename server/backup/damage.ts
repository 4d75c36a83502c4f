import pg from "pg";
import type { Logger } from "pino";
import type { Leases } from "#server/db/leases/lease.ts";
import { getBackendId, type Queryable } from "#server/db/pool.ts";
import { quoteName } from "#server/db/sql.ts";
import type { Finding } from "#server/health/service.ts";

/** PostgreSQL's codes of what a disk made unreadable: a page, a value, an index. */
const DAMAGE = new Set(["XX001", "XX002"]);

export function isDamage(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && DAMAGE.has(error.code ?? "");
}

/** A table of which something can't be read, and what PostgreSQL said. */
export interface DamagedTable {
  table: string;
  reason: string;
}

/** Tables that hold rows themselves: partitions, and not what they are partitions of. */
async function listRowTables(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

/** Reads every value of every table. `db`: without a statement timeout. `stop` ends it between two tables. */
export async function findDamage(db: Queryable, stop?: AbortSignal): Promise<DamagedTable[]> {
  const damaged: DamagedTable[] = [];
  for (const table of await listRowTables(db)) {
    stop?.throwIfAborted();
    try {
      await db.query(`SELECT count(t.*::text) FROM public.${quoteName(table)} t`);
    } catch (error) {
      if (!isDamage(error)) throw error;
      damaged.push({ table, reason: error.message });
    }
  }
  return damaged;
}

/** What of a table can't be read: whole pages, and single rows whose long values are gone. Rows by their place, `(page,number)`. */
export interface Unreadable {
  pageCount: number;
  pages: number[];
  rows: string[];
}

/** More line pointers than a page of 8 kB has room for rows. */
const ROWS_A_PAGE = 300;

/** Tries a statement inside the caller's transaction, which goes on; false: what it reads is damaged. */
async function canRead(db: Queryable, text: string, values: unknown[] = []): Promise<boolean> {
  await db.query("SAVEPOINT reading");
  try {
    await db.query(text, values);
    await db.query("RELEASE SAVEPOINT reading");
    return true;
  } catch (error) {
    if (!isDamage(error)) throw error;
    await db.query("ROLLBACK TO SAVEPOINT reading");
    return false;
  }
}

/** Looks at a damaged table page by page, and at what can't be read of a page row by row. Inside the caller's transaction. */
export async function findUnreadable(db: Queryable, table: string): Promise<Unreadable> {
  const name = `public.${quoteName(table)}`;
  // A sequential scan would read the pages that are left out.
  await db.query("SET LOCAL enable_seqscan = off");
  const { rows: sizes } = await db.query<{ pages: number }>(
    "SELECT (pg_relation_size($1::regclass) / current_setting('block_size')::integer)::integer AS pages",
    [name],
  );
  const found: Unreadable = { pageCount: sizes[0]?.pages ?? 0, pages: [], rows: [] };
  for (let page = 0; page < found.pageCount; page++) {
    const range = [`(${page},0)`, `(${page + 1},0)`];
    const where = "WHERE t.ctid >= $1::tid AND t.ctid < $2::tid";
    if (await canRead(db, `SELECT count(t.*::text) FROM ${name} t ${where}`, range)) continue;
    if (!(await canRead(db, `SELECT count(*) FROM ${name} t ${where}`, range))) {
      found.pages.push(page);
      continue;
    }
    for (let number = 1; number <= ROWS_A_PAGE; number++) {
      const place = `(${page},${number})`;
      const isGood = await canRead(db, `SELECT t.*::text FROM ${name} t WHERE t.ctid = $1::tid`, [place]);
      if (!isGood) found.rows.push(place);
    }
  }
  return found;
}

/** SQL of the rows of a table that can be read: one range of pages after the other. */
export function readableSql(table: string, columns: string, { pageCount, pages, rows }: Unreadable): string {
  const starts = [0, ...pages.map((page) => page + 1)];
  const ends = [...pages, pageCount];
  // Places are numbers of ours.
  const without =
    rows.length > 0 ? ` AND ctid <> ALL (ARRAY[${rows.map((place) => `'${place}'::tid`).join(",")}])` : "";
  const parts = starts.flatMap((start, index) => {
    const end = ends[index] ?? pageCount;
    if (start >= end) return [];
    return [
      `SELECT ${columns} FROM public.${quoteName(table)} WHERE ctid >= '(${start},0)'::tid AND ctid < '(${end},0)'::tid${without}`,
    ];
  });
  return parts.length > 0
    ? parts.join(" UNION ALL ")
    : `SELECT ${columns} FROM public.${quoteName(table)} WHERE false`;
}

/** What is lost, in words. */
export function describeLoss(table: string, { pages, rows }: Unreadable): string {
  const parts = [
    ...(pages.length > 0 ? [`${pages.length} of its pages (${pages.slice(0, 10).join(", ")})`] : []),
    ...(rows.length > 0 ? [`${rows.length} of its rows`] : []),
  ];
  return `${table}: ${parts.join(" and ")} can't be read.`;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Where there are other processes, this often one learns what another found, or that the work is its own. */
const LISTEN_EVERY_MS = 15_000;
/** A start isn't slowed down by it. */
const FIRST_MS = 60_000;

/** Looks soon after the start and daily whether every table can be read. */
export interface DamageWatch {
  start(): void;
  /** Or learns what the process found whose work it is. @throws where it was closed meanwhile */
  look(): Promise<void>;
  /** Undefined: all can be read, as far as was looked. */
  check(): Finding | undefined;
  /** Ends a look in its middle: a large table takes minutes. */
  close(): Promise<void>;
}

export interface DamageWatchDeps {
  /** Without a statement timeout. */
  pool: pg.Pool;
  /** Ends what `pool` runs. */
  cancels: Queryable;
  leases: Pick<Leases, "keep" | "isShared">;
  log: Pick<Logger, "error">;
}

/** One process of the site reads all tables; the others show what it found. */
export function createDamageWatch({ pool, cancels, leases, log }: DamageWatchDeps): DamageWatch {
  const duty = leases.keep("reading tables");
  let names: string[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  const stop = new AbortController();

  async function search(): Promise<DamagedTable[]> {
    const client = await pool.connect();
    let cancelled: Promise<unknown> | undefined;
    const cancel = () => {
      // Where it can't be asked, the search ends after its table.
      cancelled = cancels
        .query("SELECT pg_cancel_backend($1)", [getBackendId(client)])
        .catch(() => undefined);
    };
    stop.signal.addEventListener("abort", cancel, { once: true });
    try {
      return await findDamage(client, stop.signal);
    } finally {
      stop.signal.removeEventListener("abort", cancel);
      await cancelled;
      client.release();
    }
  }

  async function look(): Promise<void> {
    if (!duty.isMine()) {
      names = (await duty.read())?.split("\n").filter(Boolean) ?? names;
      return;
    }
    lookedAt = performance.now();
    const damaged = await search();
    names = damaged.map(({ table }) => table);
    for (const { table, reason } of damaged)
      log.error({ table, reason }, 'a table is damaged: stop the site and run "npm run foyer -- repair"');
    if (leases.isShared) await duty.leave(names.join("\n"));
  }

  /** @returns the wait for the next one */
  async function turn(): Promise<number> {
    const isDone = leases.isShared && performance.now() - lookedAt < DAY_MS;
    if (!duty.isMine() || !isDone) await look();
    return leases.isShared ? LISTEN_EVERY_MS : DAY_MS;
  }

  function lookLater(waitMs: number): void {
    timer = setTimeout(() => {
      looking = turn()
        .catch((error: unknown) => {
          if (!stop.signal.aborted) log.error({ err: error }, "tables can't be looked at now");
          return leases.isShared ? LISTEN_EVERY_MS : DAY_MS;
        })
        .then((nextMs) => {
          if (!stop.signal.aborted) lookLater(nextMs);
        });
    }, waitMs).unref();
  }

  return {
    start: () => lookLater(FIRST_MS),
    look,
    check() {
      const tables = names.join(", ");
      return tables === "" ? undefined : { status: "critical", reason: "tables_damaged", vars: { tables } };
    },
    async close() {
      stop.abort(new Error("The server was stopped meanwhile."));
      clearTimeout(timer);
      await looking;
      await duty.giveUp();
    },
  };
}
