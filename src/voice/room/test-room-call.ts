import { jest } from "@jest/globals";
import { act } from "@testing-library/react";
import { participant } from "#contract/voice/room-channel.ts";
import type { Call, Levels } from "../call/call.ts";
import {
  type InRoom,
  OUTSIDE,
  type Person,
  type RoomEvent,
  type RoomState,
  reduceRoom,
} from "../call/room-state.ts";
import type { MicrophoneState } from "../call/sound/sound.ts";
import { createStore } from "../call/store.ts";
import { toRoom } from "../test-room.ts";

export const toPerson = (name: string, more: Partial<Person> = {}): Person => ({
  ...participant.parse({ id: `s${name}`, user_id: name, display_name: name, is_muted: false }),
  link: "connected",
  quality: undefined,
  ...more,
});

/** In the room Tea, as person 1. */
export const toInRoom = (more: Partial<InRoom> = {}, me: Partial<InRoom["me"]> = {}): InRoom => ({
  phase: "in",
  room: toRoom(),
  me: {
    participantId: "s1",
    userId: "1",
    isMuted: false,
    isSilenced: false,
    isSpeaking: false,
    isListening: false,
    ...me,
  },
  people: [],
  signalling: "connected",
  canModerate: false,
  texts: [],
  isHearingKnown: true,
  apart: [],
  complaint: undefined,
  ...more,
});

/** A call whose state the test sets, and that remembers what the screen asks of it. */
export function createRoomCall(first: RoomState = OUTSIDE) {
  const store = createStore<RoomState, RoomEvent | { type: "set"; state: RoomState }>(
    (state, event) => (event.type === "set" ? event.state : reduceRoom(state, event)),
    first,
  );
  const microphone = createStore(
    (state: MicrophoneState, change: Partial<MicrophoneState>) => ({ ...state, ...change }),
    { isOpen: first.phase === "in", isSilent: false, wasLost: false, deviceId: undefined },
  );
  const listeners = new Set<(levels: Levels) => void>();
  const done = () => jest.fn(async () => undefined);
  const fake = {
    store,
    hasRelay: false,
    isAddressHidden: false,
    sound: {
      store: microphone,
      devices: { volumes: {}, mutedForMe: [] },
      isBlocked: false,
      isSpeaking: false,
      openMicrophone: done(),
      chime: jest.fn(),
    },
    join: jest.fn<Call["join"]>(async () => undefined),
    leave: jest.fn(),
    close: jest.fn(),
    prepare: done(),
    changePreferences: done(),
    setMuted: jest.fn<Call["setMuted"]>(async () => undefined),
    setListening: jest.fn<Call["setListening"]>(async () => undefined),
    setPushed: jest.fn<Call["setPushed"]>(async () => undefined),
    setBlocked: jest.fn(),
    setMutedForMe: jest.fn(),
    setPersonVolume: jest.fn(),
    sendText: jest.fn<Call["sendText"]>(async () => undefined),
    resume: done(),
    retry: jest.fn(),
    isBlocked: (_userId: string) => false,
    isMutedForMe: (_userId: string) => false,
    listFingerprints: () => undefined,
    listenToLevels(listener: (levels: Levels) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    fake,
    // What the screens use of it.
    call: fake as unknown as Call,
    become: (state: RoomState) => act(() => store.dispatch({ type: "set", state })),
    setMicrophone: (change: Partial<MicrophoneState>) => act(() => microphone.dispatch(change)),
    publishLevels: (levels: Record<string, number>) =>
      act(() => {
        for (const listener of [...listeners]) listener(new Map(Object.entries(levels)));
      }),
  };
}
