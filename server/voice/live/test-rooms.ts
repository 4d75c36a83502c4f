import { afterAll, beforeAll } from "@jest/globals";
import { toRoomTopic } from "#contract/voice/room-channel.ts";
import type { Link } from "#server/cluster/link-types.ts";
import { createHomes } from "#server/socket/away/homes.ts";
import { createSockets } from "#server/socket/create-sockets.ts";
import { settle } from "#test/carriers.ts";
import { createLinkedProcesses } from "#test/linked-processes.ts";
import { createSocketPair } from "#test/socket-pair.ts";
import type { SignedIn } from "../../base/actor.ts";
import type { RowChange } from "../../db/change-notices.ts";
import type { RoomEngine } from "../engine/engine.ts";
import type { RoomRestriction } from "../moderation/moderation-store.ts";
import type { RoomRow } from "../rooms/room-store.ts";
import type { Timers } from "../timing.ts";
import type { LiveReads } from "./changes.ts";
import { createLiveVoice } from "./live.ts";

/** Numbers of the people of these tests; ADMIN has level 10, MAKER level 5 and made the room. */
export const [ADMIN, MAKER, ADA, BEN, CEM] = [1, 2, 3, 4, 5] as const;
const LEVELS: Readonly<Record<number, number>> = { [ADMIN]: 10, [MAKER]: 5 };
const NAMES: Readonly<Record<number, string>> = {
  [ADMIN]: "Admin",
  [MAKER]: "Maker",
  [ADA]: "Ada",
  [BEN]: "Ben",
  [CEM]: "Cem",
};

export const ROOM: RoomRow = {
  id: 7,
  public_id: "abcdefghijklmnop",
  slug: "tea-room",
  name: "Tea room",
  description: "",
  max_participants: 3,
  is_public: true,
  auto_mute_on_join: false,
  is_active: true,
  engine: "mesh",
  created_by_id: MAKER,
  created_at: "2026-11-20T10:00:00.000Z",
  updated_at: "2026-11-20T10:00:00.000Z",
};

