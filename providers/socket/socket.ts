import { SOCKET_PATH } from "#contract/socket.ts";
import type { AuthState } from "../http/auth-state.ts";
import type { Session } from "../http/session.ts";
import type { TransportClass } from "./attempt.ts";
import { createLink, type PhoenixModule, type SocketStatus } from "./link.ts";
import { createTopic, type Topic, type TopicUser } from "./topic.ts";

/** Where a page's own events arrive. */
interface PageEvents {
  window: Pick<EventTarget, "addEventListener" | "removeEventListener">;
  document: Pick<Document, "addEventListener" | "removeEventListener" | "visibilityState">;
}

/** What a page that was away asks of its connection. */
export interface ReturnHandlers {
  /** It was put away whole (back/forward cache): whatever it thinks it has is gone. */
  onRestored: () => void;
  /** It may be reachable again: the network has come back, or somebody looks at it. */
  onReturn: () => void;
}

/** @returns how to stop listening. */
function listenForReturn({ window, document }: PageEvents, handlers: ReturnHandlers): () => void {
  const onShow = (event: Event) => {
    if ("persisted" in event && event.persisted) handlers.onRestored();
  };
  const onVisible = () => {
    if (document.visibilityState === "visible") handlers.onReturn();
  };
  window.addEventListener("online", handlers.onReturn);
  window.addEventListener("pageshow", onShow);
  document.addEventListener("visibilitychange", onVisible);
  // A frozen page that thaws in sight; not every browser reports that by `visibilitychange`.
  document.addEventListener("resume", onVisible);
  return () => {
    window.removeEventListener("online", handlers.onReturn);
    window.removeEventListener("pageshow", onShow);
    document.removeEventListener("visibilitychange", onVisible);
    document.removeEventListener("resume", onVisible);
  };
}

/** Between two screens a topic is left and the next one joined: the connection outlives that. */
const LINGER_MS = 1000;

export interface JoinOptions extends TopicUser {
  /** Asked at each join, also at later ones of the same topic. Those of the first who joins count for all. */
  params?: () => object;
}

/** One use of a topic. */
export interface Membership {
  /** Rejects with PushError; what the answer's schema refuses rejects with its error. */
  push: Topic["push"];
  send: Topic["send"];
  /** Any number of times. The last one who leaves ends the topic. */
  leave(): void;
}

/** The real-time channel of the whole app (specification B section 7): one connection, opened with the first topic. */
export interface Socket {
  join(topic: string, options: JoinOptions): Membership;
  /** From now on there is a connection while somebody is signed in, also with nothing joined: the next join is one message. */
  hold(): void;
  getStatus(): SocketStatus;
  /** How often it was tried in vain since the last connection that lasted. */
  getFailedTries(): number;
  /** Calls `listener` after each change of `getStatus()`. */
  subscribe(listener: () => void): () => void;
  /** Doesn't wait for the next try. */
  tryNow(): void;
  close(): void;
}

export interface SocketOptions {
  /** Origin of the back end, as http.ts has it; empty means this site. */
  baseUrl?: string;
  session: Pick<Session, "getAccessToken" | "renewAccessToken" | "getAuthState" | "subscribe">;
  /** The protocol's client, fetched when it is first needed: pages that join nothing do without. */
  load?: () => Promise<PhoenixModule>;
  webSocket?: TransportClass;
  page?: PageEvents;
  random?: () => number;
}

/** Where the socket is: `wss://…/socket` at another origin, the path alone at this site. */
export function toSocketAddress(baseUrl: string): string {
  return baseUrl.replace(/\/$/, "").replace(/^http/, "ws") + SOCKET_PATH;
}

function readBaseUrl(): string {
  const env = import.meta.env;
  return env?.VITE_VOICE_URL || env?.VITE_API_URL || "";
}

/** A back end of voice alone reads who connects from the query (specification B section 5); this site reads it from the token. */
function toParams(user: AuthState["user"] | undefined): object {
  if (!import.meta.env?.VITE_VOICE_URL || !user) return {};
  return { user_id: String(user.id), display_name: user.display_name || user.username };
}

/** Named, so that what is not used of the client is left out of its chunk. */
async function loadPhoenix(): Promise<PhoenixModule> {
  const { Socket, LongPoll } = await import("phoenix");
  return { Socket, LongPoll };
}

export function createSocket(options: SocketOptions): Socket {
  const { session, random = Math.random, page = globalThis } = options;
  const topics = new Map<string, Topic>();
  const listeners = new Set<() => void>();
  let attach: ((topic: Topic) => void) | undefined;
  let status: SocketStatus = "idle";
  let lingering: ReturnType<typeof setTimeout> | undefined;
  let isHeld = false;
  const readUserId = () => session.getAuthState()?.user?.id;
  let userId = readUserId();

  const link = createLink({
    address: toSocketAddress(options.baseUrl ?? readBaseUrl()),
    session,
    random,
    params: () => toParams(session.getAuthState()?.user),
    load: options.load ?? loadPhoenix,
    webSocket: options.webSocket ?? globalThis.WebSocket,
    onStatus(next) {
      if (next === status) return;
      status = next;
      for (const listener of [...listeners]) listener();
    },
    onSocket(phoenix) {
      attach = (topic) => topic.attach(phoenix);
      for (const topic of topics.values()) attach(topic);
    },
  });

  function openIfWanted(): void {
    clearTimeout(lingering);
    if ((isHeld || topics.size > 0) && userId !== undefined) link.open();
  }

  function closeSoon(): void {
    clearTimeout(lingering);
    if (topics.size === 0 && !isHeld) lingering = setTimeout(link.close, LINGER_MS);
  }

  const stopFollowing = session.subscribe(() => {
    const next = readUserId();
    if (next === userId) return;
    userId = next;
    // Somebody else has other rights, so nothing of the old connection is taken along.
    link.close();
    openIfWanted();
  });
  const stopListening = listenForReturn(page, { onReturn: link.hurry, onRestored: link.restart });

  function findOrCreate(name: string, params: () => object): Topic {
    const known = topics.get(name);
    if (known) return known;
    const topic = createTopic(name, params, () => {
      if (topics.get(name) === topic) topics.delete(name);
      closeSoon();
    });
    topics.set(name, topic);
    attach?.(topic);
    return topic;
  }

  return {
    join(name, { params = () => ({}), ...user }) {
      const topic = findOrCreate(name, params);
      topic.users.add(user);
      openIfWanted();
      if (topic.state === "joined") {
        queueMicrotask(() => {
          if (topic.users.has(user) && topic.state === "joined") user.onState?.("joined", topic.answer);
        });
      }
      return {
        push: topic.push,
        send: topic.send,
        leave() {
          if (topic.users.delete(user) && topic.users.size === 0) topic.leave();
        },
      };
    },
    hold() {
      isHeld = true;
      openIfWanted();
    },
    getStatus: () => status,
    getFailedTries: () => link.tries,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tryNow: link.hurry,
    close() {
      clearTimeout(lingering);
      stopFollowing();
      stopListening();
      link.close();
    },
  };
}
