import type { Channel, Socket as PhoenixSocket } from "phoenix";
import * as z from "zod/mini";
import { FINAL_REASONS } from "#contract/socket.ts";
import type { Parser } from "./http.ts";

/** Takes one event's payload as it came; false: not what its schema says. `receive` makes one. */
export type EventHandler = (payload: unknown) => boolean;

/** `waiting`: for a connection, or to join again. `closed`: for good; whoever wants it back joins anew. */
export type TopicState = "waiting" | "joined" | "closed";

export interface TopicUser {
  /** By the event's name. */
  on: Readonly<Record<string, EventHandler>>;
  /** Told of each change, and of every join, also one behind a loss of which nothing else was seen. */
  onState?: (state: TopicState) => void;
}

/** What a push came to. `reason` is the server's, or `not_connected`, or `timeout` after 10 s without an answer. */
export class PushError extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`The message was not taken: ${reason}`);
    this.name = "PushError";
    this.reason = reason;
  }
}

/** One topic of the socket, shared by all who use it: a second channel of the same topic would end the first one. */
export interface Topic {
  readonly state: TopicState;
  readonly users: Set<TopicUser>;
  /** Joins as soon as there is a connection. */
  attach(socket: PhoenixSocket): void;
  push<T>(event: string, payload: object, answer: Parser<T>): Promise<T>;
  leave(): void;
}

/** Reads a payload by its schema before `handle` sees it. */
export function receive<T>(schema: z.ZodMiniType<T>, handle: (payload: T) => void): EventHandler {
  return (payload) => {
    const read = schema.safeParse(payload);
    if (read.success) handle(read.data);
    return read.success;
  };
}

const refusal = z.object({ reason: z.string() });

function readReason(response: unknown): string {
  return refusal.safeParse(response).data?.reason ?? "unknown";
}

export function createTopic(name: string, params: () => object, onEnd: () => void): Topic {
  const users = new Set<TopicUser>();
  let channel: Channel | undefined;
  let state: TopicState = "waiting";

  function setState(next: TopicState): void {
    state = next;
    for (const user of [...users]) user.onState?.(next);
  }

  /** Left, closed by the server, or refused: the client doesn't join it again. */
  function end(): void {
    if (state === "closed") return;
    onEnd();
    setState("closed");
  }

  function refuse(reason: string): void {
    // Else the client would join again for ever.
    if (FINAL_REASONS.has(reason)) channel?.leave();
  }

  function dispatch(event: string, payload: unknown): void {
    for (const { on } of [...users]) {
      if (!Object.hasOwn(on, event) || on[event]?.(payload)) continue;
      console.warn(`${name} sent a "${event}" that is none; it was dropped.`);
    }
  }

  return {
    get state() {
      return state;
    },
    users,
    attach(socket) {
      if (channel) return;
      channel = socket.channel(name, params);
      channel.onMessage = (event, payload) => {
        dispatch(event, payload);
        return payload;
      };
      channel.onError(() => setState("waiting"));
      channel.onClose(end);
      channel
        .join()
        .receive("ok", () => setState("joined"))
        .receive("error", (response) => refuse(readReason(response)));
    },
    async push(event, payload, answer) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      if (!channel || state === "closed") throw new PushError("not_connected");
      channel
        .push(event, payload)
        .receive("ok", resolve)
        .receive("error", (response) => reject(new PushError(readReason(response))))
        .receive("timeout", () => reject(new PushError("timeout")));
      return answer.parse(await promise);
    },
    leave() {
      if (state === "closed") return;
      channel?.leave();
      end();
    },
  };
}
