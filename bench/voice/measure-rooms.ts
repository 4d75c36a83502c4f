import { setTimeout as pause } from "node:timers/promises";
import { SOCKET_CLIENT } from "#contract/socket.ts";
import { toRoomTopic } from "#contract/voice/room-channel.ts";
import { readSession } from "../../test/e2e/sign-in.ts";
import type { Person, Site } from "../../test/e2e/site.ts";
import { type LightClient, openLightClient } from "../socket/light-client.ts";

const ROOMS = 100;
const SEATS = 8;
/** Each person begins to speak, and ends, once in so long. */
const TURN_MS = 5000;
const MEASURED_S = 30;
/** Limits of handshakes count by address. */
const ADDRESSES = 50;

export interface RoomFigures {
  /** Of one core. */
  cpuShare: number;
  sentPerS: number;
  receivedPerS: number;
  /** From what one says to what another hears. Milliseconds. */
  latencies: number[];
}

interface Seat {
  client: LightClient;
  topic: string;
  isSpeaking: boolean;
  joined: Promise<void>;
}

async function signIn(url: string, { username, password }: Person): Promise<string> {
  const answer = await fetch(`${url}/api/users/login/`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  return readSession(await answer.json()).token;
}

async function createRoom(url: string, token: string, index: number): Promise<string> {
  const answer = await fetch(`${url}/voice/rooms`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: `Full ${index}`, max_participants: 10 }),
  });
  if (!answer.ok) throw new Error(`no room: ${answer.status} ${await answer.text()}`);
  return (await answer.json()).id;
}

/** What the signalling of a hundred rooms costs the server: eight in each, who speak in turns. Sound doesn't pass it. */
export async function measureRooms(
  site: Site,
  people: readonly Person[],
  readCpuMs: () => number,
): Promise<RoomFigures> {
  const { url } = site;
  const port = Number(new URL(url).port);
  const tokens: string[] = [];
  for (const person of people) tokens.push(await signIn(url, person));
  const seats: Seat[] = [];
  const latencies: number[] = [];
  /** When the one who spoke last in a room said so. */
  const saidAt = new Map<string, number>();
  let received = 0;

  async function openSeat(topic: string, index: number): Promise<Seat> {
    const joined = Promise.withResolvers<void>();
    const client = await openLightClient({
      port,
      token: tokens[index % tokens.length] ?? "",
      localAddress: `127.1.0.${1 + (index % ADDRESSES)}`,
      onText(text) {
        received += 1;
        const [, ref, , event, payload] = JSON.parse(text);
        if (event === "phx_reply" && ref === "1") {
          if (payload.status === "ok") joined.resolve();
          else joined.reject(new Error(`a join was refused: ${text}`));
        } else if (event === "participant_speaking") {
          const at = saidAt.get(topic);
          if (at !== undefined) latencies.push(performance.now() - at);
        }
      },
    });
    client.send(JSON.stringify(["1", "1", topic, "phx_join", {}]));
    return { client, topic, isSpeaking: false, joined: joined.promise };
  }

  for (let room = 0; room < ROOMS; room += 1) {
    const topic = toRoomTopic(await createRoom(url, tokens[0] ?? "", room));
    for (let seat = 0; seat < SEATS; seat += 1) seats.push(await openSeat(topic, room * SEATS + seat));
  }
  await Promise.all(seats.map(({ joined }) => joined));
  const heartbeat = setInterval(() => {
    for (const { client } of seats) client.send(JSON.stringify([null, "h", "phoenix", "heartbeat", {}]));
  }, SOCKET_CLIENT.heartbeatMs);

  let sent = 0;
  const speak = (seat: Seat) => {
    seat.isSpeaking = !seat.isSpeaking;
    sent += 1;
    saidAt.set(seat.topic, performance.now());
    seat.client.send(JSON.stringify(["1", null, seat.topic, "speaking", { is_speaking: seat.isSpeaking }]));
  };
  // Two words in each turn, spread evenly over it.
  const perTick = (seats.length * 2 * 20) / TURN_MS;
  let due = 0;
  let next = 0;
  const talk = setInterval(() => {
    due += perTick;
    for (; due >= 1; due -= 1) {
      // In strides, so that one room's people don't all speak at once.
      speak(seats[next % seats.length] as Seat);
      next += SEATS * 7 + 1;
    }
  }, 20);
  await pause(3000);
  [sent, received] = [0, 0];
  latencies.length = 0;
  const before = readCpuMs();
  await pause(MEASURED_S * 1000);
  const cpuShare = (readCpuMs() - before) / (MEASURED_S * 1000);
  clearInterval(talk);
  clearInterval(heartbeat);
  for (const { client } of seats) client.close();
  return { cpuShare, sentPerS: sent / MEASURED_S, receivedPerS: received / MEASURED_S, latencies };
}
