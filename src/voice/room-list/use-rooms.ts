import { useCallback, useEffect, useReducer } from "react";
import { LOBBY_SENDS, LOBBY_TOPIC } from "#contract/voice-lobby.ts";
import { type VoiceRoom, voiceRoomsAnswer } from "#contract/voice-rooms.ts";
import { receive } from "#providers/socket-topic.ts";
import { useVoiceServices } from "../voice-services.ts";
import { type RoomListState, reduceRoomList } from "./room-list-state.ts";
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

  const reload = useCallback(() => {
    dispatch({ type: "asked" });
    http
      .request("/voice/rooms", { schema: voiceRoomsAnswer })
      .then(({ data, max_seats }) => dispatch({ type: "loaded", rooms: data, maxSeats: max_seats }))
      .catch((error: unknown) => dispatch({ type: "failed", error }));
  }, [http]);

  useEffect(() => {
    reload();
    const lobby = socket.join(LOBBY_TOPIC, {
      on: {
        room_changed: receive(LOBBY_SENDS.room_changed, (room) => dispatch({ type: "changed", room })),
        room_removed: receive(LOBBY_SENDS.room_removed, ({ id }) => dispatch({ type: "removed", id })),
        room_entered: receive(LOBBY_SENDS.room_entered, onEntered),
        rooms_changed: receive(LOBBY_SENDS.rooms_changed, reload),
      },
      onState(next) {
        // What happened before was not told.
        if (next === "joined") reload();
      },
    });
    return lobby.leave;
  }, [socket, reload, onEntered]);

  const put = useCallback((room: VoiceRoom) => dispatch({ type: "changed", room }), []);
  const drop = useCallback((id: string) => dispatch({ type: "removed", id }), []);
  return { state, reload, put, drop };
}
