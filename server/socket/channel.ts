import type * as z from "zod/mini";
import type { ChannelReason } from "#contract/socket.ts";
import type { SignedIn } from "../base/actor.ts";
import type { PresenceEntry } from "./presence.ts";

/** Events that a channel sends, each with the schema of its payload; `bytes` for binary ones. */
export type Sends = Readonly<Record<string, z.ZodMiniType>>;

/** Query parameters of the connection, without its tokens. */
export type ConnectionParams = Readonly<Record<string, string>>;

/** A request to join a topic, and who makes it. */
export interface JoinRequest {
  topic: string;
  /** What stands in the place of `{…}` in the channel's topic. */
  params: Readonly<Record<string, string>>;
  person: SignedIn;
  connectionParams: ConnectionParams;
  /** As the client sent it: any JSON. */
  payload: unknown;
  /** Who is present in the topic, over all processes. */
  listPresence(): Iterable<PresenceEntry>;
}

/** One joined topic of one connection: somebody in a room, with one tab. */
export interface Member<State, S extends Sends> {
  /** Unique over all processes. */
  readonly id: string;
  readonly topic: string;
  readonly params: Readonly<Record<string, string>>;
  /** As they are now: a changed level shows here. */
  readonly person: SignedIn;
  /** What messages to one person are addressed to, and their presence; the person's id as text where the channel says nothing else. */
  readonly key: string;
  state: State;
  /** To this member alone. */
  push<E extends keyof S & string>(event: E, payload: z.input<S[E]>): void;
  /** To all members of the topic, this one too. */
  broadcast<E extends keyof S & string>(event: E, payload: z.input<S[E]>): void;
  /** To all but this one; another tab of the same person gets it. */
  broadcastFrom<E extends keyof S & string>(event: E, payload: z.input<S[E]>): void;
  /** To all members with that key: every tab of one person. */
  sendTo<E extends keyof S & string>(key: string, event: E, payload: z.input<S[E]>): void;
  /** Makes this member present, or changes what is said of them. Others receive it within the presence window. */
  track(meta: Readonly<Record<string, unknown>>): void;
  untrack(): void;
  /** Who is present, this member too where they are tracked. */
  listPresence(): Iterable<PresenceEntry>;
  /** Sends `presence_state`, which clients need once, behind the reply of the join. */
  pushPresenceState(): void;
  /** Ends the membership for good: `phx_close`, after which a client doesn't join again by itself. */
  close(): void;
}

/**
 * How a membership ended: the client left, joined the same topic again, was closed for good, crashed, or its connection is
 * gone. `unseen`: the connection was gone before the join was answered, so nobody was ever notified of this member. `moved`: another process
 * keeps the topic from now on, and the client joins again there, as behind a restart.
 */
export type LeaveReason = "left" | "replaced" | "closed" | "crashed" | "gone" | "unseen" | "moved";

export interface Accepted<State> {
  isAccepted: true;
  state: State;
  response: unknown;
  key: string | undefined;
}

export interface Refused {
  isAccepted: false;
  reason: string;
  detail: string | undefined;
}

export function accept<State>(
  state: State,
  options: { response?: unknown; key?: string } = {},
): Accepted<State> {
  return { isAccepted: true, state, response: options.response ?? {}, key: options.key };
}

/**
 * The client gets `{ reason }`, one of the documented words; those of `FINAL_REASONS` make ours leave the channel. `detail`
 * stands beside it and says more to who knows the word.
 */
export function refuse(reason: ChannelReason, detail?: string): Refused {
  return { isAccepted: false, reason, detail };
}

/** What a handler answers; nothing, and the client gets nothing. */
export type Outcome = HandlerReply | Stop | undefined;

export interface HandlerReply {
  kind: "reply";
  status: string;
  response: unknown;
}

export interface Stop {
  kind: "stop";
  /** A crash makes the client join again (`phx_error`), an end doesn't (`phx_close`). */
  isCrash: boolean;
  reply: HandlerReply | undefined;
}

export function ok(response: unknown = {}): HandlerReply {
  return { kind: "reply", status: "ok", response };
}

export function fail(reason: ChannelReason): HandlerReply {
  return { kind: "reply", status: "error", response: { reason } };
}

export function stop(options: { isCrash?: boolean; reply?: HandlerReply } = {}): Stop {
  return { kind: "stop", isCrash: options.isCrash ?? false, reply: options.reply };
}

// biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers nothing has no return statement
export type HandlerResult = Outcome | void | Promise<Outcome | void>;

