import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawChart, type Line } from "./scaling-chart.ts";

/**
 * What a site of several processes over Redis costs, computed from costs that were measured one by one: no network and no other process. A model, for sizes
 * that no machine here has; `docs/scaling.md` says what it leaves out.
 */

/** CPU in µs, of Node 24 and Redis 7 on two shared cores that had other work too. `docs/scaling.md` says how each was measured. */
export const COSTS = {
  /** A client's message: read, checked, handled. */
  event: 50,
  /** Of a message to one client. */
  delivery: 9.3,
  /** A message in a packet, at both ends. */
  way: 18,
  wayInRedis: 0.35,
  /** At both ends, where they are awake. */
  packet: 18,
  packetInRedis: 4.2,
  /** A process that slept wakes up to send what it gathered, or to read what came; Redis does for each process that sends. */
  wakeToSend: 110,
  wakeToReceive: 80,
  wakeOfRedis: 30,
  /** A client's, with its answer. */
  heartbeat: 47,
  /** Bytes of a message in a packet. */
  wayBytes: 180,
};

/** What people do; see `server/voice/live`. */
const HABITS = { shareInRooms: 0.2, roomSize: 8, eventsPerS: 0.5, heartbeatsPerS: 1 / 30 };
/** A process sends to another one at most so often: 1 s / GATHER_MS of server/cluster/packets.ts. */
const FLUSHES_PER_S = 100;
/** What arrives within a turn of a busy event loop is read in one go. A guess, and with it a bound. */
const TURNS_PER_S = 1_000;

const PROCESSES = [2, 4, 8, 16, 32] as const;
const PEOPLE = [1_000, 10_000, 100_000, 1_000_000] as const;
export const PICTURE = join(import.meta.dirname, "../../docs/pictures/scaling.svg");

/**
 * Messages between processes for one of a client that everybody in the room gets, the sender too, and that is answered. People are anywhere; the room's
 * home is one process: there, back with the answer, and once to each other process that has one of the room's.
 */
export function toWays(processes: number, roomSize: number): number {
  const elsewhere = (processes - 1) / processes;
  return 2 * elsewhere + (processes - 1) * (1 - (1 - 1 / processes) ** roomSize);
}

/** How often a second something is done for all that came meanwhile, where it comes at random and is done at most so often. */
export function toGathered(comingPerS: number, mostPerS: number): number {
  return mostPerS * (1 - Math.exp(-comingPerS / mostPerS));
}

/** All a second. */
export interface Traffic {
  events: number;
  deliveries: number;
  heartbeats: number;
  /** Between processes; none where there is one. */
  ways: number;
  packets: number;
  /** Of all processes. */
  wakesToSend: number;
  wakesToReceive: number;
}

interface Cost {
  /** Of all processes together. */
  cores: number;
  /** Of the one that Redis has. */
  redisShare: number;
}

export function toCost(traffic: Traffic): Cost {
  const { events, deliveries, heartbeats, ways, packets, wakesToSend, wakesToReceive } = traffic;
  const clients = events * COSTS.event + deliveries * COSTS.delivery + heartbeats * COSTS.heartbeat;
  const wakes = wakesToSend * COSTS.wakeToSend + wakesToReceive * COSTS.wakeToReceive;
  const redis = ways * COSTS.wayInRedis + packets * COSTS.packetInRedis + wakesToSend * COSTS.wakeOfRedis;
  return {
    cores: (clients + ways * COSTS.way + packets * COSTS.packet + wakes) / 1e6,
    redisShare: redis / 1e6,
  };
}

/**
 * What goes between processes, all with as much to do as each other. Each says once a second to all, itself too, that it is there: that counts as a packet for each
 * that hears it, which is more than it costs.
 */
function toCrossing(processes: number, ways: number) {
  if (processes === 1) return { ways: 0, packets: 0, wakesToSend: 0, wakesToReceive: 0 };
  const pairs = processes * (processes - 1);
  const packets = pairs * toGathered(ways / pairs, FLUSHES_PER_S) + processes ** 2;
  return {
    ...{ ways, packets },
    wakesToSend: processes * toGathered(ways / processes + 1, FLUSHES_PER_S),
    wakesToReceive: processes * toGathered(packets / processes, TURNS_PER_S),
  };
}

export function simulate(processes: number, people: number): Traffic {
  const { shareInRooms, roomSize, eventsPerS, heartbeatsPerS } = HABITS;
  const events = people * shareInRooms * eventsPerS;
  return {
    events,
    deliveries: events * (roomSize + 1),
    heartbeats: people * heartbeatsPerS,
    ...toCrossing(processes, events * toWays(processes, roomSize)),
  };
}

/** Each process uses one core: with how many people so many processes use `share` of theirs. */
export function findPeople(processes: number, share: number): number {
  let [low, high] = [1, 1e9];
  while (high / low > 1.0001) {
    const middle = Math.sqrt(low * high);
    if (toCost(simulate(processes, middle)).cores > processes * share) high = middle;
    else low = middle;
  }
  return low;
}

