import { LOBBY_TOPIC, VOICE_LIMITS, type VoiceRoom } from "#contract/voice/rooms.ts";
import { AppError } from "#server/base/errors.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import type { Channel } from "#server/socket/channel.ts";
import type { LiveRooms } from "../deps.ts";
import type { RoomEngine } from "../engine/engine.ts";
import type { IceAnswer } from "../ice.ts";
import type { RoomRow } from "../rooms/room-store.ts";
import { toVoiceRoom } from "../rooms/rooms.ts";
import { Budgets, type Rate, type Timers } from "../timing.ts";
import { type AwayRooms, type Counted, openAwayRooms, type VoiceProcesses } from "./away.ts";
import { Changes, type ChangesDeps, type LiveReads } from "./changes.ts";
import type { Wire } from "./live-room.ts";
import { createLobbyChannel, createLobbyNews, type LobbySignals } from "./lobby.ts";
import { OpenRooms } from "./open-rooms.ts";
import { Returns } from "./returns.ts";
import { createRoomChannel } from "./room-channel.ts";
import { createSeatStore, toSeatRequest } from "./seats.ts";

export interface LiveDeps {
  reads: LiveReads;
  feed: Pick<ChangeFeed, "subscribeRows" | "subscribe">;
  timers: Timers;
  /** For rooms that are mixed; undefined: the site runs none, and nobody enters them. */
  engine?: RoomEngine | undefined;
  isGoodTicket(ticket: string, roomId: string, userId: number): boolean;
  listIceServers(userId: number): IceAnswer;
  /** Somebody has come into an empty room of another person's. Never rejects. */
  notifyCreator(room: RoomRow, newcomerName: string): Promise<void>;
  log: ChangesDeps["log"];
  /** Undefined: this process keeps every room. */
  processes?: VoiceProcesses | undefined;
}

export interface LiveVoice extends LiveRooms {
  channels: readonly Channel[];
  /** From now on members are reached; before, nobody is connected. */
  connect(wire: Wire): void;
  /** Rooms with somebody in them that this process keeps, and their seats. */
  countHere(): { rooms: number; seats: number };
  close(): void;
}

/** Seats of one person in one room that they reserve and don't take: else they would hold one without being seen in the room. */
const RESERVATIONS: Rate = { burst: 5, perS: 1 / 60 };
/** Notices to a creator that somebody is in a room of theirs, in the browser or by mail: one an hour. */
const ENTERED: Rate = { burst: 1, perS: 1 / 3600 };

