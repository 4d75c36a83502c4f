import type { Carrier } from "./carrier.ts";

/** The address that every process hears. */
export const ALL = "all";

export type Entry = readonly [kind: string, body: unknown];

/** What travels: all that one process has for an address at one time. */
export interface Packet {
  from: string;
  entries: readonly Entry[];
}

export interface Packets {
  /** In the order of calls for one address. */
  queue(address: string, entry: Entry): void;
  /** What waits for it isn't sent. */
  forget(address: string): void;
  clear(): void;
  /** Sends all that waits now. Resolves as soon as the carrier has taken it, or refused. */
  flush(): Promise<void>;
}

/**
 * So long a busy process gathers. A packet wakes up both processes and the carrier, which costs more than ten messages in it. Behind a pause of that
 * length the first packet leaves at the end of its turn of the event loop.
 */
const GATHER_MS = 10;

/** In characters. A carrier refuses one that is four times as long. */
const MAX_TEXT = 4_000_000;

export function createPackets(deps: {
  carrier: Pick<Carrier, "send">;
  getSelf(): string;
  /** Milliseconds that only grow. */
  clock: () => number;
  /** In tests. */
  gatherMs?: number | undefined;
  /** A packet is sent; `count`: so many heard it, as far as the carrier knows. */
  onSent(address: string, count: number | undefined): void;
  /** One isn't: what it held is missing. */
  onRefused(error: unknown): void;
}): Packets {
  const { carrier, getSelf, clock, gatherMs = GATHER_MS, onSent, onRefused } = deps;
  /** In their order: what goes to all and what goes to one don't overtake each other. */
  const runs: Map<string, Entry[]>[] = [];
  let flushedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  async function send(address: string, entries: readonly Entry[]): Promise<void> {
    const packet: Packet = { from: getSelf(), entries };
    const text = JSON.stringify(packet);
    if (text.length > MAX_TEXT && entries.length > 1) {
      const half = entries.length / 2;
      await Promise.all([send(address, entries.slice(0, half)), send(address, entries.slice(half))]);
    } else await carrier.send(address, text).then((count) => onSent(address, count), onRefused);
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    flushedAt = clock();
    const packets = runs.splice(0).flatMap((run) => [...run]);
    await Promise.all(packets.map(([address, entries]) => send(address, entries)));
  }

  function flushLater(): void {
    const wait = flushedAt + gatherMs - clock();
    if (wait > 0) timer = setTimeout(() => void flush(), wait);
    else setImmediate(() => void flush());
  }

  function takeRun(address: string): Map<string, Entry[]> {
    const last = runs.at(-1);
    if (last?.has(ALL) === (address === ALL)) return last;
    const run = new Map<string, Entry[]>();
    if (runs.push(run) === 1) flushLater();
    return run;
  }

  return {
    queue(address, entry) {
      const run = takeRun(address);
      const entries = run.get(address);
      if (entries) entries.push(entry);
      else run.set(address, [entry]);
    },
    forget(address) {
      for (const run of runs) run.delete(address);
    },
    clear: () => void runs.splice(0),
    flush,
  };
}
