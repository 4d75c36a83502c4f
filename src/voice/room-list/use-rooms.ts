import { useCallback, useEffect, useReducer, useRef } from "react";
import { LOBBY_SENDS, LOBBY_TOPIC, type VoiceRoom, voiceRoomsAnswer } from "#contract/voice/rooms.ts";
import { receive } from "#providers/socket/topic.ts";
import type { Entered } from "../parts/status.tsx";
import { useVoiceServices } from "../voice-context.tsx";

/** Text as a search compares it: without case and marks, and with one i for i, İ, ı and I, as in both languages. */
function fold(text: string): string {
  return text.replace(/[İIı]/g, "i").normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

export type RoomListState =
  | { phase: "loading" }
  | { phase: "failed"; error: unknown }
  | { phase: "loaded"; rooms: readonly VoiceRoom[]; maxSeats: number | undefined };

type RoomListEvent =
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

/** The list of rooms, live while the screen is shown. `onEntered`: somebody has come into a room of one's own. */
export function useRooms(onEntered: (entered: Entered) => void): {
  state: RoomListState;
  reload: () => void;
  put: (room: VoiceRoom) => void;
  drop: (id: string) => void;
} {
  const { http, socket } = useVoiceServices();
  const [state, dispatch] = useReducer(reduceRoomList, { phase: "loading" });

  /** The list is being read; `isOld`: something has changed since it was asked for. */
  const reading = useRef<{ isOld: boolean }>(undefined);

  const reload = useCallback(async () => {
    if (reading.current) {
      reading.current.isOld = true;
      return;
    }
    dispatch({ type: "asked" });
    do {
      reading.current = { isOld: false };
      try {
        const { data, max_seats } = await http.request("/voice/rooms", { schema: voiceRoomsAnswer });
        dispatch({ type: "loaded", rooms: data, maxSeats: max_seats });
      } catch (error) {
        dispatch({ type: "failed", error });
        break;
      }
    } while (reading.current.isOld);
    reading.current = undefined;
  }, [http]);

  useEffect(() => {
    void reload();
    const publish = (event: RoomListEvent) => {
      if (reading.current) reading.current.isOld = true;
      dispatch(event);
    };
    const lobby = socket.join(LOBBY_TOPIC, {
      on: {
        room_changed: receive(LOBBY_SENDS.room_changed, (room) => publish({ type: "changed", room })),
        room_removed: receive(LOBBY_SENDS.room_removed, ({ id }) => publish({ type: "removed", id })),
        room_entered: receive(LOBBY_SENDS.room_entered, onEntered),
        rooms_changed: receive(LOBBY_SENDS.rooms_changed, () => void reload()),
      },
      onState(next) {
        // What happened before was not published.
        if (next === "joined") void reload();
      },
    });
    return lobby.leave;
  }, [socket, reload, onEntered]);

  const put = useCallback((room: VoiceRoom) => dispatch({ type: "changed", room }), []);
  const drop = useCallback((id: string) => dispatch({ type: "removed", id }), []);
  return { state, reload, put, drop };
}
