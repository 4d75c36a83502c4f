import { randomBytes } from "node:crypto";
import type { Participant } from "#contract/voice/room-channel.ts";
import type { EngineSeat, RoomEngine } from "../engine/engine.ts";

/** Whose seat it is, as others see them. */
export interface SeatPerson {
  userId: number;
  displayName: string;
  avatar: string | null;
  level: number;
}

/** Of a seat, what its holder changes. */
export interface SeatState {
  isMuted: boolean;
  isSpeaking: boolean;
  isReady: boolean;
  hasMicrophone: boolean;
  /** Muted by a moderator. */
  isSilenced: boolean;
  /** Undefined: their browser doesn't say. */
  hears: readonly string[] | undefined;
}

/** A place in a room. A person has one in each room, whatever number of tabs. */
export interface Seat {
  /** Random; another one for another tab or a later visit. */
  readonly id: string;
  readonly roomId: string;
  readonly joinNumber: number;
  person: SeatPerson;
  state: SeatState;
  /** The channel's member who sits on it; undefined: nobody is connected. */
  memberId: string | undefined;
  /** False: reserved, the person has never been in the room. */
  isOnRoster: boolean;
  /** Whom the person blocked, and who blocked them: nothing passes between the two. */
  apartFrom: ReadonlySet<number>;
}

export interface SeatRequest {
  id: string;
  roomId: string;
  /** Of a seat that is taken again behind a restart; else the room counts. */
  joinNumber: number | undefined;
  person: SeatPerson;
  state: SeatState;
  apartFrom: ReadonlySet<number>;
}

const SEAT_ID_BYTES = 18;

type NewSeat = Pick<SeatRequest, "roomId" | "person" | "apartFrom"> & {
  isMuted: boolean;
  isSilenced?: boolean;
  /** Behind a restart of the server everybody brings back what they had, and no link is made anew. */
  former?: { id: string; join_number: number } | undefined;
};

/** A seat as it is before its holder has said anything. */
export function toSeatRequest({ isMuted, isSilenced = false, former, ...rest }: NewSeat): SeatRequest {
  return {
    ...rest,
    id: former?.id ?? randomBytes(SEAT_ID_BYTES).toString("base64url"),
    joinNumber: former?.join_number,
    state: {
      ...{ isMuted, isSilenced },
      isSpeaking: false,
      isReady: false,
      hasMicrophone: true,
      hears: undefined,
    },
  };
}

/**
 * The seats of all rooms. `take` alone decides who gets the last one, so it alone may have to ask elsewhere; what is read is a
 * copy that the process holds.
 */
export interface SeatStore {
  /** Reserves a seat. A person who has one there keeps it until `sit`. Undefined: the room is full. */
  take(request: SeatRequest, maxSeats: number): Promise<Seat | undefined>;
  /** Somebody sits on it now, and is on the roster. @returns the seat that the person had there before, if it was another. */
  sit(seat: Seat, memberId: string): Seat | undefined;
  free(seat: Seat): void;
  find(roomId: string, userId: number): Seat | undefined;
  /** In the order of joining. */
  list(roomId: string): readonly Seat[];
  count(roomId: string): number;
  /** Ids of rooms with a seat. */
  listRooms(): Iterable<string>;
}

interface SeatRoom {
  byUser: Map<number, Seat>;
  lastJoinNumber: number;
}

/** What a client claims is believed as far as this; two with the same number settle it by their seats' ids. */
const MAX_JOIN_NUMBER = 1_000_000;

/** Whether one of the two has blocked the other: nothing passes between them. */
export function areApart(one: Seat, other: Seat): boolean {
  return one.apartFrom.has(other.person.userId) || other.apartFrom.has(one.person.userId);
}

