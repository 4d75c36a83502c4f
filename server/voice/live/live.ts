import { randomBytes } from "node:crypto";
import type { RoomErrorCode } from "#contract/voice-channel.ts";
import { LOBBY_TOPIC } from "#contract/voice-lobby.ts";
import { VOICE_LIMITS, type VoiceRoom } from "#contract/voice-rooms.ts";
import type { ChangeFeed } from "#server/db/changes.ts";
import { AppError } from "#server/http/errors.ts";
import type { Channel } from "#server/socket/channel.ts";
import type { RoomEngine } from "../engine/engine.ts";
import type { IceAnswer } from "../ice.ts";
import type { RoomRestriction } from "../people/restriction-store.ts";
import { pickLater, type RoomRow } from "../rooms/room-store.ts";
import { toVoiceRoom } from "../rooms/voice-room.ts";
import { Budgets, type Rate } from "./budget.ts";
import type { LiveReads } from "./live-reads.ts";
import { LiveRoom, type Wire } from "./live-room.ts";
import type { LiveRooms } from "./live-rooms.ts";
import { createLobbyChannel, type LobbySignals } from "./lobby-channel.ts";
import { createLobbyNews } from "./lobby-news.ts";
import { createRoomChannel } from "./room-channel.ts";
import { createSeatStore, type Seat } from "./seats.ts";
import type { Timers } from "./timers.ts";
import { createTurns } from "./turns.ts";

export interface LiveParts {
  reads: LiveReads;
  feed: Pick<ChangeFeed, "subscribeRows" | "subscribe">;
  timers: Timers;
  /** For rooms that are mixed; undefined: the site runs none, and nobody enters them. */
  engine?: RoomEngine | undefined;
  isGoodTicket(ticket: string, roomId: string, userId: number): boolean;
  listIceServers(userId: number): IceAnswer;
  /** Somebody has come into an empty room of another person's. Never rejects. */
  tellCreator(room: RoomRow, newcomerName: string): Promise<void>;
  log: { error(details: object, message: string): void };
}

export interface LiveVoice extends LiveRooms {
  channels: readonly Channel[];
  /** From now on members are reached; before, nobody is connected. */
  connect(wire: Wire): void;
  close(): void;
}

const SEAT_ID_BYTES = 18;
/** Seats of one person in one room that they reserve and don't take: else they would hold one without being seen in the room. */
const RESERVATIONS: Rate = { burst: 5, perS: 1 / 60 };
/** Of words to a creator that somebody is in one room of theirs, in the browser or by mail: one an hour. */
const ENTERED: Rate = { burst: 1, perS: 1 / 3600 };

const ENDINGS: Readonly<Record<Exclude<RoomErrorCode, "replaced" | "muted">, string>> = {
  removed: "A moderator has removed you from the room.",
  banned: "You may no longer enter this room.",
  room_closed: "The room was closed.",
};

