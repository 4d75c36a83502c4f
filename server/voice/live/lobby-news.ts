import type { VoiceRoom } from "#contract/voice-rooms.ts";
import { pickLater, type RoomRow } from "../rooms/room-store.ts";
import type { LobbySignals } from "./lobby-channel.ts";
import { createPace, type Pace } from "./pace.ts";
import type { Timers } from "./timers.ts";

/** Between two messages about who is in a room. */
const COUNT_INTERVAL_MS = 500;
/** Between two words that the list is to be read again: everybody in the lobby does so at once. */
const LIST_INTERVAL_MS = 1000;

export interface LobbyNewsParts {
  timers: Timers;
  toAnswer(row: RoomRow): VoiceRoom;
  tell<Name extends keyof LobbySignals>(name: Name, payload: LobbySignals[Name]): void;
}

/** What the lobby hears of rooms, and how often. It is told what holds by then, never what held when it was noted. */
export interface LobbyNews {
  /** A row was read. @returns it, or a later one that is known already. */
  learn(row: RoomRow): RoomRow;
  /** Who is in the room has changed. */
  countChanged(row: RoomRow): void;
  /** The row was written. @returns false where that was told already. */
  written(row: RoomRow): boolean;
  /** The row is gone; `row`: what it was last, where that is known. */
  removed(id: number, row: RoomRow | undefined): void;
  /** Any rooms may have changed. */
  listChanged(): void;
  /** Rows of rooms whose number of people was told a moment ago, or is about to be. */
  listKnown(): RoomRow[];
  stop(): void;
}

interface Count {
  row: RoomRow;
  pace: Pace;
}

const GONE = "gone";

export function createLobbyNews({ timers, toAnswer, tell }: LobbyNewsParts): LobbyNews {
  /** By public id. */
  const counts = new Map<string, Count>();
  /** Of each room that was written, `updated_at` or GONE, by the row's number: as many as rooms that somebody made. */
  const told = new Map<number, string>();
  /** Private rooms that were written since the last word, by public id; undefined: any rooms may have changed. */
  let hidden: Map<string, VoiceRoom> | undefined = new Map();

  const list = createPace(timers, LIST_INTERVAL_MS, () => {
    tell("rooms_changed", { hidden: hidden && [...hidden.values()] });
    hidden = new Map();
  });

  function listChanged(): void {
    hidden = undefined;
    list.touch();
  }

  function openCount(row: RoomRow): Count {
    const pace = createPace(timers, COUNT_INTERVAL_MS, () => {
      const room = toAnswer(count.row);
      if (room.participant_count === 0) counts.delete(row.public_id);
      tell("room_changed", { room });
    });
    const count: Count = { row, pace };
    counts.set(row.public_id, count);
    return count;
  }

  function learn(row: RoomRow): RoomRow {
    const count = counts.get(row.public_id);
    if (!count) return row;
    count.row = pickLater(count.row, row);
    return count.row;
  }

  return {
    learn,
    countChanged(row) {
      if (told.get(row.id) === GONE) return;
      const count = counts.get(row.public_id) ?? openCount(row);
      learn(row);
      count.pace.touch();
    },
    written(row) {
      const before = told.get(row.id);
      if (before === row.updated_at || before === GONE) return false;
      told.set(row.id, row.updated_at);
      const room = toAnswer(row);
      tell("room_changed", { room });
      if (!room.is_public) {
        hidden?.set(room.id, room);
        list.touch();
      }
      return true;
    },
    removed(id, row) {
      if (told.get(id) === GONE) return;
      told.set(id, GONE);
      const last = row ?? [...counts.values()].find((count) => count.row.id === id)?.row;
      if (!last) {
        listChanged();
        return;
      }
      counts.get(last.public_id)?.pace.stop();
      counts.delete(last.public_id);
      tell("room_removed", { room: toAnswer(last) });
    },
    listChanged,
    listKnown: () => [...counts.values()].map(({ row }) => row),
    stop() {
      list.stop();
      for (const { pace } of counts.values()) pace.stop();
    },
  };
}
