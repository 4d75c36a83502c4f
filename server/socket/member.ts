import type { SignedIn } from "../base/actor.ts";
import type { Channel, Member, Sends } from "./channel.ts";
import { type PresenceEntry, toPresenceState } from "./presence.ts";
import type { Ref, Serializer } from "./serializer.ts";
import type { Subscriber, Topics } from "./topics.ts";
import type { Transport } from "./transport.ts";

/** What a member needs of its connection. */
export interface MemberConnection {
  readonly person: SignedIn;
  readonly transport: Transport;
  readonly serializer: Serializer;
  readonly topics: Topics;
}

export interface MemberDeps {
  connection: MemberConnection;
  /** Ends it for good: `phx_close`. */
  close: (member: ChannelMember) => void;
  /** Runs the channel's `signalled`. */
  signal: (member: ChannelMember, event: string, payload: unknown) => void;
  channel: Channel;
  topic: string;
  params: Readonly<Record<string, string>>;
  /** As the client sent it: messages of the client must bear this one, or none. */
  givenJoinRef: Ref;
  /** What messages to the client bear. */
  joinRef: Ref;
  key: string | undefined;
  state: unknown;
}

/** One joined topic of one connection. */
export class ChannelMember implements Member<unknown, Sends>, Subscriber {
  readonly id: string;
  readonly topic: string;
  readonly params: Readonly<Record<string, string>>;
  readonly key: string;
  readonly channel: Channel;
  readonly givenJoinRef: Ref;
  readonly joinRef: Ref;
  readonly transport: Transport;
  readonly serializer: Serializer;
  state: unknown;
  /** Nothing reaches it any more. */
  hasLeft = false;
  readonly #connection: MemberConnection;
  readonly #close: (member: ChannelMember) => void;
  readonly #signal: MemberDeps["signal"];
  #entry: PresenceEntry | undefined;

  constructor(deps: MemberDeps) {
    const { connection } = deps;
    this.#connection = connection;
    this.#close = deps.close;
    this.#signal = deps.signal;
    this.id = connection.topics.createRef();
    this.topic = deps.topic;
    this.params = deps.params;
    this.key = deps.key ?? String(connection.person.userId);
    this.channel = deps.channel;
    this.givenJoinRef = deps.givenJoinRef;
    this.joinRef = deps.joinRef;
    this.transport = connection.transport;
    this.serializer = connection.serializer;
    this.state = deps.state;
  }

  get person(): SignedIn {
    return this.#connection.person;
  }

  /** To this member, with its own join_ref. */
  send(event: string, payload: unknown): void {
    const { joinRef, topic } = this;
    this.transport.send(this.serializer.encodePush({ joinRef, ref: null, topic, event, payload }));
  }

  /** That it has ended. Both refs are the join_ref as the client sent it, null too. */
  sendEnd(event: "phx_close" | "phx_error", payload: object): void {
    const { givenJoinRef, topic } = this;
    const refs = { joinRef: givenJoinRef, ref: givenJoinRef };
    this.transport.send(this.serializer.encodePush({ ...refs, topic, event, payload }));
  }

  push(event: string, payload: unknown): void {
    if (!this.hasLeft) this.send(event, payload);
  }

  broadcast(event: string, payload: unknown): void {
    this.#connection.topics.publish(this.topic, { event, payload });
  }

  broadcastFrom(event: string, payload: unknown): void {
    this.#connection.topics.publish(this.topic, { event, payload, except: this.id });
  }

  sendTo(key: string, event: string, payload: unknown): void {
    this.#connection.topics.publish(this.topic, { event, payload, only: key });
  }

  track(meta: Readonly<Record<string, unknown>>): void {
    if (this.hasLeft) return;
    const { topics } = this.#connection;
    const former = this.#entry;
    const ref = topics.createRef();
    const entry = { key: this.key, ref, meta, ...(former && { previousRef: former.ref }) };
    this.#entry = entry;
    topics.changePresence(this.topic, { joins: [entry], leaves: former ? [former] : [] });
  }

  untrack(): void {
    const former = this.#entry;
    if (!former) return;
    this.#entry = undefined;
    this.#connection.topics.changePresence(this.topic, { joins: [], leaves: [former] });
  }

  listPresence(): Iterable<PresenceEntry> {
    return this.#connection.topics.listPresence(this.topic);
  }

  pushPresenceState(): void {
    this.push("presence_state", toPresenceState(this.listPresence()));
  }

  signal(event: string, payload: unknown): void {
    this.#signal(this, event, payload);
  }

  close(): void {
    this.#close(this);
  }

  /** Takes it out of its topic. The channel's own `left` is the connection's to call. */
  detach(): void {
    this.hasLeft = true;
    this.#connection.topics.remove(this);
    this.untrack();
  }
}
