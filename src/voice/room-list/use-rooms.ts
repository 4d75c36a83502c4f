import { useCallback, useEffect, useReducer, useRef } from "react";
import { LOBBY_SENDS, LOBBY_TOPIC } from "#contract/voice-lobby.ts";
import { type VoiceRoom, voiceRoomsAnswer } from "#contract/voice-rooms.ts";
import { receive } from "#providers/socket-topic.ts";
import { useVoiceServices } from "../voice-context.tsx";
import { type RoomListEvent, type RoomListState, reduceRoomList } from "./room-list-state.ts";
import type { Entered } from "./use-tell-entered.ts";

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
    const tell = (event: RoomListEvent) => {
      if (reading.current) reading.current.isOld = true;
      dispatch(event);
    };
    const lobby = socket.join(LOBBY_TOPIC, {
      on: {
        room_changed: receive(LOBBY_SENDS.room_changed, (room) => tell({ type: "changed", room })),
        room_removed: receive(LOBBY_SENDS.room_removed, ({ id }) => tell({ type: "removed", id })),
        room_entered: receive(LOBBY_SENDS.room_entered, onEntered),
        rooms_changed: receive(LOBBY_SENDS.rooms_changed, () => void reload()),
      },
      onState(next) {
        // What happened before was not told.
        if (next === "joined") void reload();
      },
    });
    return lobby.leave;
  }, [socket, reload, onEntered]);

  const put = useCallback((room: VoiceRoom) => dispatch({ type: "changed", room }), []);
  const drop = useCallback((id: string) => dispatch({ type: "removed", id }), []);
  return { state, reload, put, drop };
}
