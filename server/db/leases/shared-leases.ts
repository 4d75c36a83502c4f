import { type Connection, createPool, type Queryable } from "../pool.ts";
import { createLocalLeases, type Duty, type Lease, type Leases } from "./lease.ts";
import { endLeases, selectNote, takeLeases, toProcessName, writeNote } from "./lease-store.ts";

/** What a process that died held is free after this. */
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 5_000;
/** A holder believes for less long than it has: whoever asked just before that ends its step meanwhile. */
const BELIEF_MS = 12_000;
/** A renewal that hangs must end before the belief does. */
const STATEMENT_TIMEOUT_MS = 3_000;

/** So far clocks are the same: the way to the database and back takes some of it. */
const SAME_CLOCK_MS = 500;

export interface LeaseDeps {
  db: Queryable;
  processId: string;
  /** Milliseconds that only grow. */
  steadyMs: () => number;
  /** The steady clock stands still while a machine sleeps, this one doesn't. */
  now: () => Date;
  log: { warn(details: object, message: string): void };
}

interface Moment {
  steadyMs: number;
  wallMs: number;
}

interface Hold {
  fence: string;
  ended: AbortController;
  /** When the latest renewal was sent: the database counts from later on. */
  since: Moment;
}

interface Entry {
  name: string;
  /** Taken again whenever it is free; work that was claimed is not. */
  isKept: boolean;
  hold?: Hold | undefined;
  onGain?: (() => void) | undefined;
}

const toEnd = () => new Error("The work is not this process's any more.");
const OVER = AbortSignal.abort(toEnd());

/**
 * Leases in the database, all of a process renewed by one statement. A holder that can't renew, because the database is away or its
 * own event loop stood still, stops to believe before others may take over: by its own clocks, from before it asked.
 */
export function createSharedLeases(deps: LeaseDeps): Leases {
  const { db, processId, log } = deps;
  const entries = new Map<string, Entry>();
  /** How far the database's clock is ahead of this machine's. */
  let aheadMs = 0;
  let turn: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let lapse: NodeJS.Timeout | undefined;

  /** Statements about leases come one after the other, so that none brings back what another gave up. */
  function inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined); // whoever asked learns of it
    return mine;
  }

  const toMoment = (): Moment => ({ steadyMs: deps.steadyMs(), wallMs: deps.now().getTime() });

  function isHeld({ hold }: Entry): boolean {
    if (!hold || hold.ended.signal.aborted) return false;
    const at = toMoment();
    return at.steadyMs - hold.since.steadyMs < BELIEF_MS && at.wallMs - hold.since.wallMs < BELIEF_MS;
  }

  function end(entry: Entry): void {
    entry.hold?.ended.abort(toEnd());
    entry.hold = undefined;
    if (!entry.isKept) entries.delete(entry.name);
  }

  /** Ends what wasn't renewed in time. */
  function sweep(): void {
    for (const entry of [...entries.values()]) if (entry.hold && !isHeld(entry)) end(entry);
  }

  /** What the database says of an entry. @returns whether it is this process's anew. */
  function settle(entry: Entry, fence: string | undefined, since: Moment): boolean {
    const { hold } = entry;
    if (fence !== undefined && hold?.fence === fence && !hold.ended.signal.aborted) {
      hold.since = since;
      return false;
    }
    const isTaken = fence !== undefined && entry.isKept;
    end(entry);
    if (isTaken) entry.hold = { fence, ended: new AbortController(), since };
    return isTaken;
  }

  async function take(): Promise<void> {
    const asked = [...entries.values()];
    const since = toMoment();
    const names = asked.map(({ name }) => name);
    const rows = await takeLeases(db, { names, holder: processId, leaseMs: LEASE_MS });
    const [row] = rows;
    // As if it had looked in the middle between question and answer.
    const measuredMs = row ? Date.parse(row.at) - (since.wallMs + deps.now().getTime()) / 2 : aheadMs;
    if (Math.abs(measuredMs - aheadMs) > SAME_CLOCK_MS) aheadMs = measuredMs;
    const fences = new Map(rows.map(({ name, fence }) => [name, fence]));
    // What was given up meanwhile is ended by the next statement.
    const living = asked.filter((entry) => entries.get(entry.name) === entry);
    const gained = living.filter((entry) => settle(entry, fences.get(entry.name), since));
    clearTimeout(lapse);
    lapse = setTimeout(sweep, BELIEF_MS).unref();
    for (const { onGain } of gained) onGain?.();
  }

  const renew = () => inTurn(take).finally(sweep);

  async function giveUp(entry: Entry): Promise<void> {
    if (entries.get(entry.name) !== entry) return;
    entry.isKept = false;
    end(entry);
    entries.delete(entry.name);
    await inTurn(() => endLeases(db, [entry.name], processId));
  }

  function add(entry: Entry): Entry {
    if (entries.has(entry.name)) throw new Error(`"${entry.name}" is kept twice`);
    entries.set(entry.name, entry);
    return entry;
  }

  add({ name: toProcessName(processId), isKept: true });
  return {
    processId,
    isShared: true,
    now: () => new Date(deps.now().getTime() + aheadMs),
    claim: (name) =>
      inTurn(async (): Promise<Lease | undefined> => {
        sweep();
        if (entries.has(name)) return undefined;
        const since = toMoment();
        const [row] = await takeLeases(db, { names: [name], holder: processId, leaseMs: LEASE_MS });
        if (!row) return undefined;
        const hold = { fence: row.fence, ended: new AbortController(), since };
        const entry = add({ name, isKept: false, hold });
        const { signal } = hold.ended;
        return { name, isHeld: () => isHeld(entry), signal, giveUp: () => giveUp(entry) };
      }),
    keep(name, onGain): Duty {
      const entry = add({ name, isKept: true, onGain });
      return {
        isMine: () => isHeld(entry),
        get signal() {
          return entry.hold?.ended.signal ?? OVER;
        },
        async leave(note) {
          const { hold } = entry;
          if (!hold || !isHeld(entry)) return false;
          return writeNote(db, { name, fence: hold.fence, holder: processId, note });
        },
        read: () => selectNote(db, name),
        giveUp: () => giveUp(entry),
      };
    },
    renew,
    async start() {
      await renew();
      timer = setInterval(() => {
        renew().catch((error: unknown) =>
          log.warn(
            { err: error },
            "the leases of this process can't be renewed: its work for the site rests until they can",
          ),
        );
      }, RENEW_EVERY_MS).unref();
    },
    async close() {
      clearInterval(timer);
      const names = [...entries.keys()];
      for (const entry of [...entries.values()]) end(entry);
      entries.clear();
      await inTurn(() => endLeases(db, names, processId)).finally(() => clearTimeout(lapse));
    },
  };
}

/**
 * The leases of a process, on a connection of their own: they are renewed however many requests wait for the others. `isAlone`: no
 * other process can use the database.
 */
export function openLeases(connection: Connection, isAlone: boolean, options: Omit<LeaseDeps, "db">): Leases {
  const { processId, log } = options;
  if (isAlone) return createLocalLeases(processId);
  const pool = createPool(connection, {
    name: "foyer leases",
    max: 1,
    onError: (error) => log.warn({ err: error }, "the connection of leases broke"),
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    answerPatienceMs: 0,
  });
  const leases = createSharedLeases({ ...options, db: pool });
  return {
    ...leases,
    async close() {
      await leases.close().finally(() => pool.end());
    },
  };
}