const POINTS = 60;
const [FEWEST, MOST] = [PEOPLE[0], 1_000_000];

function toLine(processes: number, read: (cost: Cost) => number): Line {
  const full = findPeople(processes, 1);
  const end = Math.min(full, MOST);
  const all = Array.from({ length: POINTS }, (_, index) => FEWEST * (end / FEWEST) ** (index / (POINTS - 1)));
  return {
    name: String(processes),
    points: all.map((people) => [people, read(toCost(simulate(processes, people)))] as const),
    isFull: full <= MOST,
  };
}

export function drawScaling(): string {
  const cores = {
    title: "Cores of all processes together",
    range: [0.01, 100] as const,
    toLabel: String,
    lines: PROCESSES.map((processes) => toLine(processes, (cost) => cost.cores)),
  };
  const redis = {
    title: "Share of the one core that Redis has",
    range: [0.001, 10] as const,
    toLabel: (value: number) => `${Number((value * 100).toPrecision(1))} %`,
    lines: PROCESSES.map((processes) => toLine(processes, (cost) => cost.redisShare)),
    bound: { at: 1, text: "100 %: Redis is full" },
  };
  return drawChart([cores, redis], {
    title: "2, 4, 8, 16 and 32 processes: what people in voice rooms cost",
    note: "A model, from measured costs. A line is named by its number of processes; at its dot each of them uses a whole core.",
  });
}

/**
 * Two processes over Redis, each second person of a room at the other one: µs a delivery, Redis included, the mean of two rounds. Measured on
 * 28 November 2026 with the parts of measure-messages.ts. Of rooms of 100 nothing over two processes went into the costs.
 */
const RECORDED = [
  { roomSize: 10, deliveriesPerS: 10_000, us: 37.6 },
  { roomSize: 10, deliveriesPerS: 20_000, us: 21.4 },
  { roomSize: 10, deliveriesPerS: 40_000, us: 10.1 },
  { roomSize: 100, deliveriesPerS: 10_000, us: 21.8 },
  { roomSize: 100, deliveriesPerS: 20_000, us: 16.4 },
  { roomSize: 100, deliveriesPerS: 40_000, us: 10.4 },
];
/** The same by the model. The others of the room get each message; half of them come from the other process, and all have somebody there. */
function predict(roomSize: number, deliveriesPerS: number): number {
  const events = deliveriesPerS / (roomSize - 1);
  const { cores, redisShare } = toCost({
    ...{ events, deliveries: deliveriesPerS, heartbeats: 0 },
    ...toCrossing(2, 1.5 * events),
  });
  return ((cores + redisShare) * 1e6) / deliveriesPerS;
}

/** The model beside what was recorded: µs of CPU a delivery. */
export const compareToRecorded = () =>
  RECORDED.map(({ roomSize, deliveriesPerS, us }) => {
    const predicted = predict(roomSize, deliveriesPerS);
    return { roomSize, deliveriesPerS, predicted, us, factor: predicted / us };
  });

/** Rows of a table in docs/scaling.md: processes, people where each uses half a core, those of them in rooms, messages between processes a second, Redis. */
export function listSizes(): string[] {
  const round = (value: number) => Number(value.toPrecision(2)).toLocaleString("en");
  return [1, ...PROCESSES].map((processes) => {
    const people = findPeople(processes, 0.5);
    const traffic = simulate(processes, people);
    const between =
      processes === 1 ? ["–", "–"] : [round(traffic.ways), `${round(toCost(traffic).redisShare * 100)} %`];
    return `| ${[processes, round(people), round(people * HABITS.shareInRooms), ...between].join(" | ")} |`;
  });
}

function printTable(): void {
  const rows = PEOPLE.flatMap((people) =>
    [1, ...PROCESSES].map((processes) => {
      const traffic = simulate(processes, people);
      const { cores, redisShare } = toCost(traffic);
      return {
        people: people.toLocaleString("en"),
        processes,
        cores: cores.toFixed(2),
        "each %": Math.round((cores / processes) * 100),
        "Redis %": Number((redisShare * 100).toPrecision(2)),
        "packets/s": Math.round(traffic.packets),
        "messages/s": Math.round(traffic.ways),
        "MB/s": Number(((traffic.ways * COSTS.wayBytes) / 1e6).toPrecision(2)),
      };
    }),
  );
  console.table(rows);
  for (const row of listSizes()) console.log(row);
  console.table(
    compareToRecorded().map(({ roomSize, deliveriesPerS, predicted, us, factor }) => ({
      "rooms of": roomSize,
      "deliveries/s": deliveriesPerS,
      "model, µs": predicted.toFixed(1),
      "recorded 28 November 2026, µs": us,
      "more %": Math.round((factor - 1) * 100),
    })),
  );
}

/** Prints the model's tables, and draws its picture anew. Nothing is measured. */
export async function printScaling(): Promise<[]> {
  printTable();
  writeFileSync(PICTURE, drawScaling());
  return [];
}
