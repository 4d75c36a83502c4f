import type { VoiceRoom } from "#contract/voice-rooms.ts";
import { fold } from "./fold.ts";

export type RoomListState =
  | { phase: "loading" }
  | { phase: "failed"; error: unknown }
  | { phase: "loaded"; rooms: readonly VoiceRoom[]; maxSeats: number | undefined };

export type RoomListEvent =
  | { type: "asked" }
  | { type: "failed"; error: unknown }
  | { type: "loaded"; rooms: readonly VoiceRoom[]; maxSeats: number | undefined }
  | { type: "changed"; room: VoiceRoom }
  | { type: "removed"; id: string };

/** The next state of the list. A list that is shown stays while it is read again, also where that fails. */
export function reduceRoomList(state: RoomListState, event: RoomListEvent): RoomListState {
  switch (event.type) {
    case "asked":
      return state.phase === "loaded" ? state : { phase: "loading" };
    case "failed":
      return state.phase === "loaded" ? state : { phase: "failed", error: event.error };
    case "loaded":
      return { phase: "loaded", rooms: event.rooms, maxSeats: event.maxSeats };
    case "changed": {
      if (state.phase !== "loaded") return state;
      const isKnown = state.rooms.some(({ id }) => id === event.room.id);
      const rooms = isKnown
        ? state.rooms.map((room) => (room.id === event.room.id ? event.room : room))
        : [event.room, ...state.rooms];
      return { ...state, rooms };
    }
    case "removed":
      if (state.phase !== "loaded") return state;
      return { ...state, rooms: state.rooms.filter(({ id }) => id !== event.id) };
  }
}

/** Rooms whose name or description holds the text. */
export function findRooms(rooms: readonly VoiceRoom[], search: string): readonly VoiceRoom[] {
  const wanted = fold(search.trim());
  if (!wanted) return rooms;
  return rooms.filter(({ name, description }) => fold(`${name}\n${description}`).includes(wanted));
}
