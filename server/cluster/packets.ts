import type { Carrier } from "./carrier.ts";

export type Entry = readonly [kind: string, body: unknown];

/** What travels: all that one process has for an address at the end of a turn of the event loop. */
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
}

export function createPackets(deps: {
  carrier: Pick<Carrier, "send">;
  getSelf(): string;
  /** A packet is sent; `count`: so many heard it, as far as the carrier knows. */
  onSent(address: string, count: number | undefined): void;
  /** One isn't: what it held is missing. */
  onRefused(): void;
}): Packets {
  const { carrier, getSelf, onSent, onRefused } = deps;
  const waiting = new Map<string, Entry[]>();

  function flush(): void {
    const packets = [...waiting];
    waiting.clear();
    for (const [address, entries] of packets) {
      const packet: Packet = { from: getSelf(), entries };
      carrier.send(address, JSON.stringify(packet)).then((count) => onSent(address, count), onRefused);
    }
  }

  return {
    queue(address, entry) {
      const entries = waiting.get(address);
      if (entries) entries.push(entry);
      else if (waiting.set(address, [entry]).size === 1) setImmediate(flush);
    },
    forget: (address) => void waiting.delete(address),
    clear: () => waiting.clear(),
  };
}
