import type { Carrier } from "#server/cluster/carrier.ts";

type Hearing = Map<string, (text: string) => void>;

/** A carrier between links of one test, which can go and come back for one of them, or hold back what it carries. */
export interface TestCarrier extends Carrier {
  /** Cuts this process off, or connects it again. What is under way to it is lost. */
  setUp(isUp: boolean): void;
  /** Nothing is heard by this process any more, and nobody is told: it hangs. */
  hang(): void;
}

/** Carriers of one site: `create` gives each process its own. Texts arrive a turn later, in order. */
export function createCarriers(): { create(): TestCarrier } {
  const all = new Set<Hearing>();
  return {
    create() {
      const hearing: Hearing = new Map();
      const listeners: ((isUp: boolean) => void)[] = [];
      let isUp = true;
      let isHanging = false;
      all.add(hearing);
      return {
        get isUp() {
          return isUp;
        },
        onChange: (listener) => void listeners.push(listener),
        async hear(address, onText) {
          hearing.set(address, (text) => {
            if (!isHanging) onText(text);
          });
        },
        async unhear(address) {
          hearing.delete(address);
        },
        async send(address, text) {
          if (!isUp) throw new Error("the carrier is away");
          let count = 0;
          for (const one of all) {
            if (!one.has(address)) continue;
            count += 1;
            queueMicrotask(() => one.get(address)?.(text));
          }
          return count;
        },
        async close() {
          hearing.clear();
          all.delete(hearing);
        },
        setUp(next) {
          isUp = next;
          if (!next) hearing.clear();
          for (const listener of listeners) listener(next);
        },
        hang() {
          isHanging = true;
        },
      };
    },
  };
}

/** A clock and intervals that go on only when the test says so. */
export function createTimers(): {
  clock(): number;
  every(ms: number, run: () => void): () => void;
  pass(ms: number): Promise<void>;
  gatherMs: 0;
} {
  let now = 0;
  const intervals = new Set<{ ms: number; dueAt: number; run: () => void }>();
  return {
    clock: () => now,
    gatherMs: 0,
    every(ms, run) {
      const interval = { ms, dueAt: now + ms, run };
      intervals.add(interval);
      return () => void intervals.delete(interval);
    },
    async pass(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...intervals].sort((one, other) => one.dueAt - other.dueAt);
        if (!next || next.dueAt > end) break;
        now = next.dueAt;
        next.dueAt += next.ms;
        next.run();
        await settle();
      }
      now = end;
      await settle();
    },
  };
}

/** What was sent has arrived, and what was sent on account of it. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
