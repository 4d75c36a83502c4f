import { PresenceBatch, type PresenceChange, type PresenceEntry } from "./presence.ts";
import type { Serializer } from "./serializer.ts";
import { createSharedMessage, type Transport } from "./transport.ts";

/** A message to the members of a topic. `payload` is JSON, or bytes. */
export interface TopicMessage {
  event: string;
  payload: unknown;
  /** Id of the member who is left out: who sent it. */
  except?: string;
  /** Key of the members who alone get it. */
  only?: string;
  /** For the channel of each member, not for its client. */
  isSignal?: true;
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

/** The members of a topic that this process keeps, and who of them is present. */
class OpenTopic {
  readonly members = new Set<Subscriber>();
  readonly present = new Map<string, PresenceEntry>();
  readonly presence: PresenceBatch;
  readonly #name: string;

  constructor(name: string, presenceWindowMs: number) {
    this.#name = name;
    this.presence = new PresenceBatch(presenceWindowMs, (diff) =>
      this.onMessage({ event: "presence_diff", payload: diff }),
    );
  }

  onMessage(message: TopicMessage): void {
    if (message.isSignal) this.#signal(message);
    else if (message.only !== undefined) this.#sendTo(message.only, message);
    else this.#sendToAll(message);
  }

  #signal({ event, payload, only }: TopicMessage): void {
    for (const member of [...this.members])
      if (only === undefined || member.key === only) member.signal(event, payload);
  }

  #sendTo(key: string, { event, payload }: TopicMessage): void {
    for (const member of this.members)
      if (member.key === key && canRead(member, payload)) member.send(event, payload);
  }

  /** The hot path: for each receiver a comparison and a call, nothing is encoded or made. */
  #sendToAll({ event, payload, except }: TopicMessage): void {
    const shared = createSharedMessage({ topic: this.#name, event, payload });
    for (const member of this.members)
      if (member.id !== except && canRead(member, payload)) member.transport.sendShared(shared);
  }

  changePresence(change: PresenceChange): void {
    for (const { ref } of change.leaves) this.present.delete(ref);
    for (const entry of change.joins) this.present.set(entry.ref, entry);
    this.presence.add(change);
  }
}

/** Who is joined to what in this process. */
export interface Topics {
  add(member: Subscriber): void;
  remove(member: Subscriber): void;
  /** Reaches the members here before it returns. */
  publish(topic: string, message: TopicMessage): void;
  changePresence(topic: string, change: PresenceChange): void;
  listPresence(topic: string): Iterable<PresenceEntry>;
  /** Unique over all processes. */
  createRef(): string;
  /** From now on nothing is published here: everybody is being sent away. */
  silence(): void;
}

export function createTopics(processId: string, presenceWindowMs: number): Topics {
  const byName = new Map<string, OpenTopic>();
  let lastRef = 0;

  function open(name: string): OpenTopic {
    const topic = new OpenTopic(name, presenceWindowMs);
    byName.set(name, topic);
    return topic;
  }

  function close(name: string, topic: OpenTopic): void {
    byName.delete(name);
    topic.presence.drop();
  }

  return {
    add: (member) => void (byName.get(member.topic) ?? open(member.topic)).members.add(member),
    remove(member) {
      const topic = byName.get(member.topic);
      topic?.members.delete(member);
      if (topic?.members.size === 0) close(member.topic, topic);
    },
    publish: (topic, message) => byName.get(topic)?.onMessage(message),
    changePresence: (topic, change) => byName.get(topic)?.changePresence(change),
    listPresence: (topic) => byName.get(topic)?.present.values() ?? [],
    createRef: () => `${processId}${(++lastRef).toString(36)}`,
    silence() {
      for (const [name, topic] of byName) {
        close(name, topic);
        topic.members.clear();
      }
    },
  };
}
