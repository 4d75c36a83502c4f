import { PresenceBatch, type PresenceChange, type PresenceEntry } from "./presence.ts";
import type { Serializer } from "./serializer.ts";
import { createSharedMessage, type Transport } from "./transport.ts";

/** A message to the members of a topic, wherever they are connected. `payload` is JSON, or bytes. */
export interface BusMessage {
  event: string;
  payload: unknown;
  /** Id of the member who is left out: who sent it. */
  except?: string;
  /** Key of the members who alone get it. */
  only?: string;
  /** For the channel of each member, not for its client. */
  isSignal?: true;
}

interface BusListener {
  onMessage(message: BusMessage): void;
  onPresence(change: PresenceChange): void;
}

/**
 * What joins the processes of a site: messages to topics, and who is present in them. In one process it is a map; with
 * several, Redis will carry the same calls, and nothing above this interface changes.
 */
export interface Bus {
  /** Receives what is sent to a topic, in the order of each sender. At most one listener per topic and process. */
  subscribe(topic: string, listener: BusListener): () => void;
  /** Reaches the listener of this process before it returns. */
  publish(topic: string, message: BusMessage): void;
  changePresence(topic: string, change: PresenceChange): void;
  /** Who is present, over all processes, as far as this one knows. */
  listPresence(topic: string): Iterable<PresenceEntry>;
}

/** The bus of a single process. */
export function createLocalBus(): Bus {
  const listeners = new Map<string, BusListener>();
  const present = new Map<string, Map<string, PresenceEntry>>();

  return {
    subscribe(topic, listener) {
      listeners.set(topic, listener);
      return () => {
        if (listeners.get(topic) === listener) listeners.delete(topic);
      };
    },
    publish: (topic, message) => listeners.get(topic)?.onMessage(message),
    changePresence(topic, change) {
      const entries = present.get(topic) ?? new Map<string, PresenceEntry>();
      for (const { ref } of change.leaves) entries.delete(ref);
      for (const entry of change.joins) entries.set(entry.ref, entry);
      if (entries.size > 0) present.set(topic, entries);
      else present.delete(topic);
      listeners.get(topic)?.onPresence(change);
    },
    listPresence: (topic) => present.get(topic)?.values() ?? [],
  };
}

/** What a topic needs of its members. */
export interface Subscriber {
  readonly id: string;
  readonly topic: string;
  readonly key: string;
  readonly serializer: Serializer;
  readonly transport: Transport;
  /** One message for this member alone, with its own join_ref. */
  send(event: string, payload: unknown): void;
  /** Notifies its channel. */
  signal(event: string, payload: unknown): void;
}

/** Version 1 has no binary messages: its clients go without. */
function canRead({ serializer }: Subscriber, payload: unknown): boolean {
  return serializer.version !== "1" || !(payload instanceof Uint8Array);
}

/** The members of a topic who are connected to this process. */
class LocalTopic implements BusListener {
  readonly members = new Set<Subscriber>();
  readonly presence: PresenceBatch;
  unsubscribe: () => void = () => undefined;
  readonly #name: string;

  constructor(name: string, presenceWindowMs: number) {
    this.#name = name;
    this.presence = new PresenceBatch(presenceWindowMs, (diff) =>
      this.onMessage({ event: "presence_diff", payload: diff }),
    );
  }

  onMessage(message: BusMessage): void {
    if (message.isSignal) this.#signal(message);
    else if (message.only !== undefined) this.#sendTo(message.only, message);
    else this.#sendToAll(message);
  }

  #signal({ event, payload, only }: BusMessage): void {
    for (const member of [...this.members])
      if (only === undefined || member.key === only) member.signal(event, payload);
  }

  #sendTo(key: string, { event, payload }: BusMessage): void {
    for (const member of this.members)
      if (member.key === key && canRead(member, payload)) member.send(event, payload);
  }

  /** The hot path: for each receiver a comparison and a call, nothing is encoded or made. */
  #sendToAll({ event, payload, except }: BusMessage): void {
    const shared = createSharedMessage({ topic: this.#name, event, payload });
    for (const member of this.members)
      if (member.id !== except && canRead(member, payload)) member.transport.sendShared(shared);
  }

  onPresence(change: PresenceChange): void {
    this.presence.add(change);
  }
}

/** Who is joined to what in this process, between the bus and the members. */
export interface Topics {
  add(member: Subscriber): void;
  remove(member: Subscriber): void;
  publish(topic: string, message: BusMessage): void;
  changePresence(topic: string, change: PresenceChange): void;
  listPresence(topic: string): Iterable<PresenceEntry>;
  /** Unique over all processes. */
  createRef(): string;
  /** From now on nothing is published here: everybody is being sent away. */
  silence(): void;
}

export function createTopics(bus: Bus, processId: string, presenceWindowMs: number): Topics {
  const byName = new Map<string, LocalTopic>();
  let lastRef = 0;

  function open(name: string): LocalTopic {
    const topic = new LocalTopic(name, presenceWindowMs);
    byName.set(name, topic);
    topic.unsubscribe = bus.subscribe(name, topic);
    return topic;
  }

  function close(name: string, topic: LocalTopic): void {
    byName.delete(name);
    topic.unsubscribe();
    topic.presence.drop();
  }

  return {
    add: (member) => void (byName.get(member.topic) ?? open(member.topic)).members.add(member),
    remove(member) {
      const topic = byName.get(member.topic);
      topic?.members.delete(member);
      if (topic?.members.size === 0) close(member.topic, topic);
    },
    publish: (topic, message) => bus.publish(topic, message),
    changePresence: (topic, change) => bus.changePresence(topic, change),
    listPresence: (topic) => bus.listPresence(topic),
    createRef: () => `${processId}${(++lastRef).toString(36)}`,
    silence() {
      for (const [name, topic] of byName) {
        close(name, topic);
        topic.members.clear();
      }
    },
  };
}