export interface EventDeclaration<Schema extends z.ZodMiniType, State, S extends Sends> {
  schema: Schema;
  /** Reason of a payload with a fault other than a missing field, which is always `missing_required_fields`. */
  invalid?: ChannelReason;
  handle(member: Member<State, S>, payload: z.output<Schema>): HandlerResult;
}

/**
 * A kind of topic. Everything that the protocol asks for (order, refs, duplicate joins, crashes) is the socket's; a channel
 * says who may join, what it does with each event, and what it sends.
 */
export interface ChannelDeclaration<
  State,
  S extends Sends,
  Events extends Readonly<Record<string, z.ZodMiniType>>,
> {
  /** Literal text with `{name}` for a part without a colon: `voice:room:{room}`. */
  topic: string;
  /**
   * Of several processes one keeps all members of a topic, wherever their clients are connected: they share its memory, and presence and
   * broadcasts are whole. Without it each process keeps its own.
   */
  isHomed?: true;
  sends: S;
  /** Whether somebody may join. A thrown error answers "join crashed" and is logged. */
  join(request: JoinRequest): Accepted<State> | Refused | Promise<Accepted<State> | Refused>;
  /** Runs at once behind the reply, before anything else reaches the new member. */
  joined?(member: Member<State, S>): void;
  /** Asked again when the person has changed; false ends the membership. Without it, members stay. */
  mayStay?(member: Member<State, S>): boolean;
  /** Receives what `Sockets.signal` sends, in whichever process the member is. */
  signalled?(member: Member<State, S>, event: string, payload: unknown): void;
  /** Frees what `join` took. Runs once for each accepted join. */
  left?(member: Member<State, S>, why: LeaveReason): void;
  events: { readonly [E in keyof Events]: EventDeclaration<Events[E], State, S> };
  /** Events of other names. Without it they are answered `unknown_event_type`. */
  otherwise?(member: Member<State, S>, event: string, payload: unknown): HandlerResult;
}

/** A channel whose own types are nobody's concern any more. */
export type Channel = ChannelDeclaration<unknown, Sends, Readonly<Record<string, z.ZodMiniType>>>;

/** Declares a channel; its types follow from `join`, `sends` and the schemas of its events. */
export function declareChannel<
  State,
  const S extends Sends,
  const Events extends Readonly<Record<string, z.ZodMiniType>>,
>(declaration: ChannelDeclaration<State, S, Events>): Channel {
  // A channel gets only members that its own join made, so their state is of its own type.
  return declaration as unknown as Channel;
}

/** A channel, and what stands in the place of `{…}` in its topic. */
export interface Match {
  channel: Channel;
  params: Readonly<Record<string, string>>;
}

/** `voice:room:{room}`: everything but `{name}` is literal, and a name holds no colon. @throws Error for other signs. */
function toPattern(topic: string): RegExp {
  if (!/^([\w:-]|\{\w+\})+$/.test(topic)) throw new Error(`${topic} is no topic of a channel`);
  return new RegExp(`^${topic.replaceAll(/\{(\w+)\}/g, "(?<$1>[^:]+)")}$`);
}

/** Finds the channel of a topic; the first one that was declared wins. */
export function createTopicTable(channels: readonly Channel[]): (topic: string) => Match | undefined {
  const table = channels.map((channel) => ({ channel, pattern: toPattern(channel.topic) }));
  return (topic) => {
    for (const { channel, pattern } of table) {
      const match = pattern.exec(topic);
      if (match) return { channel, params: { ...match.groups } };
    }
    return undefined;
  };
}

type Read = { isValid: true; payload: unknown } | { isValid: false; reason: ChannelReason };

/** What stands at a path, undefined where nothing does. */
function readAt(payload: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      // Anything with properties; what was sent is JSON, and has none of its own making.
      typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[name] : undefined,
    payload,
  );
}

function isMissing(payload: unknown, { path }: { path: readonly PropertyKey[] }): boolean {
  return path.length === 0 || readAt(payload, path) === undefined;
}

/**
 * Checks an event's payload.
 * @returns the payload, or the documented reason: a field that isn't there goes before one that is wrong.
 */
export function readPayload(
  schema: z.ZodMiniType,
  payload: unknown,
  invalid: ChannelReason = "missing_required_fields",
): Read {
  const result = schema.safeParse(payload);
  if (result.success) return { isValid: true, payload: result.data };
  const hasGap = result.error.issues.some((issue) => isMissing(payload, issue));
  return { isValid: false, reason: hasGap ? "missing_required_fields" : invalid };
}
