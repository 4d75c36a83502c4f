import type { Bus, BusListener, BusMessage } from "./bus.ts";
import { PresenceBatch, type PresenceChange, type PresenceEntry } from "./presence.ts";
import type { Serializer } from "./serializer.ts";
import { createSharedMessage } from "./shared-message.ts";
import type { Transport } from "./transport.ts";

/** What a topic needs of its members. */
export interface Subscriber {
  readonly id: string;
  readonly topic: string;
  readonly key: string;
  readonly serializer: Serializer;
  readonly transport: Transport;
  /** One message for this member alone, with its own join_ref. */
  send(event: string, payload: unknown): void;
  /** Tells its channel. */
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
  /** From now on nobody here is told of anything: everybody is being sent away. */
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
