import { SOCKET_LIMITS } from "#contract/socket.ts";
import { type BenchServer, startBenchServer } from "./bench-server.ts";
import { type Figure, toMb, toMedian, toQuantile } from "./figure.ts";
import { Fleet, openReader, pace } from "./fleet.ts";

const FAST = 1000;
const JOINS_PER_S = 400;
/** Heard by everybody in the room. */
const MESSAGES_PER_S = 25;
/** For one reader alone: while they read as much as when they don't. */
const OFFERS_PER_MESSAGE = 3;
const OFFER = "o".repeat(16_000);
const ROUNDS = 3;
const QUIET_S = 6;
/** By then a reader is cut off, or never. */
const CUT_WITHIN_S = 20;
/** A server that cuts earlier, or whose buffers nobody saw, proves nothing. */
const MIN_BUFFERED_PART = 0.9;
const BAR_TIMES = 2;

/** Talks until it is told to stop. Tells how long deliveries took, and how much the reader was sent. */
async function talk(
  server: BenchServer,
  fleet: Fleet,
  reader: number,
  isOver: (connections: number) => boolean,
) {
  const latencies: number[] = [];
  for (const resident of fleet.residents) resident.latencies = latencies;
  let sent = 0;
  while (!isOver((await server.worker.ask("count", undefined)).connections)) {
    await pace(5, MESSAGES_PER_S, () => {
      fleet.speakNext();
      for (let offer = 0; offer < OFFERS_PER_MESSAGE; offer++)
        fleet.residents[sent++ % FAST]?.offer(reader, OFFER);
    });
  }
  for (const resident of fleet.residents) resident.latencies = undefined;
  return { p99Ms: toQuantile(latencies, 0.99) / 1000, bytes: sent * OFFER.length };
}

async function measureRound(server: BenchServer, fleet: Fleet, userId: number) {
  const reader = await openReader(fleet.options, userId);
  const quietUntil = performance.now() + QUIET_S * 1000;
  const quiet = await talk(server, fleet, userId, () => performance.now() > quietUntil);
  reader.stopReading();
  const begin = performance.now();
  const slow = await talk(server, fleet, userId, (connections) => {
    if (performance.now() - begin > CUT_WITHIN_S * 1000)
      throw new Error(`after ${CUT_WITHIN_S} s the reader who stopped is still connected`);
    return connections === FAST;
  });
  const cutAfterS = (performance.now() - begin) / 1000;
  reader.cut();
  return { quiet: quiet.p99Ms, slow: slow.p99Ms, bytes: slow.bytes, cutAfterS };
}

/** Somebody stops reading in a room of a thousand. */
export async function measureSlow(): Promise<Figure[]> {
  const server = await startBenchServer(FAST + ROUNDS);
  const fleet = new Fleet({ ...server, roomSize: FAST });
  try {
    await fleet.connect(FAST);
    await fleet.join(JOINS_PER_S);
    fleet.startHeartbeats();
    await server.worker.ask("largestBuffer", undefined);
    const rounds: Awaited<ReturnType<typeof measureRound>>[] = [];
    for (let round = 1; round <= ROUNDS; round++)
      rounds.push(await measureRound(server, fleet, FAST + round));
    const times = toMedian(rounds.map(({ quiet, slow }) => slow / quiet));
    const sent = Math.max(...rounds.map(({ bytes }) => bytes));
    const buffered = await server.worker.ask("largestBuffer", undefined);
    const { maxBufferedBytes } = SOCKET_LIMITS;
    const seconds = rounds.map(({ cutAfterS }) => `${cutAfterS.toFixed(1)} s`).join(", ");
    const p99s = rounds.map(({ quiet, slow }) => `${quiet.toFixed(1)} → ${slow.toFixed(1)} ms`).join(", ");
    return [
      {
        name: "a reader who stops among 1,000 fast ones is cut off",
        bar: `≤ ${toMb(maxBufferedBytes)} in the server`,
        measured: `${toMb(buffered)}, after ${seconds}; with what the kernel holds ${toMb(sent)} were sent to it`,
        isMet: buffered <= maxBufferedBytes && buffered >= maxBufferedBytes * MIN_BUFFERED_PART,
      },
      {
        name: "the others' p99 with it, against without",
        bar: `≤ ${BAR_TIMES}×`,
        measured: `${times.toFixed(2)}× (${p99s})`,
        isMet: times <= BAR_TIMES,
      },
    ];
  } finally {
    fleet.cut();
    server.stop();
  }
}
