import { createHmac, randomBytes, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import * as z from "zod/mini";
import type { Finding } from "#server/health/service.ts";
import { SYSTEM_TIMERS, type Timers } from "../timing.ts";
import type { RoomEngine } from "./engine.ts";
import { type JanusClient, type JanusClientDeps, openJanusClient } from "./janus-client.ts";
import { JANUS_CODES, JanusError, type JanusSettings } from "./janus-connection.ts";
import { type JanusRoom, JanusSeat } from "./janus-seat.ts";

const PLUGIN = "janus.plugin.audiobridge";
/** Janus that comes up with the site, or is started anew, is waited for. */
const REACH_MS = 1500;
/** A site that stops doesn't wait longer for a Janus that says nothing; the next start ends what is left. */
const CLOSE_MS = 2000;
/** Janus counts the participants of a connection that was cut for 60 s: then their rooms are empty too. */
const SWEEP_AGAIN_MS = 90_000;
const MAX_ROOM_NUMBER = 2 ** 47;

/** Of a room's mix. */
const ROOM_SOUND = {
  sampling_rate: 48_000,
  /** Bits per second to each listener: what a browser makes of one voice at its default. */
  default_bitrate: 40_000,
  /** Per cent of packets for which the mix carries a second chance. */
  default_expectedloss: 5,
  // Browsers say themselves when somebody speaks. Janus would send every beginning and end to every handle: n² messages.
  audiolevel_event: false,
  allow_rtp_participants: false,
} as const;

const roomList = z.object({
  list: z.array(
    z.object({ room: z.number(), description: z.optional(z.string()), num_participants: z.number() }),
  ),
});

export interface JanusEngineDeps {
  settings: JanusSettings;
  /** Of this site alone, the same at each start: of it come the secrets of rooms. */
  key: Buffer;
  log: Pick<Logger, "info" | "warn">;
  times?: JanusClientDeps["times"];
  timers?: Timers;
}

interface OpenRoom {
  made: Promise<JanusRoom>;
  seats: Set<JanusSeat>;
}

/** Rooms mixed by Janus' AudioBridge. A room is there while somebody has offered in it. */
export function openJanusEngine(deps: JanusEngineDeps): RoomEngine {
  const { settings, key, log, times, timers = SYSTEM_TIMERS } = deps;
  const rooms = new Map<string, OpenRoom>();
  const seats = new Set<JanusSeat>();
  /** Numbers of rooms that this process has made in this session, and not ended. */
  const made = new Set<number>();
  const sign = (what: string) => createHmac("sha256", key).update(what).digest("base64url");
  /** Rooms of this site among those of others that share its Janus. */
  const mark = `foyer ${sign("mark").slice(0, 12)}`;
  let cancelSweep = () => {};
  const toSecret = (room: number) => sign(`room ${room}`);

  const client: JanusClient = openJanusClient({
    ...settings,
    plugin: PLUGIN,
    log,
    ...(times && { times }),
    onUp() {
      rooms.clear();
      const own = new Set(made);
      made.clear();
      void removeLeftRooms(own);
      cancelSweep();
      cancelSweep = timers.after(SWEEP_AGAIN_MS, () => void removeLeftRooms(own));
      for (const seat of [...seats]) seat.forgotten();
    },
  });

  async function destroy(room: number): Promise<void> {
    try {
      await client.ask({ request: "destroy", room, secret: toSecret(room) });
    } finally {
      // Where that failed, it is one of those that are left.
      made.delete(room);
    }
  }

  /** A room without anybody goes on mixing silence, and one whose process was killed would do so until Janus ends. */
  async function removeLeftRooms(own: ReadonlySet<number>): Promise<void> {
    const warn = (error: unknown) =>
      log.warn({ err: error }, "rooms of an earlier run may be left at the audio engine");
    try {
      const { list } = roomList.parse(await client.ask({ request: "list" }));
      // Those of this process were of a connection that is gone, though Janus may not know it yet.
      for (const { room, description, num_participants } of list) {
        const isLeft = own.has(room) || (description === mark && num_participants === 0);
        // One that was made since then is empty too, until the first one is in it.
        if (isLeft && !made.has(room)) await destroy(room).catch(warn);
      }
    } catch (error) {
      warn(error);
    }
  }

  async function make(): Promise<JanusRoom> {
    const id = randomInt(1, MAX_ROOM_NUMBER);
    const pin = randomBytes(18).toString("base64url");
    made.add(id);
    const room = {
      request: "create",
      room: id,
      permanent: false,
      // Else it would not be in the list, by which it is found again.
      is_private: false,
      description: mark,
      secret: toSecret(id),
      pin,
      ...ROOM_SOUND,
    };
    try {
      await client.ask(room);
    } catch (error) {
      // Without an answer it may have been made all the same.
      void destroy(id).catch(() => undefined);
      throw error;
    }
    return { id, pin };
  }

  async function openRoom(roomId: string, seat: JanusSeat): Promise<JanusRoom> {
    let room = rooms.get(roomId);
    if (!room) {
      room = { made: make(), seats: new Set() };
      rooms.set(roomId, room);
    }
    room.seats.add(seat);
    try {
      return await room.made;
    } catch (error) {
      if (rooms.get(roomId) === room) rooms.delete(roomId);
      throw error;
    }
  }

  function leaveRoom(roomId: string, seat: JanusSeat): void {
    seats.delete(seat);
    const room = rooms.get(roomId);
    if (!room?.seats.delete(seat) || room.seats.size > 0) return;
    rooms.delete(roomId);
    room.made
      .then(({ id }) => destroy(id))
      // Gone with Janus, or never made.
      .catch((error: unknown) => log.info({ err: error }, "a room at the audio engine was not ended"));
  }

  function fail(roomId: string, error: unknown): void {
    // Whoever runs Janus may have ended it: the next attempt makes another.
    if (error instanceof JanusError && error.code === JANUS_CODES.noSuchRoom) rooms.delete(roomId);
    // Said already, once for all.
    if (!client.isUp) return;
    log.warn({ err: error, room: roomId }, "a seat could not be connected to the audio engine");
  }

  return {
    isReachable: () => client.waitUntilUp(REACH_MS),
    join(roomId, isMuted, events) {
      const seat: JanusSeat = new JanusSeat({
        isMuted,
        events,
        openRoom: () => openRoom(roomId, seat),
        attach: client.attach,
        onLeft: () => leaveRoom(roomId, seat),
        onFault: (error) => fail(roomId, error),
      });
      seats.add(seat);
      return seat;
    },
    check: () => checkJanus(client, settings.url),
    async close() {
      cancelSweep();
      const left = [...rooms.values()];
      rooms.clear();
      const ended = Promise.allSettled(left.map(async ({ made }) => destroy((await made).id)));
      const late = new AbortController();
      await Promise.race([
        ended,
        sleep(CLOSE_MS, undefined, { ref: false, signal: late.signal }).catch(() => undefined),
      ]);
      late.abort();
      client.close();
    },
  };
}

/** What the health page says of it. */
async function checkJanus(client: JanusClient, url: string): Promise<Finding> {
  try {
    if (!(await client.waitUntilUp(REACH_MS))) throw client.fault ?? new JanusError("not connected");
    await client.ping();
    return { status: "healthy" };
  } catch (error) {
    const code = error instanceof JanusError ? error.code : undefined;
    const { host } = new URL(url);
    if (code === JANUS_CODES.unauthorized)
      return { status: "critical", reason: "engine_wrong_secret", vars: { address: host } };
    if (code === JANUS_CODES.noSuchPlugin)
      return { status: "critical", reason: "engine_no_plugin", vars: { address: host } };
    return { status: "critical", reason: "engine_unreachable", vars: { address: host } };
  }
}