/** Time that stands until a test moves it. */
function createTestTimers() {
  let now = Date.parse("2026-11-20T12:00:00Z");
  const waiting = new Set<{ at: number; run: () => void }>();
  const timers: Timers = {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      waiting.add(timer);
      return () => void waiting.delete(timer);
    },
  };
  return {
    timers,
    advance(ms: number) {
      const end = now + ms;
      for (;;) {
        const next = [...waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        waiting.delete(next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = end;
    },
  };
}

export type Frame = [
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  payload: unknown,
];

export const toPerson = (userId: number): SignedIn => ({
  userId,
  username: `user${userId}`,
  level: LEVELS[userId] ?? 1,
  sessionId: `s${userId}`,
  ipAddress: null,
  requestId: null,
});

/** Of the event loop, that a message and its answer take between two processes. */
const AWAY_TURNS = 8;

let isKeptAway = false;

/** In the tests of this file rooms are kept by another process than the one that clients are connected to, and calls come to. */
export function keepVoiceAway(): void {
  beforeAll(() => {
    isKeptAway = true;
  });
  afterAll(() => {
    isKeptAway = false;
  });
}

function openTestLinks() {
  const { here, away } = createLinkedProcesses("here", "away");
  here.link.retire();
  const carriers = [here.carrier, away.carrier];
  return { here: here.link, away: away.link, kill: away.carrier.close, carriers };
}

/** A server with one room, whose database is what the test says. `engine`: mixes the room. */
export async function createTestRooms({ engine }: { engine?: RoomEngine } = {}) {
  const { timers, advance } = createTestTimers();
  const rows = new Map([
    [ROOM.id, { ...ROOM, ...(engine && { engine: "mix" as const, max_participants: 20 }) }],
  ]);
  const restrictions: RoomRestriction[] = [];
  const apart = new Map<number, number[]>();
  const gone = new Set<number>();
  const names = new Map<number, string>();
  const notified: string[] = [];
  const asked: string[] = [];
  let held: Promise<void> | undefined;
  const heldReads = new Map<keyof LiveReads, Promise<void>>();
  const onRows: ((model: string, change: RowChange) => void)[] = [];
  const onModel: ((model: string | undefined) => void)[] = [];
  const has = (userId: number, kind: RoomRestriction["kind"]) =>
    restrictions.some((known) => known.userId === userId && known.kind === kind);
  const takeHold = (name: keyof LiveReads) => {
    const hold = heldReads.get(name);
    heldReads.delete(name);
    return hold;
  };
  const reads: LiveReads = {
    async findEntry(roomId, userId) {
      asked.push(roomId);
      const room = [...rows.values()].find(({ public_id }) => public_id === roomId);
      const others = { blocked: apart.get(userId) ?? [], blockedBy: [] };
      const restricted = { isBanned: has(userId, "ban"), isSilenced: has(userId, "mute") };
      await held;
      return room && { room, ...restricted, ...others };
    },
    findRoomById: async (id) => rows.get(id),
    async listRestrictions() {
      const found = [...restrictions];
      await takeHold("listRestrictions");
      return found;
    },
    async listApart(userId) {
      const found = apart.get(userId) ?? [];
      await takeHold("listApart");
      return found;
    },
    async describe(ids) {
      const known = ids.filter((id) => !gone.has(id));
      const found = new Map(
        known.map((userId) => [
          userId,
          {
            userId,
            displayName: names.get(userId) ?? NAMES[userId] ?? "?",
            avatar: null,
            level: LEVELS[userId] ?? 1,
          },
        ]),
      );
      await takeHold("describe");
      return found;
    },
  };
  const errors: unknown[] = [];
  const log = { error: (details: object) => errors.push(details), warn: () => undefined };
  function open(link?: Link) {
    const voice = createLiveVoice({
      reads,
      feed: {
        subscribe: (listener) => void onModel.push(listener),
        subscribeRows: (listener) => void onRows.push(listener),
      },
      timers,
      engine,
      isGoodTicket: (ticket, _room, userId) => ticket === `ticket of ${userId}`,
      listIceServers: () => ({ ice_servers: [], expires_at: null }),
      notifyCreator: async (room, name) => void notified.push(`${name} is in ${room.name}`),
      log,
      processes: link && { link, homes: createHomes(link) },
    });
    const sockets = createSockets({
      channels: voice.channels,
      connect: ({ token }) => toPerson(Number(token)),
      isOriginAllowed: () => true,
      rules: { presenceWindowMs: 0 },
      log,
      link,
    });
    voice.connect(sockets);
    return { voice, sockets };
  }
  const links = isKeptAway ? openTestLinks() : undefined;
  const { voice, sockets } = open(links?.here);
  const other = links && open(links.away);
  if (links) await settle(); // they know each other

  /** `isAtHome`: to the process that keeps the rooms. */
  async function connect(userId: number, { isAtHome = false } = {}) {
    const turns = links ? AWAY_TURNS : 1;
    const pair = await createSocketPair((isAtHome && other?.sockets) || sockets, {
      query: { token: String(userId) },
      turns,
    });
    let ref = 0;
    const send = (topic: string, event: string, payload: unknown = {}) => {
      ref += 1;
      pair.send(topic, String(ref), topic, event, payload);
    };
    const flush = async () => (await pair.flush()) as Frame[];
    return {
      async drop(): Promise<void> {
        pair.drop();
        if (links) await settle();
      },
      send,
      /** What the client got since the last time, without answers to its own messages. */
      async receive(): Promise<[event: string, payload: unknown][]> {
        const frames = await flush();
        return frames
          .filter(([, , , event]) => event !== "phx_reply" && !event.startsWith("presence"))
          .map(([, , , event, payload]) => [event, payload]);
      },
      /** Everything, as it came. */
      receiveAll: flush,
      /** @returns the answer to one message: its status and response. What else came is dropped. */
      async ask(topic: string, event: string, payload: unknown = {}): Promise<[string, unknown]> {
        send(topic, event, payload);
        const asked = String(ref);
        const frames = await flush();
        const answer = frames.find(([, known, , name]) => name === "phx_reply" && known === asked);
        if (!answer) throw new Error(`no answer to ${event}`);
        const { status, response } = answer[4] as { status: string; response: unknown };
        return [status, response];
      },
    };
  }

  return {
    voice: {
      ...voice,
      /** The notice of its commit reaches every process. */
      async roomChanged(id: number) {
        await Promise.all([voice.roomChanged(id), other?.voice.roomChanged(id)]);
      },
    },
    /** The process that kept the rooms is killed, and missed. */
    async killHome() {
      await links?.kill();
      links?.here.send("away.1", "nobody hears", {});
      await settle();
    },
    /** The same, or it says nothing any more; nobody has found out yet. */
    crashHome: async () => links?.kill(),
    hangHome: () => links?.carriers[1]?.hang(),
    /** What carries between the processes goes, or comes back. */
    async setReached(isUp: boolean) {
      for (const carrier of links?.carriers ?? []) carrier.setUp(isUp);
      await settle();
    },
    rows,
    restrictions,
    apart,
    gone,
    /** In place of their own. */
    names,
    notified,
    /** Ids of rooms that the database was asked for by a join. */
    asked,
    errors,
    advance,
    connect,
    /** A commit of another endpoint. */
    async notice(model: string, ids: readonly number[]) {
      for (const listener of onRows) listener(model, { type: "updated", ids, isMany: false });
      await new Promise((resolve) => setImmediate(resolve));
    },
    /** What is read of who enters from now on comes when it is released, as it was. */
    holdEntries(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    /** The next reading comes when it is released, as things were when it began. */
    holdNext(name: "listRestrictions" | "listApart" | "describe"): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      heldReads.set(name, promise);
      return resolve;
    },
    /** Notices may not have come. */
    async missNotices() {
      for (const listener of onModel) listener(undefined);
      await new Promise((resolve) => setImmediate(resolve));
    },
    /** The room's row as somebody has just written it; no notice of it has come. */
    write(values: Partial<RoomRow>) {
      const updated_at = new Date(timers.now()).toISOString();
      rows.set(ROOM.id, { ...(rows.get(ROOM.id) ?? ROOM), updated_at, ...values });
    },
    /** Somebody who has joined, and has received all of it. */
    async enter(userId: number, payload: object = {}, at: { isAtHome?: boolean } = {}) {
      const client = await connect(userId, at);
      const [status, response] = await client.ask(TOPIC, "phx_join", payload);
      if (status !== "ok") throw new Error(`refused: ${JSON.stringify(response)}`);
      return { ...client, answer: response as { participant_id: string; can_moderate: boolean } };
    },
    close() {
      for (const opened of [{ voice, sockets }, other]) {
        opened?.voice.close();
        opened?.sockets.close();
      }
    },
  };
}

export const TOPIC = toRoomTopic(ROOM.public_id);
export type TestRooms = Awaited<ReturnType<typeof createTestRooms>>;
