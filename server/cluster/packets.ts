import type { Carrier } from "./carrier.ts";

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
  onRefused(): void;
}): Packets {
  const { carrier, getSelf, clock, gatherMs = GATHER_MS, onSent, onRefused } = deps;
  const waiting = new Map<string, Entry[]>();
  let flushedAt = Number.NEGATIVE_INFINITY;

  async function send(address: string, packet: Packet): Promise<void> {
    await carrier.send(address, JSON.stringify(packet)).then((count) => onSent(address, count), onRefused);
  }

  async function flush(): Promise<void> {
    flushedAt = clock();
    const packets = [...waiting];
    waiting.clear();
    await Promise.all(packets.map(([address, entries]) => send(address, { from: getSelf(), entries })));
  }

  function flushLater(): void {
    const wait = flushedAt + gatherMs - clock();
    if (wait > 0) setTimeout(() => void flush(), wait);
    else setImmediate(() => void flush());
  }

  return {
    queue(address, entry) {
      const entries = waiting.get(address);
      if (entries) entries.push(entry);
      else if (waiting.set(address, [entry]).size === 1) flushLater();
    },
    forget: (address) => void waiting.delete(address),
    clear: () => waiting.clear(),
    flush,
  };
}
