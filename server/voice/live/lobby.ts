import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { LOBBY_SENDS, LOBBY_TOPIC, lobbyJoin, type VoiceRoom } from "#contract/voice/rooms.ts";
import { accept, type Channel, declareChannel, type Member, refuse } from "../../socket/channel.ts";
import { ROOM_ADDRESS } from "../rooms/room-address.ts";
import { pickLater, type RoomRow } from "../rooms/room-store.ts";
import { Budgets, createPace, JOINS_OF_ONE, type Pace, type Timers } from "../timing.ts";

/** What `Wire.signal` sends the lobby. */
export interface LobbySignals {
  room_changed: { room: VoiceRoom };
  room_removed: { room: VoiceRoom };
  /** `hidden`: private rooms that were written; undefined: any rooms may have changed. */
  rooms_changed: { hidden?: VoiceRoom[] | undefined };
  /** To the room's creator alone. */
  room_entered: { room: VoiceRoom; display_name: string };
}

type LobbySignal = {
  [Name in keyof LobbySignals]: { name: Name; payload: LobbySignals[Name] };
}[keyof LobbySignals];

/** The room's public id that the member has named. Whoever knows it may come in. */
interface LobbyState {
  roomId: string | undefined;
}

/** Whether somebody's list holds a room (the public ones, their own, and for admins all), or they look at it from outside. */
function isConcerned(room: VoiceRoom, { person, state }: Member<LobbyState, typeof LOBBY_SENDS>): boolean {
  return (
    room.is_public ||
    room.created_by === String(person.userId) ||
    person.level >= ACCESS_LEVEL.admin ||
    room.id === state.roomId
  );
}

/** `voice:lobby`: changes of the room list, to each member as far as their list goes. */
export function createLobbyChannel(deps: {
  /** By its public id. */
  findRoom: (roomId: string, userId: number) => Promise<VoiceRoom | undefined>;
  timers: Timers;
}): Channel {
  const joins = new Budgets(deps.timers);
  return declareChannel({
    topic: LOBBY_TOPIC,
    sends: LOBBY_SENDS,
    async join({ person, payload }) {
      if (person.level < ACCESS_LEVEL.user) return refuse("unauthorized");
      if (!joins.take(`${person.userId}`, JOINS_OF_ONE)) return refuse("too_many_messages");
      const roomId = lobbyJoin.safeParse(payload).data?.room_id;
      if (roomId === undefined) return accept<LobbyState>({ roomId });
      if (!ROOM_ADDRESS.test(roomId)) return refuse("room_not_found");
      const room = (await deps.findRoom(roomId, person.userId)) ?? null;
      return accept<LobbyState>({ roomId }, { response: { room } });
    },
    mayStay: ({ person }) => person.level >= ACCESS_LEVEL.user,
    signalled(member, event, payload) {
      // The one sender is live.ts, in this or another process of the same version.
      const signal = { name: event, payload } as LobbySignal;
      switch (signal.name) {
        case "room_changed":
          if (isConcerned(signal.payload.room, member)) member.push("room_changed", signal.payload.room);
          break;
        case "room_removed":
          if (isConcerned(signal.payload.room, member))
            member.push("room_removed", { id: signal.payload.room.id });
          break;
        case "rooms_changed":
          // They may have been public before. Their ids are not published: anybody who has one may come in.
          if (!signal.payload.hidden?.every((room) => isConcerned(room, member)))
            member.push("rooms_changed", {});
          break;
        case "room_entered":
          member.push("room_entered", signal.payload);
      }
    },
    events: {},
  });
}

/** Between two messages about a room: who is in it, or what was written of it. */
const ROOM_INTERVAL_MS = 500;
/** Between two notices that the list is to be read again: everybody in the lobby does so at once. */
const LIST_INTERVAL_MS = 1000;

export interface LobbyNewsDeps {
  timers: Timers;
  toAnswer(row: RoomRow): VoiceRoom;
  publish<Name extends keyof LobbySignals>(name: Name, payload: LobbySignals[Name]): void;
}