/** Who is in which room of this process, and all that follows from it. */
export function createLiveVoice(deps: LiveDeps): LiveVoice {
  const { reads, timers, engine } = deps;
  const seats = createSeatStore();
  const reservations = new Budgets(timers);
  const toReservation = (roomId: string, userId: number) => `${userId} ${roomId}`;
  /** By the room's public id. */
  const entered = new Budgets(timers);
  let connected: Wire | undefined;
  const wire: Wire = {
    broadcast: (...message) => connected?.broadcast(...message),
    signal: (...message) => connected?.signal(...message),
  };

  const returns = new Returns({
    ...{ seats, timers },
    listElsewhere: (roomId) => away?.listElsewhere(roomId) ?? [],
  });
  const countSeats = (roomId: string) => away?.countSeats(roomId) ?? seats.count(roomId);
  const toAnswer = (row: RoomRow): VoiceRoom => toVoiceRoom(row, countSeats(row.public_id));

  function publishLobby<Name extends keyof LobbySignals>(
    name: Name,
    payload: LobbySignals[Name],
    userId?: number,
  ): void {
    wire.signal(LOBBY_TOPIC, name, payload, userId === undefined ? undefined : String(userId));
  }

  const news = createLobbyNews({ timers, toAnswer, publish: publishLobby });
  function countChanged(row: RoomRow): void {
    news.countChanged(row);
    away?.publishCount(row);
  }
  const rooms = new OpenRooms({
    ...{ seats, timers, wire, engine, toAnswer },
    isPartial: () => deps.processes?.link.isIn === false,
    news: { learn: news.learn, countChanged },
  });
  const changes = new Changes({ reads, rooms, news, log: deps.log });
  changes.subscribe(deps.feed);

  /** @returns whether they have a seat here, or had */
  function measureHere(...[roomId, userId, measure]: Parameters<LiveRooms["measured"]>): boolean {
    changes.measureTaken();
    const found = rooms.find(roomId, userId);
    if (found && (measure === "removed" || measure === "banned")) rooms.endSeat(found, measure);
    else if (found) rooms.silence(found, measure === "muted");
    return found !== undefined;
  }

  const toCounted = (row: RoomRow): Counted => {
    const members = seats.list(row.public_id).map(({ person }) => person.userId);
    return { row, count: members.length, members };
  };

  const here: LiveRooms = {
    countSeats: (roomId) => seats.count(roomId),

    async reserve(row, { userId }) {
      const person = (await reads.describe([userId])).get(userId);
      if (!person) throw new AppError("permission_denied");
      const known = seats.find(row.public_id, userId);
      if (known?.isOnRoster) return new Date(timers.now() + VOICE_LIMITS.seatKeptS * 1000);
      if (known) return new Date(rooms.open(row).keepOn(known));
      const reservation = toReservation(row.public_id, userId);
      if (!reservations.take(reservation, RESERVATIONS))
        throw new AppError("too_many_requests", { retryAfterS: 1 / RESERVATIONS.perS });
      const isMuted = row.auto_mute_on_join;
      const request = toSeatRequest({ roomId: row.public_id, person, apartFrom: new Set(), isMuted });
      const seat = await seats.take(request, returns.countSeats(row, userId));
      if (!seat) {
        reservations.giveBack(reservation);
        throw new AppError("room_full");
      }
      const room = rooms.open(row);
      countChanged(room.row);
      const until = new Date(room.keep(seat));
      const ending = await changes.lookAgain({ room, seat });
      if (ending === "banned") throw new AppError("banned_from_room");
      if (ending) throw new AppError("room_closed");
      return until;
    },

    leave(roomId, userId, participantId) {
      const found = rooms.find(roomId, userId);
      if (!found) returns.forget(roomId, userId);
      if (!found || (participantId !== undefined && participantId !== found.seat.id)) return;
      found.room.signal("left", {}, userId);
      found.room.free(found.seat);
    },

    setMuted(roomId, userId, isMuted) {
      const found = rooms.find(roomId, userId);
      if (!found) return;
      found.seat.state.isMuted = isMuted;
      found.room.stateChanged(found.seat);
      // Their own browser has to follow, or it would send on while others believe them muted.
      found.room.signal("own_mute", { is_muted: isMuted }, userId);
    },

    roomChanged: (roomId) => changes.roomChanged(roomId),

    measured: async (...args) => void measureHere(...args),

    blocksChanged: (userId) => changes.blocksChanged(userId),
  };

  const away: AwayRooms | undefined =
    deps.processes &&
    openAwayRooms({
      processes: deps.processes,
      ...{ here, measureHere, returns, toCounted },
      listHere: () =>
        rooms
          .list()
          .map(({ row }) => toCounted(row))
          .filter(({ count }) => count > 0),
      counted: (row) => news.countChanged(rooms.learn(row)),
      entered: (notice, creatorId) => publishLobby("room_entered", notice, creatorId),
      giveUp(isKept) {
        const left = rooms.list().filter(({ id }) => !isKept(id));
        const counted = left.map(({ row }) => toCounted(row));
        for (const room of left) rooms.giveUp(room);
        return counted;
      },
      reachChanged() {
        for (const room of rooms.list()) room.publishRoster();
      },
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
        countSeats: (row, userId) => returns.countSeats(row, userId),
        turnOut(room, seat) {
          const isRemoved = returns.takeRemoved(room.id, seat.person.userId);
          if (isRemoved) rooms.endSeat({ room, seat }, "removed");
          return isRemoved;
        },
        isGoodTicket: deps.isGoodTicket,
        listIceServers: deps.listIceServers,
        open: (row) => rooms.open(row),
        isEngineReachable: async () => (await engine?.isReachable()) === true,
        countChanges: () => changes.count,
        lookAgain: (room, seat) => changes.follow(changes.lookAgain({ room, seat })),
        toAnswer: ({ row }) => toAnswer(row),
        reservationTaken: ({ roomId, person: { userId } }) =>
          reservations.giveBack(toReservation(roomId, userId)),
        entered(room, seat, isFirst) {
          returns.forget(room.id, seat.person.userId);
          countChanged(room.row);
          const { row } = room;
          if (!isFirst || row.created_by_id === null || row.created_by_id === seat.person.userId) return;
          if (!entered.take(row.public_id, ENTERED)) return;
          const display_name = seat.person.displayName;
          const notice = { room: toAnswer(row), display_name };
          publishLobby("room_entered", notice, row.created_by_id);
          away?.publishEntered(notice, row.created_by_id);
          changes.follow(deps.notifyCreator(row, display_name));
        },
      }),
    ],
    connect(next) {
      connected = next;
    },
    countHere() {
      const counts = rooms.list().map(({ row }) => seats.count(row.public_id));
      return { rooms: counts.length, seats: counts.reduce((sum, count) => sum + count, 0) };
    },
    close() {
      rooms.stop();
      news.stop();
    },
    ...(away ?? here),
  };
}
