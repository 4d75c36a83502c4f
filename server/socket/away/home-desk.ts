import type { SignedIn } from "../../base/actor.ts";
import type { Match } from "../channel.ts";
import {
  DecodeError,
  decode,
  type Incoming,
  type Ref,
  type Serializer,
  serializerV1,
  serializerV2,
  type WireData,
} from "../serializer.ts";
import type { Admission, SocketRules } from "../sockets.ts";
import { type SlotConnection, TopicSlot } from "../topic-slot.ts";
import type { Topics } from "../topics.ts";
import { CLOSE, type CloseCode, type SharedMessage, type Transport } from "../transport.ts";
import type { Homes, ProcessLink } from "./homes.ts";
import {
  fromCarried,
  type SlotOpening,
  TO_HOME,
  TO_ORIGIN,
  type ToHome,
  type ToOrigin,
  toCarried,
} from "./wire.ts";

interface HomeDeps {
  link: ProcessLink;
  homes: Homes;
  topics: Topics;
  rules: Pick<SocketRules, "maxBufferedBytes">;
  findChannel(topic: string): Match | undefined;
  log: SlotConnection["log"];
}

/** What goes to one process: what the members of a broadcast get is carried once for all of them. */
class Outbox {
  readonly #flush: (messages: readonly ToOrigin[]) => void;
  readonly #touched = new Set<AwayConnection>();
  #messages: ToOrigin[] = [];
  #last: { slots: number[]; data: WireData } | undefined;

  constructor(flush: (messages: readonly ToOrigin[]) => void) {
    this.#flush = flush;
  }

  send(connection: AwayConnection, data: WireData): void {
    this.touch(connection);
    if (this.#last?.data === data) {
      this.#last.slots.push(connection.slotId);
      return;
    }
    const slots = [connection.slotId];
    this.#last = { slots, data };
    this.#messages.push({ slots, data: toCarried(data) });
  }

  add(message: ToOrigin): void {
    this.#last = undefined;
    this.#messages.push(message);
    this.#runLater();
  }

  /** Its slot may be free at the end of the turn. */
  touch(connection: AwayConnection): void {
    this.#touched.add(connection);
    this.#runLater();
  }

  #isWaiting = false;
  #runLater(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    queueMicrotask(() => this.#run());
  }

  #run(): void {
    for (const { slot, slotId, received } of this.#touched)
      if (slot.isFree) this.#messages.push({ slot: slotId, freeBehind: received });
    this.#touched.clear();
    const messages = this.#messages;
    this.#messages = [];
    this.#last = undefined;
    this.#isWaiting = false;
    if (messages.length > 0) this.#flush(messages);
  }
}

/** Of the messages that wait here for one client's handlers, in all of its topics. */
interface Waiting {
  bytes: number;
  slots: number;
}

/** One topic of a connection that another process holds. */
class AwayConnection implements SlotConnection {
  readonly slotId: number;
  readonly slot: TopicSlot;
  readonly topic: string;
  readonly admission: Admission;
  readonly transport: Transport;
  readonly serializer: Serializer;
  readonly topics: Topics;
  readonly log: SlotConnection["log"];
  person: SignedIn;
  hasEnded = false;
  received = 0;
  readonly #deps: HomeDeps;
  readonly #outbox: Outbox;
  readonly waiting: Waiting;
  /** Its number in its process. */
  readonly client: number;

  constructor(deps: HomeDeps, outbox: Outbox, waiting: Waiting, slotId: number, open: SlotOpening) {
    const { topic, person, params, version } = open;
    this.slotId = slotId;
    this.topic = String(topic);
    this.topics = deps.topics;
    this.log = deps.log;
    this.person = person;
    this.serializer = version === "1" ? serializerV1 : serializerV2;
    this.admission = { person, params, serializer: this.serializer };
    this.#deps = deps;
    this.#outbox = outbox;
    this.waiting = waiting;
    this.client = open.connection;
    this.transport = {
      send: (data) => outbox.send(this, data),
      sendShared: (message: SharedMessage) => outbox.send(this, message.encode(this.serializer)),
      close: (code) => this.close(code),
    };
    this.slot = new TopicSlot(this, () => outbox.touch(this));
  }