/** What is published to the lobby of rooms, and how often: what holds by then, never what held when it was noted. */
export interface LobbyNews {
  /** A row was read. @returns it, or a later one that is known already. */
  learn(row: RoomRow): RoomRow;
  /** Who is in the room has changed. */
  countChanged(row: RoomRow): void;
  /** The row was written. @returns false where that was published already. */
  written(row: RoomRow): boolean;
  /** The row is gone; `row`: what it was last, where that is known. */
  removed(id: number, row: RoomRow | undefined): void;
  /** Any rooms may have changed. */
  listChanged(): void;
  /** Rows of rooms that were published a moment ago, or are about to be, and of those with somebody in them. */
  listKnown(): RoomRow[];
  stop(): void;
}

interface Known {
  row: RoomRow;
  pace: Pace;
  /** Keeps it from being forgotten. */
  stay: (() => void) | undefined;
}

/** What was read of a room when it was written last. */
interface Written {
  updatedAt: string;
  isPublic: boolean;
}

const GONE = "gone";

export function createLobbyNews({ timers, toAnswer, publish }: LobbyNewsDeps): LobbyNews {
  /** By public id. */
  const known = new Map<string, Known>();
  /** Of each room that was written, by the row's number: as many as rooms that somebody made. */
  const written = new Map<number, Written | typeof GONE>();
  /** Rooms that were made private since the last notice, by public id; undefined: any rooms may have changed. */
  let hidden: Map<string, VoiceRoom> | undefined = new Map();

  const list = createPace(timers, LIST_INTERVAL_MS, () => {
    publish("rooms_changed", { hidden: hidden && [...hidden.values()] });
    hidden = new Map();
  });

  function listChanged(): void {
    hidden = undefined;
    list.touch();
  }

  function open(row: RoomRow): Known {
    const pace = createPace(timers, ROOM_INTERVAL_MS, () => {
      const room = toAnswer(opened.row);
      // Not before the next message may come: its pace would be forgotten with it.
      if (room.participant_count === 0)
        opened.stay = timers.after(ROOM_INTERVAL_MS, () => known.delete(row.public_id));
      publish("room_changed", { room });
    });
    const opened: Known = { row, pace, stay: undefined };
    known.set(row.public_id, opened);
    return opened;
  }

  function learn(row: RoomRow): RoomRow {
    const room = known.get(row.public_id);
    if (!room) return row;
    room.row = pickLater(room.row, row);
    return room.row;
  }

  /** It is published, at most so often. */
  function touch(row: RoomRow): void {
    const room = known.get(row.public_id) ?? open(row);
    room.stay?.();
    room.stay = undefined;
    learn(row);
    room.pace.touch();
  }

  function drop({ row, pace, stay }: Known): void {
    stay?.();
    pace.stop();
    known.delete(row.public_id);
  }

  return {
    learn,
    countChanged(row) {
      if (written.get(row.id) !== GONE) touch(row);
    },
    written(row) {
      const before = written.get(row.id);
      if (before === GONE || (before && !isLater(row, before))) return false;
      written.set(row.id, { updatedAt: row.updated_at, isPublic: row.is_public });
      touch(row);
      // A private room is on no stranger's list, unless it was public a moment ago.
      if (!row.is_public && before?.isPublic !== false) {
        hidden?.set(row.public_id, toAnswer(row));
        list.touch();
      }
      return true;
    },
    removed(id, row) {
      if (written.get(id) === GONE) return;
      written.set(id, GONE);
      const opened = [...known.values()].find((room) => room.row.id === id);
      if (opened) drop(opened);
      const last = row ?? opened?.row;
      if (last) publish("room_removed", { room: toAnswer(last) });
      else listChanged();
    },
    listChanged,
    listKnown: () => [...known.values()].map(({ row }) => row),
    stop() {
      list.stop();
      for (const room of known.values()) drop(room);
    },
  };
}

/** Readings may come in another order than they were made in. */
function isLater(row: RoomRow, { updatedAt }: Written): boolean {
  return row.updated_at !== updatedAt && Date.parse(row.updated_at) >= Date.parse(updatedAt);
}
