import { useCallback, useEffect, useRef } from "react";
import { LOBBY_SENDS, LOBBY_TOPIC, lobbyAnswer } from "#contract/voice-lobby.ts";
import { type VoiceRoom, voiceRoom } from "#contract/voice-rooms.ts";
import { HttpError } from "#providers/http.ts";
import { receive } from "#providers/socket-topic.ts";
import type { Entered } from "../room-list/use-tell-entered.ts";
import { useVoiceServices } from "../voice-context.tsx";

interface RoomNews {
  onRoom: (room: VoiceRoom) => void;
  onGone: () => void;
  /** Somebody is in a room of the reader's. */
  onEntered: (entered: Entered) => void;
}

/**
 * What the lobby says while a room's screen is shown: of that room as long as one is not in it (there, its channel says more),
 * and of the reader's own rooms.
 */
export function useRoomNews({ id, slug }: VoiceRoom, isOutside: boolean, news: RoomNews): void {
  const { socket, http } = useVoiceServices();
  const latest = useRef({ ...news, isOutside });
  useEffect(() => {
    latest.current = { ...news, isOutside };
  });

  const readAgain = useCallback(async () => {
    try {
      const room = await http.request(`/voice/rooms/${encodeURIComponent(slug)}`, { schema: voiceRoom });
      latest.current.onRoom(room);
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) latest.current.onGone();
      // What is shown stays; whoever joins is told what stands against it.
      else console.warn("The room could not be read again.", error);
    }
  }, [http, slug]);

  // Behind a call: it may have been closed, or there is nobody any more.
  const wasOutside = useRef(isOutside);
  useEffect(() => {
    if (isOutside && !wasOutside.current) void readAgain();
    wasOutside.current = isOutside;
  }, [isOutside, readAgain]);

  useEffect(() => {
    const ifOurs = (room: { id: string }, tell: () => void) =>
      room.id === id && latest.current.isOutside && tell();
    const lobby = socket.join(LOBBY_TOPIC, {
      params: () => ({ room_id: id }),
      on: {
        room_changed: receive(LOBBY_SENDS.room_changed, (room) =>
          ifOurs(room, () => latest.current.onRoom(room)),
        ),
        room_removed: receive(LOBBY_SENDS.room_removed, (room) =>
          ifOurs(room, () => latest.current.onGone()),
        ),
        room_entered: receive(LOBBY_SENDS.room_entered, (entered) => latest.current.onEntered(entered)),
        rooms_changed: receive(LOBBY_SENDS.rooms_changed, () => {
          if (latest.current.isOutside) void readAgain();
        }),
      },
      onState(state, answer) {
        // Another back end has no lobby, or says nothing of a room.
        const room = state === "joined" ? lobbyAnswer.safeParse(answer).data?.room : undefined;
        if (room) ifOurs(room, () => latest.current.onRoom(room));
        else if (room === null && latest.current.isOutside) latest.current.onGone();
      },
    });
    return lobby.leave;
  }, [socket, readAgain, id]);
}