/** Seats in this process's memory: all that one process needs. */
export function createSeatStore(): SeatStore {
  const rooms = new Map<string, SeatRoom>();

  function open(roomId: string): SeatRoom {
    const room = { byUser: new Map<number, Seat>(), lastJoinNumber: 0 };
    rooms.set(roomId, room);
    return room;
  }

  return {
    async take({ joinNumber, ...request }, maxSeats) {
      const room = rooms.get(request.roomId) ?? open(request.roomId);
      const { userId } = request.person;
      if (!room.byUser.has(userId) && room.byUser.size >= maxSeats) return undefined;
      const number = Math.min(joinNumber ?? room.lastJoinNumber + 1, MAX_JOIN_NUMBER);
      room.lastJoinNumber = Math.max(room.lastJoinNumber, number);
      const seat: Seat = { ...request, joinNumber: number, memberId: undefined, isOnRoster: false };
      if (!room.byUser.has(userId)) room.byUser.set(userId, seat);
      return seat;
    },
    sit(seat, memberId) {
      const room = rooms.get(seat.roomId) ?? open(seat.roomId);
      const former = room.byUser.get(seat.person.userId);
      room.byUser.set(seat.person.userId, seat);
      room.lastJoinNumber = Math.max(room.lastJoinNumber, seat.joinNumber);
      seat.memberId = memberId;
      seat.isOnRoster = true;
      return former === seat ? undefined : former;
    },
    free(seat) {
      const room = rooms.get(seat.roomId);
      const { userId } = seat.person;
      if (!room || room.byUser.get(userId) !== seat) return;
      room.byUser.delete(userId);
      if (room.byUser.size === 0) rooms.delete(seat.roomId);
    },
    find: (roomId, userId) => rooms.get(roomId)?.byUser.get(userId),
    list: (roomId) =>
      [...(rooms.get(roomId)?.byUser.values() ?? [])].sort((one, other) => one.joinNumber - other.joinNumber),
    count: (roomId) => rooms.get(roomId)?.byUser.size ?? 0,
    listRooms: () => rooms.keys(),
  };
}

/** A seat as the room sees it. */
export function toParticipant({ id, person, state, joinNumber }: Seat): Participant {
  const isMuted = state.isMuted || state.isSilenced;
  return {
    id,
    user_id: String(person.userId),
    display_name: person.displayName,
    avatar: person.avatar,
    status: state.isReady ? "ready" : "joining",
    devices: { microphone: state.hasMicrophone },
    is_muted: isMuted,
    mute_state: isMuted ? "muted" : "unmuted",
    is_speaking: state.isSpeaking && !isMuted,
    is_silenced: state.isSilenced,
    join_number: joinNumber,
    ...(state.hears && { hears: [...state.hears] }),
  };
}

export interface RoomMixDeps {
  engine: RoomEngine;
  roomId: string;
  onAnswer(seat: Seat, sdp: string, epoch: number): void;
  /** The seat's browser has to begin anew. */
  onLost(seat: Seat): void;
}

/** A room's seats at its engine: each has one from its first offer until it is given up. */
export interface RoomMix {
  of(seat: Seat): EngineSeat;
  /** Muted or not may have changed. */
  changed(seat: Seat): void;
  forget(seat: Seat): void;
}

const isMuted = ({ state }: Seat) => state.isMuted || state.isSilenced;

export function createRoomMix({ engine, roomId, onAnswer, onLost }: RoomMixDeps): RoomMix {
  const seats = new Map<Seat, EngineSeat>();
  return {
    of(seat) {
      let place = seats.get(seat);
      if (!place) {
        place = engine.join(roomId, isMuted(seat), {
          onAnswer: (sdp, epoch) => onAnswer(seat, sdp, epoch),
          onLost: () => onLost(seat),
        });
        seats.set(seat, place);
      }
      return place;
    },
    changed: (seat) => seats.get(seat)?.setMuted(isMuted(seat)),
    forget(seat) {
      seats.get(seat)?.leave();
      seats.delete(seat);
    },
  };
}
