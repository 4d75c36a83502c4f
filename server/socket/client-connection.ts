import type { SignedIn } from "../base/actor.ts";
import type { Match } from "./channel.ts";
import { DecodeError, decode, type Incoming, type Ref, type Serializer, type Topic } from "./serializer.ts";
import type { Admission, Connection, Slot, SocketRules } from "./sockets.ts";
import { type SlotConnection, TopicSlot, UNMATCHED } from "./topic-slot.ts";
import type { Topics } from "./topics.ts";
import { CLOSE, type CloseCode, type Transport } from "./transport.ts";

/**
 * How many messages a client may send: `burst` at once, and `perS` more in each second. Asked for each message: 5 ns, where a call
 * of rate-limiter-flexible is 457 ns, and a window, not a bucket that refills.
 */
export class MessageBudget {
  readonly #burst: number;
  readonly #perMs: number;
  #left: number;
  #readAt: number;

  constructor(burst: number, perS: number, nowMs: number) {
    this.#burst = burst;
    this.#perMs = perS / 1000;
    this.#left = burst;
    this.#readAt = nowMs;
  }

  /** False where there is none left, or less than that. */
  take(nowMs: number, amount = 1): boolean {
    this.#left = Math.min(this.#burst, this.#left + (nowMs - this.#readAt) * this.#perMs);
    this.#readAt = nowMs;
    if (this.#left < amount) return false;
    this.#left -= amount;
    return true;
  }
}

/** What connections need of those who hold them. */
export interface ConnectionHost {
  readonly rules: SocketRules;
  readonly topics: Topics;
  readonly log: { error(details: object, message: string): void };
  /** Milliseconds. */
  clock(): number;
  findChannel(topic: string): Match | undefined;
  /** Whether this process keeps a topic. */
  isKeptHere(topic: Topic): boolean;
  /** A slot of a topic that another one keeps. */
  openAway(connection: ClientConnection, topic: Topic): Slot;
  onEnd(connection: ClientConnection): void;
}

const HEARTBEAT_TOPIC = "phoenix";
/** Offers and candidates for a full room at once; what carries them between processes is everybody's. */
const CROSSING_BURST_BYTES = 1_000_000;
const CROSSING_BYTES_PER_S = 256_000;
/** What a waiting message weighs beside its own bytes. */
const WAITING_OVERHEAD_BYTES = 500;

/** One client: reads its messages and gives each to its topic. */
export class ClientConnection implements Connection, SlotConnection {
  readonly admission: Admission;
  readonly transport: Transport;
  readonly serializer: Serializer;
  readonly topics: Topics;
  readonly log: SlotConnection["log"];
  person: SignedIn;
  hasEnded = false;
  readonly #host: ConnectionHost;
  readonly #slots = new Map<Topic, Slot>();
  readonly #budget: MessageBudget;
  /** Bytes that other processes are sent. */
  readonly #crossing: MessageBudget;
  /** Of messages that wait behind a handler or a join. */
  #waitingBytes = 0;

  constructor(host: ConnectionHost, admission: Admission, transport: Transport) {
    this.admission = admission;
    this.transport = transport;
    this.serializer = admission.serializer;
    this.topics = host.topics;
    this.log = host.log;
    this.person = admission.person;
    this.#host = host;
    const { messageBurst, messagesPerS } = host.rules;
    this.#budget = new MessageBudget(messageBurst, messagesPerS, host.clock());
    this.#crossing = new MessageBudget(CROSSING_BURST_BYTES, CROSSING_BYTES_PER_S, host.clock());
  }

  countMembers(): number {
    let count = 0;
    for (const slot of this.#slots.values()) if (slot.isJoined) count += 1;
    return count;
  }

  /** Something is joined, or is being joined. */
  get isInUse(): boolean {
    for (const slot of this.#slots.values()) if (!slot.isFree) return true;
    return false;
  }

  /** The same person with another level or name: their channels are asked whether they may stay. */
  changePerson(person: SignedIn): void {
    this.person = person;
    for (const [topic, slot] of this.#slots) {
      slot.review();
      this.#release(topic, slot);
    }
  }

  /** Topics may be kept by other processes from now on. */
  followHomes(): void {
    for (const [topic, slot] of this.#slots)
      if (slot instanceof TopicSlot && !this.#host.isKeptHere(topic)) slot.moveAway();
  }

  receive(data: string | Buffer): void {
    if (this.hasEnded) return;
    if (!this.#budget.take(this.#host.clock())) {
      this.close(CLOSE.policy);
      return;
    }
    try {
      this.#dispatch(decode(this.serializer, data), data);
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
    if (this.hasEnded) return;
    this.transport.close(code);
    this.end();
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    for (const slot of this.#slots.values()) slot.end();
    this.#slots.clear();
    this.#host.onEnd(this);
  }

  findChannel(topic: string): Match | undefined {
    return this.#host.findChannel(topic);
  }

  reply({ ref, topic }: Incoming, joinRef: Ref, status: string, response: unknown): void {
    if (!this.hasEnded)
      this.transport.send(this.serializer.encodeReply({ joinRef, ref, topic, status, response }));
  }

  #dispatch(message: Incoming, data: string | Buffer): void {
    const { topic, event } = message;
    if (topic === HEARTBEAT_TOPIC) {
      if (event === "heartbeat") this.reply(message, null, "ok", {});
      else this.reply(message, null, "error", UNMATCHED);
      return;
    }
    const known = this.#findSlot(topic);
    if (!known && event !== "phx_join") {
      // Nobody is joined: what a slot would answer, without one.
      if (event === "phx_leave") this.reply(message, message.joinRef, "ok", {});
      else this.reply(message, null, "error", UNMATCHED);
      return;
    }
    if (!known && event === "phx_join" && this.#isFull()) {
      this.reply(message, message.joinRef, "error", { reason: "too many channels joined" });
      return;
    }
    const slot = known ?? this.#openSlot(topic);
    if (!(slot instanceof TopicSlot) && !this.#crossing.take(this.#host.clock(), data.length)) {
      this.close(CLOSE.policy);
      return;
    }
    slot.receive(message, data.length + WAITING_OVERHEAD_BYTES, data);
    this.#release(topic, slot);
  }

  /** One that is free may be kept elsewhere by now. */
  #findSlot(topic: Topic): Slot | undefined {
    const slot = this.#slots.get(topic);
    return slot?.isFree ? undefined : slot;
  }

  #openSlot(topic: Topic): Slot {
    const { isKeptHere, openAway } = this.#host;
    const slot = isKeptHere(topic) ? new TopicSlot(this) : openAway(this, topic);
    this.#slots.set(topic, slot);
    return slot;
  }

  /** Somebody who sends faster than handlers answer may not fill the memory. */
  hold(bytes: number): void {
    this.#waitingBytes += bytes;
    if (this.#waitingBytes > this.#host.rules.maxBufferedBytes) this.close(CLOSE.policy);
  }

  /** Slots of topics that were left while something was awaited are found here, and nowhere earlier. */
  #isFull(): boolean {
    const { maxChannels } = this.#host.rules;
    if (this.#slots.size < maxChannels) return false;
    for (const [topic, slot] of this.#slots) this.#release(topic, slot);
    return this.#slots.size >= maxChannels;
  }

  #release(topic: Topic, slot: Slot): void {
    if (slot.isFree) this.#slots.delete(topic);
  }
}
