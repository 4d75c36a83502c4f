import { useEffect, useState, useSyncExternalStore } from "react";
import * as z from "zod/mini";
import type { VoicePreferences } from "#contract/preferences.ts";
import { iceServer, type VoiceRoom } from "#contract/voice-rooms.ts";
import { Call, type CallParts } from "../call/call.ts";
import type { RoomState } from "../call/room-state.ts";
import { useOwnPerson, useVoiceServices } from "../voice-services.ts";

/** Of `GET …/token`: a browser that is in the room needs no ticket. */
const ticketIce = z.object({ ice_servers: z.array(iceServer) });

export interface CallOptions {
  room: VoiceRoom;
  preferences: VoicePreferences;
  blocked: readonly string[];
  /** Tests bring their own. */
  createCall?: (parts: CallParts) => Call;
}

/** The call of a room's screen: made with it, left with it. */
export function useCall({ room, preferences, blocked, createCall }: CallOptions): Call {
  const { http, socket } = useVoiceServices();
  const person = useOwnPerson();
  const path = `/voice/rooms/${encodeURIComponent(room.slug)}`;
  const [call] = useState(() => {
    const parts: CallParts = {
      roomId: room.id,
      userId: person.id,
      displayName: person.name,
      socket,
      preferences,
      blocked,
      isPublicRoom: room.is_public,
      async fetchIceServers() {
        return (await http.request(`${path}/token`, { schema: ticketIce })).ice_servers;
      },
      sendLeave(participantId) {
        const body = {
          user_id: person.id,
          ...(participantId !== undefined && { participant_id: participantId }),
        };
        // Behind the socket's own message, in case that is lost. Nobody is there any more to hear of a failure.
        http.request(`${path}/leave`, { method: "POST", body, keepalive: true }).catch(() => undefined);
      },
    };
    return createCall ? createCall(parts) : new Call(parts);
  });
  // The room's screen stands over a connection that is there before the click on Join.
  useEffect(() => socket.hold(), [socket]);
  useEffect(() => {
    void call.prepare();
    return () => call.close();
  }, [call]);
  return call;
}

export function useRoomState(call: Call): RoomState {
  return useSyncExternalStore(call.store.subscribe, call.store.getState, call.store.getState);
}

export function useMicrophone(call: Call) {
  const { subscribe, getState } = call.sound.store;
  return useSyncExternalStore(subscribe, getState, getState);
}

/** Draws levels without React: ten times a second is too often for it. */
export function useLevels(call: Call, draw: (levels: ReadonlyMap<string, number>) => void): void {
  useEffect(() => call.listenToLevels(draw), [call, draw]);
}
