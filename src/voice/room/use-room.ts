import { startTransition, useEffect, useState, useSyncExternalStore } from "react";
import * as z from "zod/mini";
import type { VoicePreferences } from "#contract/preferences.ts";
import { iceServer, type VoiceRoom } from "#contract/voice-rooms.ts";
import { Call } from "../call/call.ts";
import type { CallParts } from "../call/call-deps.ts";
import type { RoomState } from "../call/room-state.ts";
import { useOwnPerson, useVoiceServices } from "../voice-context.tsx";

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
      async sendLeave(participantId) {
        const body = { user_id: person.id, participant_id: participantId };
        await http.request(`${path}/leave`, { method: "POST", body, keepalive: true });
      },
    };
    return createCall ? createCall(parts) : new Call(parts);
  });
  // The room's screen stands over a connection that is there before the click on Join.
  useEffect(() => socket.hold(), [socket]);
  useEffect(() => () => call.close(), [call]);
  const others = room.participant_count;
  useEffect(() => void call.prepare(others), [call, others]);
  return call;
}

/** So long the room's screen waits for the sound when somebody joins. */
const SOUND_FIRST_MS = 600;
/** What others do is drawn at most so often: when somebody comes, a dozen things change at once. */
const NEWS_EVERY_MS = 150;

/** Somebody has just come in, and their links are not there yet. */
const isLinking = (state: RoomState) =>
  state.phase === "in" &&
  (state.people.length === 0 || state.people.some(({ link }) => link === "none" || link === "connecting"));

/** How long the screen may wait to show the state; undefined: what the person did themselves is shown at once. */
function getPatienceMs(shown: RoomState, state: RoomState): number | undefined {
  if (state.phase !== "in") return undefined;
  if (shown.phase !== "in") return isLinking(state) ? SOUND_FIRST_MS : undefined;
  return shown.me === state.me ? NEWS_EVERY_MS : undefined;
}

/**
 * The call's state, for the screen. Drawing waits: to build the room's screen takes a phone as long as to link with somebody,
 * and nobody should be heard later for it.
 */
export function useRoomState(call: Call): RoomState {
  const [state, setState] = useState(call.store.getState);
  useEffect(() => {
    let shown = call.store.getState();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      clearTimeout(timer);
      timer = undefined;
      shown = call.store.getState();
      startTransition(() => setState(shown));
    };
    const follow = () => {
      const patienceMs = getPatienceMs(shown, call.store.getState());
      if (patienceMs === undefined) show();
      else timer ??= setTimeout(show, patienceMs);
    };
    show();
    const stop = call.store.subscribe(follow);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [call]);
  return state;
}

export function useMicrophone(call: Call) {
  const { subscribe, getState } = call.sound.store;
  return useSyncExternalStore(subscribe, getState, getState);
}

/** Draws levels without React: ten times a second is too often for it. */
export function useLevels(call: Call, draw: (levels: ReadonlyMap<string, number>) => void): void {
  useEffect(() => call.listenToLevels(draw), [call, draw]);
}

/** Sets a style's number where it has changed: what is set is drawn again. */
export function setLevel(element: HTMLElement | null, level: number): void {
  const text = String(level);
  if (element && element.style.getPropertyValue("--level") !== text)
    element.style.setProperty("--level", text);
}