  receive(data: string | Buffer): void {
    this.received += 1;
    this.#outbox.touch(this);
    try {
      this.slot.receive(decode(this.serializer, data), data.length);
    } catch (error) {
      if (error instanceof DecodeError) this.close(CLOSE.internal);
      else this.fail(error);
    }
  }

  fail(error: unknown): void {
    this.log.error({ err: error }, "a message broke its connection");
    this.close(CLOSE.internal);
  }

  close(code: CloseCode): void {
    if (!this.hasEnded) this.#outbox.add({ slot: this.slotId, close: code });
  }

  hold(bytes: number): void {
    this.waiting.bytes += bytes;
    if (this.waiting.bytes > this.#deps.rules.maxBufferedBytes) this.close(CLOSE.policy);
  }

  end(): void {
    this.hasEnded = true;
    this.slot.end();
  }

  findChannel(topic: string): Match | undefined {
    return this.#deps.findChannel(topic);
  }

  reply({ ref, topic }: Incoming, joinRef: Ref, status: string, response: unknown): void {
    if (!this.hasEnded)
      this.transport.send(this.serializer.encodeReply({ joinRef, ref, topic, status, response }));
  }
}

interface Origin {
  outbox: Outbox;
  /** By their slots. */
  connections: Map<number, AwayConnection>;
  /** By the numbers of clients. */
  waiting: Map<number, Waiting>;
}

/** The members here whose clients are connected to other processes. */
export function openHomeDesk(deps: HomeDeps): void {
  const { link, homes } = deps;
  const origins = new Map<string, Origin>();

  function openOrigin(address: string): Origin {
    const outbox = new Outbox((messages) => link.send(address, TO_ORIGIN, messages));
    const origin: Origin = { outbox, connections: new Map(), waiting: new Map() };
    origins.set(address, origin);
    return origin;
  }

  function receive(from: string, { slot, data, open }: Extract<ToHome, { data: unknown }>): void {
    const origin = origins.get(from) ?? openOrigin(from);
    let connection = origin.connections.get(slot);
    if (!connection) {
      if (!open) {
        origin.outbox.add({ slot, isUnknown: true });
        return;
      }
      const waiting = origin.waiting.get(open.connection) ?? { bytes: 0, slots: 0 };
      waiting.slots += 1;
      origin.waiting.set(open.connection, waiting);
      connection = new AwayConnection(deps, origin.outbox, waiting, slot, open);
      origin.connections.set(slot, connection);
      // The other process doesn't know yet who keeps it now: the client is refused, and comes again.
      if (!homes.isHere(connection.topic)) connection.slot.moveAway();
    }
    connection.receive(fromCarried(data));
  }

  link.on(TO_HOME, (body, from) => {
    const message = body as ToHome; // of our own kind
    if ("data" in message) {
      receive(from, message);
      return;
    }
    const origin = origins.get(from);
    const connection = origin?.connections.get(message.slot);
    if (!origin || !connection) return;
    if ("isEnd" in message) {
      origin.connections.delete(message.slot);
      connection.end();
      connection.waiting.slots -= 1;
      if (connection.waiting.slots === 0) origin.waiting.delete(connection.client);
    } else {
      connection.person = message.person;
      connection.slot.review();
      origin.outbox.touch(connection);
    }
  });

  link.onGone((address) => {
    const origin = origins.get(address);
    origins.delete(address);
    for (const connection of origin?.connections.values() ?? []) connection.end();
  });

  homes.onChange(() => {
    for (const { connections } of origins.values())
      for (const { slot, topic } of connections.values()) if (!homes.isHere(topic)) slot.moveAway();
  });
}