/** Who is in which room of this process, and all that follows from it. */
export function createLiveVoice(parts: LiveParts): LiveVoice {
  const { reads, feed, timers, engine, log } = parts;
  const seats = createSeatStore();
  const rooms = new Map<string, LiveRoom>();
  const reservations = new Budgets(timers);
  const toReservation = (roomId: string, userId: number) => `${userId} ${roomId}`;
  /** By the room's public id. */
  const entered = new Budgets(timers);
  /** How often something was written that may end or silence a seat: a join that was on its way looks again. */
  let changes = 0;
  /** How often a moderator's measure was taken here. */
  let measures = 0;
  /** What is read of people is applied in the order of the readings: an older one would undo what a newer one has found. */
  const inTurn = createTurns();
  let connected: Wire | undefined;
  const wire: Wire = {
    broadcast: (...message) => connected?.broadcast(...message),
    signal: (...message) => connected?.signal(...message),
  };

  const toAnswer = (row: RoomRow): VoiceRoom => toVoiceRoom(row, seats.count(row.public_id));

  function tellLobby<Name extends keyof LobbySignals>(
    name: Name,
    payload: LobbySignals[Name],
    userId?: number,
  ): void {
    wire.signal(LOBBY_TOPIC, name, payload, userId === undefined ? undefined : String(userId));
  }

  const news = createLobbyNews({ timers, toAnswer, tell: tellLobby });

  /** A row was read. @returns it, or a later one that is known already. */
  function learn(row: RoomRow): RoomRow {
    const room = rooms.get(row.public_id);
    const latest = news.learn(room ? pickLater(room.row, row) : row);
    if (room) room.row = latest;
    return latest;
  }

  function open(read: RoomRow): LiveRoom {
    const row = learn(read);
    const known = rooms.get(row.public_id);
    if (known) return known;
    const room = new LiveRoom({
      row,
      seats,
      timers,
      wire,
      engine,
      toAnswer,
      onFreed(freed) {
        if (seats.count(freed.id) === 0) {
          rooms.delete(freed.id);
          freed.stop();
        }
        news.countChanged(freed.row);
      },
    });
    rooms.set(row.public_id, room);
    return room;
  }

  /** For them the room is over. */
  function endSeat(room: LiveRoom, seat: Seat, code: keyof typeof ENDINGS): void {
    room.signal("ended", { code, message: ENDINGS[code] }, seat.person.userId);
    room.free(seat);
  }

  function endRoom(room: LiveRoom): void {
    for (const seat of seats.list(room.id)) endSeat(room, seat, "room_closed");
  }

  function silence(room: LiveRoom, seat: Seat, isSilenced: boolean): void {
    if (seat.state.isSilenced === isSilenced) return;
    seat.state.isSilenced = isSilenced;
    room.stateChanged(seat);
    room.seatChanged(seat);
    if (isSilenced) room.signal("muted", {}, seat.person.userId);
  }

  async function roomChanged(id: number): Promise<void> {
    changes += 1;
    const read = await reads.findRoomById(id);
    const room = [...rooms.values()].find((known) => known.row.id === id);
    if (!read) {
      if (room) endRoom(room);
      news.removed(id, room?.row);
      return;
    }
    const row = learn(read);
    if (room && !row.is_active) endRoom(room);
    const isNew = news.written(row);
    if (room && row.is_active && isNew) room.rowChanged();
  }

  /** Any rooms may have changed. */
  async function roomsChanged(): Promise<void> {
    news.listChanged();
    const rows = [...[...rooms.values()].map(({ row }) => row), ...news.listKnown()];
    await Promise.all([...new Set(rows.map(({ id }) => id))].map(roomChanged));
  }

  /** A measure doesn't wait for its turn: what was read before it, and comes behind it, is read again. */
  async function readBehindMeasures<Found>(read: () => Promise<Found>): Promise<Found> {
    for (;;) {
      const before = measures;
      const found = await read();
      if (before === measures) return found;
    }
  }

  async function restrictionsChanged(): Promise<void> {
    changes += 1;
    await inTurn(compareRestrictions);
  }

  /** Compares everybody who is in a room with the database: a door that is not ours may have written. */
  async function compareRestrictions(): Promise<void> {
    // Who comes in from now on has been read of as they are.
    const sitting = listSeatsOf();
    if (sitting.length === 0) return;
    const roomIds = [...new Set(sitting.map(({ room }) => room.id))];
    const found = await readBehindMeasures(() => reads.listRestrictions(roomIds));
    for (const { room, seat } of sitting.filter(isThere)) {
      const own = found.filter(({ roomId, userId }) => roomId === room.id && userId === seat.person.userId);
      const isRestricted = (kind: RoomRestriction["kind"]) => own.some((one) => one.kind === kind);
      if (isRestricted("ban")) endSeat(room, seat, "banned");
      else silence(room, seat, isRestricted("mute"));
    }
  }

  const listSeatsOf = (userIds?: ReadonlySet<number>) =>
    [...rooms.values()].flatMap((room) =>
      seats
        .list(room.id)
        .filter((seat) => !userIds || userIds.has(seat.person.userId))
        .map((seat) => ({ room, seat })),
    );

  /** Who has left while something was read may be back on another seat. */
  const isThere = ({ room, seat }: { room: LiveRoom; seat: Seat }) =>
    seats.find(room.id, seat.person.userId) === seat;

  async function peopleChanged(userIds: ReadonlySet<number> | undefined): Promise<void> {
    changes += 1;
    await inTurn(() => comparePeople(userIds));
  }

  /** Names and pictures as they are now; who is suspended or gone loses their seat at once, and what they wrote. */
  async function comparePeople(userIds: ReadonlySet<number> | undefined): Promise<void> {
    const found = listSeatsOf(userIds);
    // Whoever has left may have lines there.
    const authors = [...rooms.values()].flatMap((room) => room.listAuthors());
    const asked = new Set([
      ...found.map(({ seat }) => seat.person.userId),
      ...authors.filter((id) => !userIds || userIds.has(id)),
    ]);
    if (asked.size === 0) return;
    const people = await reads.describe([...asked]);
    for (const room of rooms.values())
      for (const id of room.listAuthors())
        if (asked.has(id)) room.nameAuthor(id, people.get(id)?.displayName);
    for (const { room, seat } of found.filter(isThere)) {
      const { displayName, avatar, userId } = seat.person;
      const person = people.get(userId);
      if (!person) {
        room.signal("left", {}, userId);
        room.free(seat);
        continue;
      }
      seat.person = person;
      if (person.displayName !== displayName || person.avatar !== avatar) room.seatChanged(seat);
    }
  }

  async function blocksChanged(userId: number): Promise<void> {
    changes += 1;
    await inTurn(() => compareBlocks(userId));
  }

  async function compareBlocks(userId: number): Promise<void> {
    if (rooms.size === 0) return;
    const apart: ReadonlySet<number> = new Set(await reads.listApart(userId));
    // In every room: the person may come into one in which the other sits already.
    for (const { seat } of listSeatsOf()) {
      if (seat.person.userId === userId) {
        seat.apartFrom = apart;
        continue;
      }
      const rest = new Set(seat.apartFrom);
      if (apart.has(seat.person.userId)) rest.add(userId);
      else rest.delete(userId);
      seat.apartFrom = rest;
    }
    for (const { room } of listSeatsOf(new Set([userId])))
      for (const seat of room.listRoster()) room.tellApart(seat);
  }

  /** Whether a seat still holds that was taken by what was read before. @returns how it was ended. */
  async function lookAgain(room: LiveRoom, seat: Seat): Promise<keyof typeof ENDINGS | undefined> {
    const { userId } = seat.person;
    const entry = await readBehindMeasures(() => reads.findEntry(room.id, userId));
    const row = entry && learn(entry.room);
    const ending = entry?.isBanned ? "banned" : row?.is_active ? undefined : "room_closed";
    if (!isThere({ room, seat })) return ending;
    if (ending) endSeat(room, seat, ending);
    else if (entry) {
      silence(room, seat, entry.isSilenced);
      seat.apartFrom = new Set([...entry.blocked, ...entry.blockedBy]);
      for (const other of room.listRoster()) room.tellApart(other);
      await comparePeople(new Set([userId]));
    }
    return ending;
  }

  /** What follows a notice has nobody to answer to. */
  function follow(work: Promise<unknown>): void {
    work.catch((error: unknown) => log.error({ err: error }, "voice rooms could not follow a change"));
  }

  feed.subscribeRows((model, { ids, isMany }) => {
    if (model === "voice.room") {
      if (isMany) follow(roomsChanged());
      else for (const id of ids) follow(roomChanged(id));
    } else if (model === "voice.restriction") follow(restrictionsChanged());
    else if (model === "accounts.user") follow(peopleChanged(isMany ? undefined : new Set(ids)));
  });
  feed.subscribe((model) => {
    // Notices may have been missed.
    if (model !== undefined) return;
    follow(restrictionsChanged());
    follow(peopleChanged(undefined));
    follow(roomsChanged());
  });

  return {
    channels: [
      createLobbyChannel({
        async findRoom(roomId, userId) {
          const entry = await reads.findEntry(roomId, userId);
          return entry && toAnswer(entry.room);
        },
        timers,
      }),
      createRoomChannel({
        seats,
        findEntry: reads.findEntry,
        describe: async (userId) => (await reads.describe([userId])).get(userId),
        timers,
        isGoodTicket: parts.isGoodTicket,
        listIceServers: parts.listIceServers,
        open,
        isEngineReachable: async () => (await engine?.isReachable()) === true,
        countChanges: () => changes,
        lookAgain: (room, seat) => follow(inTurn(() => lookAgain(room, seat))),
        toAnswer: ({ row }) => toAnswer(row),
        reservationTaken: ({ roomId, person: { userId } }) =>
          reservations.giveBack(toReservation(roomId, userId)),
        entered(room, seat, isFirst) {
          news.countChanged(room.row);
          const { row } = room;
          if (!isFirst || row.created_by_id === null || row.created_by_id === seat.person.userId) return;
          if (!entered.take(row.public_id, ENTERED)) return;
          const display_name = seat.person.displayName;
          tellLobby("room_entered", { room: toAnswer(row), display_name }, row.created_by_id);
          follow(parts.tellCreator(row, display_name));
        },
      }),
    ],
    connect(next) {
      connected = next;
    },
    close() {
      for (const room of rooms.values()) room.stop();
      news.stop();
    },

    countSeats: (roomId) => seats.count(roomId),

    async reserve(row, person) {
      const described = (await reads.describe([person.userId])).get(person.userId);
      if (!described) throw new AppError("permission_denied");
      const room = open(row);
      const known = seats.find(row.public_id, person.userId);
      if (known?.isOnRoster) return new Date(timers.now() + VOICE_LIMITS.seatKeptS * 1000);
      if (known) return new Date(room.keepOn(known));
      const reservation = toReservation(row.public_id, person.userId);
      if (!reservations.take(reservation, RESERVATIONS))
        throw new AppError("too_many_requests", { retryAfterS: 1 / RESERVATIONS.perS });
      const seat = await seats.take(
        {
          id: randomBytes(SEAT_ID_BYTES).toString("base64url"),
          roomId: row.public_id,
          joinNumber: undefined,
          person: described,
          apartFrom: new Set(),
          state: {
            isMuted: row.auto_mute_on_join,
            isSpeaking: false,
            isReady: false,
            hasMicrophone: true,
            isSilenced: false,
            hears: undefined,
          },
        },
        row.max_participants,
      );
      if (!seat) {
        reservations.giveBack(reservation);
        throw new AppError("room_full");
      }
      news.countChanged(room.row);
      const until = new Date(room.keep(seat));
      const ending = await inTurn(() => lookAgain(room, seat));
      if (ending === "banned") throw new AppError("banned_from_room");
      if (ending) throw new AppError("room_closed");
      return until;
    },

    leave(roomId, userId, participantId) {
      const [room, seat] = [rooms.get(roomId), seats.find(roomId, userId)];
      if (!room || !seat || (participantId !== undefined && participantId !== seat.id)) return;
      room.signal("left", {}, userId);
      room.free(seat);
    },

    setMuted(roomId, userId, isMuted) {
      const [room, seat] = [rooms.get(roomId), seats.find(roomId, userId)];
      if (!room || !seat) return;
      seat.state.isMuted = isMuted;
      room.stateChanged(seat);
      // Their own browser has to follow, or it would send on while others believe them muted.
      room.signal("own_mute", { is_muted: isMuted }, userId);
    },

    roomChanged,

    measured(roomId, userId, measure) {
      changes += 1;
      measures += 1;
      const [room, seat] = [rooms.get(roomId), seats.find(roomId, userId)];
      if (!room || !seat) return;
      if (measure === "removed" || measure === "banned") endSeat(room, seat, measure);
      else silence(room, seat, measure === "muted");
    },

    blocksChanged,
  };
}
