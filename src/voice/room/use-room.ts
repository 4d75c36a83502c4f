import {
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import * as z from "zod/mini";
import type { VoicePreferences } from "#contract/accounts/accounts.ts";
import {
  iceServer,
  LOBBY_SENDS,
  LOBBY_TOPIC,
  lobbyAnswer,
  type VoiceRoom,
  voiceRoom,
} from "#contract/voice/rooms.ts";
import { HttpError } from "#providers/http/http.ts";
import { receive } from "#providers/socket/topic.ts";
import { Call } from "../call/call.ts";
import type { CallDeps } from "../call/call-deps.ts";
import type { RoomState } from "../call/room-state.ts";
import type { Entered } from "../parts/status.tsx";
import { useOwnPerson, useVoiceServices } from "../voice-context.tsx";

/** Of `GET …/token`: a browser that is in the room needs no ticket. */
const ticketIce = z.object({ ice_servers: z.array(iceServer) });

export interface CallOptions {
  room: VoiceRoom;
  preferences: VoicePreferences;
  blocked: readonly string[];
  /** Tests bring their own. */
  createCall?: (deps: CallDeps) => Call;
}

/** The call of a room's screen: made with it, left with it. */
export function useCall({ room, preferences, blocked, createCall }: CallOptions): Call {
  const { http, socket } = useVoiceServices();
  const person = useOwnPerson();
  const path = `/voice/rooms/${encodeURIComponent(room.slug)}`;
  const [call] = useState(() => {
    const deps: CallDeps = {
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
    return createCall ? createCall(deps) : new Call(deps);
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
      // What is shown stays; whoever joins is shown what stands against it.
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
    const ifOurs = (room: { id: string }, notify: () => void) =>
      room.id === id && latest.current.isOutside && notify();
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

const PLACES = "section, li, dialog";

function isDisabled(element: Element): boolean {
  return element.matches(":disabled");
}

/** The heading of the innermost part that is still there; the page's where none is. */
function findHeading(places: readonly Element[], root: Element): HTMLElement | null {
  const place = places.find((one) => one.isConnected && one.querySelector("h1, h2")) ?? root;
  return place.querySelector<HTMLElement>("h1, h2");
}

/**
 * What a person works with may vanish under them (a banner that is put away, a button whose work is done) or be disabled for a
 * while: the focus then goes to the heading of its part, or back to it, and not to the page's beginning.
 */
export function useKeptFocus(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = ref.current;
    if (!root) return;
    let last: { element: HTMLElement; places: Element[]; wasDisabled: boolean } | undefined;

    const onFocusIn = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      const places: Element[] = [];
      for (let place = target.closest(PLACES); place; place = place.parentElement?.closest(PLACES) ?? null)
        places.push(place);
      last = { element: target, places, wasDisabled: false };
    };
    // A press on nothing takes the focus too, and is meant so.
    const onPress = () => {
      if (document.activeElement === document.body) last = undefined;
    };
    const observer = new MutationObserver(() => {
      if (!last || (document.activeElement !== document.body && document.activeElement !== last.element))
        return;
      const { element, places } = last;
      if (element.isConnected) {
        if (isDisabled(element)) last.wasDisabled = true;
        else if (last.wasDisabled) element.focus({ preventScroll: true });
        return;
      }
      const heading = findHeading(places, root);
      if (!heading) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    });

    root.addEventListener("focusin", onFocusIn);
    document.addEventListener("pointerup", onPress);
    observer.observe(root, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ["disabled"],
    });
    return () => {
      root.removeEventListener("focusin", onFocusIn);
      document.removeEventListener("pointerup", onPress);
      observer.disconnect();
    };
  }, [ref]);
}
