import { setTimeout as sleep } from "node:timers/promises";
import { SOCKET_CLIENT } from "#contract/socket.ts";
import { type LightClient, openLightClient } from "./light-client.ts";
import { Resident } from "./resident.ts";
import { toTopic } from "./room-channel.ts";

/** Addresses of the machine's own network: limits count by address, and each has few connections. */
const CONNECTIONS_PER_ADDRESS = 10;
const HANDSHAKES_AT_ONCE = 20;
/** No factor of any size of a fleet: one message after the other comes from another room. */
const STRIDE = 389;
const ARRIVAL_TIMEOUT_MS = 20_000;

export interface FleetOptions {
  port: number;
  /** Of a second process, to which every other person connects. */
  otherPort?: number;
  tokens: readonly string[];
  /** Person `id` is in room ⌈id / roomSize⌉. */
  roomSize: number;
}

function toLocalAddress(index: number): string {
  const address = Math.floor(index / CONNECTIONS_PER_ADDRESS);
  return `127.0.${1 + Math.floor(address / 250)}.${1 + (address % 250)}`;
}

/** Does something `perSecond` times a second, evenly, until `count` is reached. */
export async function pace(count: number, perSecond: number, act: (index: number) => void): Promise<void> {
  const begin = performance.now();
  for (let done = 0; done < count; ) {
    const due = Math.min(count, Math.floor(((performance.now() - begin) / 1000) * perSecond) + 1);
    while (done < due) act(done++);
    await sleep(1);
  }
}

/** Waits for what must come; what doesn't in time is a fault. */
export async function waitUntil(
  what: string,
  isThere: () => boolean,
  timeoutMs = ARRIVAL_TIMEOUT_MS,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!isThere()) {
    if (performance.now() > deadline) throw new Error(`it never came to this: ${what}`);
    await sleep(5);
  }
}

/** A thousand people and more, each with a connection, each in one room. */
export class Fleet {
  readonly residents: Resident[] = [];
  readonly clients: LightClient[] = [];
  readonly options: FleetOptions;
  readonly #heartbeats: NodeJS.Timeout[] = [];
  #spoken = 0;

  constructor(options: FleetOptions) {
    this.options = options;
  }

  /** Handshakes of the people from `first` on, so many at once as a site sees after a restart. */
  async connect(count = this.options.tokens.length): Promise<void> {
    const first = this.residents.length;
    let next = first;
    const end = first + count;
    const openInTurn = async () => {
      while (next < end) {
        const index = next++;
        this.residents[index] = await this.#open(index);
      }
    };
    await Promise.all(Array.from({ length: HANDSHAKES_AT_ONCE }, openInTurn));
  }

  async #open(index: number): Promise<Resident> {
    const { port, otherPort, tokens, roomSize } = this.options;
    const room = Math.floor(index / roomSize);
    const resident = new Resident({
      userId: index + 1,
      topic: toTopic(room),
      firstId: room * roomSize + 1,
      roomSize,
    });
    const token = tokens[index];
    if (token === undefined) throw new Error(`person ${index + 1} has no token`);
    const client = await openLightClient({
      port: index % 2 === 1 && otherPort !== undefined ? otherPort : port,
      token,
      localAddress: toLocalAddress(index),
      onText: (text) => resident.receive(text),
    });
    this.clients.push(client);
    resident.client = client;
    return resident;
  }

  /** Joins one of each room, then the next of each: nobody's presence travels with somebody else's. */
  async join(perSecond: number): Promise<void> {
    const { roomSize } = this.options;
    const inTurn = this.residents.toSorted(
      (a, b) => ((a.userId - 1) % roomSize) - ((b.userId - 1) % roomSize) || a.userId - b.userId,
    );
    await pace(inTurn.length, perSecond, (index) => inTurn[index]?.join());
    await waitUntil("everybody joined", () => this.residents.every((resident) => resident.isJoined));
    await waitUntil("everybody knows who is present in the room", () =>
      this.residents.every((resident) => resident.knowsAll),
    );
  }

  /** Each every 30 s, as clients do, spread over that time. */
  startHeartbeats(): void {
    this.residents.forEach((resident, index) => {
      const wait = (index / this.residents.length) * SOCKET_CLIENT.heartbeatMs;
      const first = setTimeout(() => {
        resident.beat();
        this.#heartbeats.push(setInterval(() => resident.beat(), SOCKET_CLIENT.heartbeatMs));
      }, wait);
      this.#heartbeats.push(first);
    });
  }

  /** Everybody in turn. */
  speakNext(): void {
    this.residents[(this.#spoken++ * STRIDE) % this.residents.length]?.speak();
  }

  sum(read: (resident: Resident) => number): number {
    return this.residents.reduce((sum, resident) => sum + read(resident), 0);
  }

  cut(): void {
    for (const timer of this.#heartbeats) clearTimeout(timer);
    for (const client of this.clients) client.cut();
  }
}

/** A connection beside the fleet, joined to the fleet's first room. */
export async function openReader(options: FleetOptions, userId: number): Promise<LightClient> {
  const { port, tokens } = options;
  const joined = Promise.withResolvers<void>();
  const client = await openLightClient({
    port,
    token: tokens[userId - 1] ?? "",
    localAddress: toLocalAddress(userId - 1),
    onText: (text) => {
      if (text.includes('"phx_reply"')) joined.resolve();
    },
    onEnd: () => undefined, // it may be cut off
  });
  client.send(JSON.stringify(["1", "1", toTopic(0), "phx_join", {}]));
  await joined.promise;
  return client;
}
