import type { Channel, Socket as PhoenixSocket } from "phoenix";
import * as z from "zod/mini";
import { FINAL_REASONS } from "#contract/socket.ts";
import type { Parser } from "../http/http.ts";

/** Takes one event's payload as it came; false: not what its schema says. `receive` makes one. */
export type EventHandler = (payload: unknown) => boolean;

/** `waiting`: for a connection, or to join again. `closed`: for good; whoever wants it back joins anew. */
export type TopicState = "waiting" | "joined" | "closed";

export interface TopicUser {
  /** By the event's name. */
  on: Readonly<Record<string, EventHandler>>;
  /**
   * Called for each change, and for every join, also one behind a loss of which nothing else was seen. `answer` is what the
   * server said: of a join its response, of a refusal `{ reason }` with whatever stands beside it; undefined where it said
   * nothing.
   */
  onState?: (state: TopicState, answer?: unknown) => void;
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
  /** Of the last join. */
  readonly answer: unknown;
  readonly users: Set<TopicUser>;
  /** Joins as soon as there is a connection. */
  attach(socket: PhoenixSocket): void;
  /** Waits for the answer. Nothing is kept for later: without a joined topic it rejects with `not_connected`. */
  push<T>(event: string, payload: object, answer: Parser<T>): Promise<T>;
  /** Waits for nothing. @returns false where the topic is not joined: what is dropped then is out of date when it is again. */
  send(event: string, payload: object): boolean;
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
  let socket: PhoenixSocket | undefined;
  let channel: Channel | undefined;
  let state: TopicState = "waiting";
  let answer: unknown;

  function setState(next: TopicState, said?: unknown): void {
    state = next;
    for (const user of [...users]) user.onState?.(next, said);
  }

  /** Left, closed by the server, or refused: the client doesn't join it again. */
  function end(said?: unknown): void {
    if (state === "closed") return;
    onEnd();
    setState("closed", said);
  }

  function refuse(said: unknown): void {
    if (FINAL_REASONS.has(readReason(said))) {
      end(said);
      // Else the client would join again for ever.
      channel?.leave();
    } else setState("waiting", said);
  }

  function isJoined(): boolean {
    return state === "joined" && socket?.isConnected() === true;
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
    get answer() {
      return answer;
    },
    users,
    attach(phoenix) {
      if (channel) return;
      socket = phoenix;
      channel = phoenix.channel(name, params);
      channel.onMessage = (event, payload) => {
        dispatch(event, payload);
        return payload;
      };
      channel.onError(() => setState("waiting"));
      channel.onClose(() => end());
      channel
        .join()
        .receive("ok", (response) => {
          answer = response;
          setState("joined", response);
        })
        .receive("error", refuse)
        .receive("timeout", () => setState("waiting", { reason: "timeout" }));
    },
    async push(event, payload, schema) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      // The client itself would keep it and send it behind the next join.
      if (!channel || !isJoined()) throw new PushError("not_connected");
      channel
        .push(event, payload)
        .receive("ok", resolve)
        .receive("error", (response) => reject(new PushError(readReason(response))))
        .receive("timeout", () => reject(new PushError("timeout")));
      return schema.parse(await promise);
    },
    send(event, payload) {
      if (!socket || !channel || !isJoined()) return false;
      // Past the channel, which would wait 10 s for an answer to each. The types are behind: the client has joinRef().
      const join_ref = (channel as Channel & { joinRef(): string }).joinRef();
      socket.push({ topic: name, event, payload, ref: socket.makeRef(), join_ref });
      return true;
    },
    leave() {
      if (state === "closed") return;
      channel?.leave();
      end();
    },
  };
}
