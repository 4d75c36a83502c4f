import { toRoomTopic } from "#contract/voice/room-channel.ts";
import type { Figure } from "../mail/figure.ts";
import { toChannelWords } from "./channel-words.ts";
import { toMemoryFigure } from "./memory.ts";
import { type FrameFuzz, runFrames } from "./run-frames.ts";
import type { FuzzSite } from "./run-requests.ts";
import type { Memory, MeteredSite } from "./site.ts";

const ROUNDS = 20;
const ROOMS = 4;
const SHOWN = 10;

/** @returns the topics of new rooms */
export async function openRooms({ port, signIn }: FuzzSite): Promise<[string, ...string[]]> {
  const authorization = await signIn(999);
  const topics: string[] = [];
  for (let room = 0; room < ROOMS; room++) {
    const answer = await fetch(`http://127.0.0.1:${port}/voice/rooms`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ name: `Fuzz room ${room}`, max_participants: 10, is_public: true }),
    });
    if (answer.status !== 201)
      throw new Error(`a new room was answered ${answer.status}: ${await answer.text()}`);
    const { id } = (await answer.json()) as { id: string };
    topics.push(toRoomTopic(id));
  }
  return topics as [string, ...string[]];
}

/** Broken, hostile and random messages to the product's channels, over both transports. */
export async function measureFrames(
  site: MeteredSite,
  { seed, count }: { seed: number; count: number },
): Promise<Figure[]> {
  const fuzz: FrameFuzz = {
    port: site.port,
    seed,
    words: toChannelWords(["cv.certificate", "voice.room", "site.page"]),
    topics: await openRooms(site),
    signIn: site.signInToSocket,
    left: 0,
    connections: 0,
    ends: new Map(),
    faults: [],
  };
  const memory: (Memory & { at: number })[] = [];
  const begin = performance.now();
  for (let round = 1; round <= ROUNDS && site.readEnd() === undefined; round++) {
    fuzz.left += count / ROUNDS;
    await runFrames(fuzz);
    const at = Math.round((count * round) / ROUNDS);
    if (site.readEnd() === undefined) memory.push({ at, ...(await site.readMemory()) });
    console.log(
      `${at} frames, ${fuzz.faults.length} faults, ${site.faults.length} errors, ${JSON.stringify(memory.at(-1))}`,
    );
  }
  for (const fault of fuzz.faults.slice(0, SHOWN)) console.log(fault);
  const ends = [...fuzz.ends].map(([end, times]) => `${end}: ${times}`).toSorted();
  console.log(
    `${fuzz.connections} connections in ${((performance.now() - begin) / 1000).toFixed(0)} s; ${ends.join(", ")}`,
  );
  return [
    {
      name: `${count} frames over both transports, seed ${seed}`,
      bar: "0 answers but those of the protocol",
      measured: `${fuzz.faults.length}`,
      isMet: fuzz.faults.length === 0,
    },
    toMemoryFigure("memory over the frames", memory),
  ];
}
