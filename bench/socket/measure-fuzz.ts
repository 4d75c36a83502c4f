import { type BenchServer, startBenchServer } from "./bench-server.ts";
import { type Figure, toMb } from "./figure.ts";
import { waitUntil } from "./fleet.ts";
import { type Fuzz, runFuzz } from "./fuzz-clients.ts";
import { openObservers } from "./observers.ts";

const PEOPLE = 1000;
/** What is loaded and compiled with the first frames is not a leak. */
const WARM_UP_PART = 0.1;
/** The others go over WebSockets. */
const POLL_PART = 0.2;
/** Sessions of the long poll end 15 s after their last poll. */
const SETTLE_MS = 30_000;
const BAR_GROWTH_BYTES = 3_000_000;

/** Waits until nobody but the observers is left. */
async function settle(server: BenchServer, remaining: number): Promise<void> {
  let counted = { connections: Number.NaN, channels: Number.NaN };
  const timer = setInterval(async () => {
    counted = await server.worker.ask("count", undefined);
  }, 100);
  const isSettled = () => counted.connections === remaining && counted.channels === remaining;
  try {
    await waitUntil("no connection of the fuzz is left", isSettled, SETTLE_MS);
  } finally {
    clearInterval(timer);
  }
}

/** Broken, hostile and random messages over both transports, next to people who talk in a room of their own. */
export async function measureFuzz({ seed, frames }: { seed: number; frames: number }): Promise<Figure[]> {
  const server = await startBenchServer(PEOPLE);
  const { port, tokens } = server;
  const observers = await openObservers(port, tokens);
  let isGoingOn = true;
  const talk = observers.talkWhile(() => isGoingOn);
  try {
    const toLeft = (part: number) => ({
      webSocket: frames * part * (1 - POLL_PART),
      poll: frames * part * POLL_PART,
    });
    const left = toLeft(WARM_UP_PART);
    const fuzz: Fuzz = { port, tokens, seed, left, connections: 0, ends: new Map() };
    await runFuzz(fuzz);
    await settle(server, observers.count);
    const before = await server.readMemory();
    fuzz.left = toLeft(1 - WARM_UP_PART);
    await runFuzz(fuzz);
    await settle(server, observers.count);
    const after = await server.readMemory();
    isGoingOn = false;
    const { sent, received } = await talk;
    observers.close();
    await settle(server, 0);
    const errors = await server.worker.ask("errors", undefined);
    for (const line of errors.slice(0, 5)) console.log(line);
    const ends = [...fuzz.ends].map(([end, times]) => `${end}: ${times}`).toSorted();
    console.log(`seed ${seed}; ${fuzz.connections} connections; ${ends.join(", ")}`);
    const growth = after.heapUsed - before.heapUsed;
    return [
      {
        name: `${frames.toLocaleString("en")} fuzzed frames over both transports`,
        bar: "0 crashes, 0 errors in the log, 0 connections left",
        measured: `${errors.length} errors, seed ${seed}`,
        isMet: errors.length === 0 && server.worker.isAlive(),
      },
      {
        name: "people in a room of their own meanwhile",
        bar: "0 foreign messages, all of their own",
        measured: `${received} of ${sent} of their own, each once`,
        isMet: sent > 0 && received === sent,
      },
      {
        name: "heap after the fuzz, against after its first tenth",
        bar: `≤ ${toMb(BAR_GROWTH_BYTES)} more`,
        measured: `${toMb(growth)} more (${toMb(before.heapUsed)} → ${toMb(after.heapUsed)}); RSS ${toMb(before.rss)} → ${toMb(after.rss)}`,
        isMet: growth <= BAR_GROWTH_BYTES,
      },
    ];
  } finally {
    isGoingOn = false;
    server.stop();
  }
}
