import type { ChannelReason } from "#contract/socket.ts";
import type { SignedIn } from "../base/actor.ts";
import {
  type Accepted,
  type Channel,
  type HandlerResult,
  type LeaveReason,
  type Match,
  type Outcome,
  type Refused,
  readPayload,
} from "./channel.ts";
import { ChannelMember, type MemberConnection } from "./member.ts";
import { SerialQueue } from "./serial-queue.ts";
import type { Incoming, Ref } from "./serializer.ts";
import type { Admission, Slot } from "./sockets.ts";
import type { CloseCode } from "./transport.ts";

/** What a topic needs of its connection. */
export interface SlotConnection extends MemberConnection {
  readonly admission: Admission;
  readonly hasEnded: boolean;
  readonly log: { error(details: object, message: string): void };
  /** Ends the connection after a fault of the server's own. */
  fail(error: unknown): void;
  close(code: CloseCode): void;
  findChannel(topic: string): Match | undefined;
  /** Counts bytes that wait, or no longer do; above the limit the connection ends. */
  hold(bytes: number): void;
  reply(message: Incoming, joinRef: Ref, status: string, response: unknown): void;
}

interface Waiting {
  message: Incoming;
  heldBytes: number;
}

interface Join {
  message: Incoming;
  match: Match;
  /** As they were when the channel was asked. */
  person: SignedIn;
  /** Joined before on the same topic: it has been ended, and its client is notified behind the answer. */
  former: ChannelMember | undefined;
}

export const UNMATCHED = { reason: "unmatched topic" };
const CRASHED = { reason: "channel_crash" };
/** To who has to join again, because another process of the site keeps the topic. */
export const MOVED = { reason: "moved" };

/** One topic of one connection: joins, leaves and events, one after the other. */
export class TopicSlot implements Slot {
  readonly #connection: SlotConnection;
  readonly #queue: SerialQueue<Waiting>;
  #member: ChannelMember | undefined;
  #isMoving = false;

  /** `onIdle`: nothing is awaited any more. */
  constructor(connection: SlotConnection, onIdle?: () => void) {
    this.#connection = connection;
    this.#queue = new SerialQueue(
      ({ message, heldBytes }) => {
        if (heldBytes > 0) connection.hold(-heldBytes);
        this.#handle(message);
      },
      (error) => connection.fail(error),
      onIdle,
    );
  }

  get isJoined(): boolean {
    return this.#member !== undefined;
  }

  get isFree(): boolean {
    return !this.#member && this.#queue.isIdle;
  }

  receive(message: Incoming, bytes: number): void {
    const heldBytes = this.#queue.isIdle ? 0 : bytes;
    this.#queue.add({ message, heldBytes });
    if (heldBytes > 0) this.#connection.hold(heldBytes);
  }

  /** The client is gone. A join that is still awaited frees what it took when it comes. */
  end(): void {
    this.#queue.clear();
    if (this.#member) this.#detach(this.#member, "gone");
  }

  /** Another process keeps the topic from now on. Nobody gets in here again. */
  moveAway(): void {
    this.#isMoving = true;
    if (this.#member) this.#finish(this.#member, "moved", "phx_error", MOVED);
  }

  review(): void {
    const member = this.#member;
    if (!member) return;
    this.#guard(member, "mayStay", () => {
      if (member.channel.mayStay?.(member) === false) this.#close(member, "closed");
    });
  }

  #handle(message: Incoming): void {
    const member = this.#member;
    if (message.event === "phx_join") this.#join(message);
    else if (member) this.#handleJoined(message, member);
    else if (message.event === "phx_leave") this.#connection.reply(message, message.joinRef, "ok", {});
    else this.#connection.reply(message, null, "error", UNMATCHED);
  }

  #join(message: Incoming): void {
    const { topic } = message;
    const match = typeof topic === "string" ? this.#connection.findChannel(topic) : undefined;
    if (!match) {
      this.#connection.reply(message, null, "error", UNMATCHED);
      return;
    }
    if (this.#isMoving) {
      this.#connection.reply(message, message.joinRef, "error", MOVED);
      return;
    }
    const former = this.#member;
    if (former) this.#detach(former, "replaced");
    const join: Join = { message, match, person: this.#connection.person, former };
    this.#queue.await(
      () => this.#askChannel(join),
      (outcome) => this.#finishJoin(join, outcome),
      (error) => this.#refuseJoin(join, error),
    );
  }

  #askChannel({ message, match, person }: Join): ReturnType<Channel["join"]> {
    return match.channel.join({
      topic: String(message.topic),
      params: match.params,
      person,
      connectionParams: this.#connection.admission.params,
      payload: message.payload,
      listPresence: () => this.#connection.topics.listPresence(String(message.topic)),
    });
  }

  #finishJoin(join: Join, outcome: Accepted<unknown> | Refused): void {
    const { message } = join;
    if (!outcome.isAccepted) {
      const { reason, detail } = outcome;
      this.#connection.reply(message, message.joinRef, "error", { reason, ...(detail && { detail }) });
      this.#endFormer(join);
      return;
    }
    const member = this.#toMember(join, outcome);
    if (this.#connection.hasEnded) this.#runLeft(member, "unseen");
    else if (this.#isMoving) {
      this.#runLeft(member, "unseen");
      this.#connection.reply(message, message.joinRef, "error", MOVED);
      this.#endFormer(join);
    } else this.#letIn(join, member, outcome.response);
  }

  #toMember({ message, match }: Join, { key, state }: Accepted<unknown>): ChannelMember {
    return new ChannelMember({
      connection: this.#connection,
      close: (member) => this.#close(member, "closed"),
      signal: (member, event, payload) =>
        this.#guard(member, event, () => member.channel.signalled?.(member, event, payload)),
      channel: match.channel,
      topic: String(message.topic),
      params: match.params,
      givenJoinRef: message.joinRef,
      joinRef: message.joinRef ?? message.ref,
      key,
      state,
    });
  }

  #letIn(join: Join, member: ChannelMember, response: unknown): void {
    const { message, person } = join;
    this.#member = member;
    this.#connection.topics.add(member);
    try {
      this.#connection.reply(message, message.joinRef, "ok", response);
    } catch (error) {
      this.#detach(member, "unseen");
      this.#refuseJoin(join, error);
      return;
    }
    this.#endFormer(join);
    this.#guard(member, "joined", () => member.channel.joined?.(member));
    if (person !== this.#connection.person) this.review();
  }

  #refuseJoin(join: Join, error: unknown): void {
    const { message } = join;
    this.#connection.log.error({ err: error, topic: message.topic }, "a join crashed");
    this.#connection.reply(message, message.joinRef, "error", { reason: "join crashed" });
    this.#endFormer(join);
  }

  #endFormer({ former }: Join): void {
    if (former) this.#sendEnd(former, "phx_close", {});
  }

  #handleJoined(message: Incoming, member: ChannelMember): void {
    // Meant for an earlier join of the same topic.
    if (message.joinRef !== null && message.joinRef !== member.givenJoinRef) return;
    if (message.event === "phx_leave") {
      this.#connection.reply(message, member.joinRef, "ok", {});
      this.#close(member, "left");
    } else this.#guard(member, message.event, () => this.#handleEvent(message, member));
  }

  #handleEvent(message: Incoming, member: ChannelMember): void {
    const { events, otherwise } = member.channel;
    const event = Object.hasOwn(events, message.event) ? events[message.event] : undefined;
    const read = event && readPayload(event.schema, message.payload, event.invalid);
    if (read && !read.isValid) this.#refuseEvent(message, member, read.reason);
    else if (read) this.#runHandler(message, member, () => event.handle(member, read.payload));
    else if (otherwise)
      this.#runHandler(message, member, () => otherwise(member, message.event, message.payload));
    else this.#refuseEvent(message, member, "unknown_event_type");
  }

  #refuseEvent(message: Incoming, member: ChannelMember, reason: ChannelReason): void {
    this.#connection.reply(message, member.joinRef, "error", { reason });
  }

  #runHandler(message: Incoming, member: ChannelMember, run: () => HandlerResult): void {
    this.#queue.await(
      run,
      (outcome) =>
        this.#guard(member, message.event, () => this.#settle(message, member, outcome ?? undefined)),
      (error) => this.#crash(member, error, message.event),
    );
  }

  #settle(message: Incoming, member: ChannelMember, outcome: Outcome): void {
    if (outcome === undefined || member.hasLeft) return;
    const reply = outcome.kind === "reply" ? outcome : outcome.reply;
    if (reply) this.#connection.reply(message, member.joinRef, reply.status, reply.response);
    if (outcome.kind === "reply") return;
    if (outcome.isCrash) this.#finish(member, "crashed", "phx_error", CRASHED);
    else this.#close(member, "closed");
  }

  /** Runs something of the channel's own, whose faults end this member alone. */
  #guard(member: ChannelMember, event: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#crash(member, error, event);
    }
  }

  #crash(member: ChannelMember, error: unknown, event: string): void {
    this.#connection.log.error({ err: error, topic: member.topic, event }, "a channel crashed");
    this.#finish(member, "crashed", "phx_error", CRASHED);
  }

  #close(member: ChannelMember, why: LeaveReason): void {
    this.#finish(member, why, "phx_close", {});
  }

  #finish(member: ChannelMember, why: LeaveReason, event: "phx_close" | "phx_error", payload: object): void {
    if (member.hasLeft) return;
    this.#detach(member, why);
    this.#sendEnd(member, event, payload);
  }

  #sendEnd(member: ChannelMember, event: "phx_close" | "phx_error", payload: object): void {
    if (!this.#connection.hasEnded) member.sendEnd(event, payload);
  }

  #detach(member: ChannelMember, why: LeaveReason): void {
    if (this.#member === member) this.#member = undefined;
    member.detach();
    this.#runLeft(member, why);
  }

  #runLeft(member: ChannelMember, why: LeaveReason): void {
    try {
      member.channel.left?.(member, why);
    } catch (error) {
      this.#connection.log.error({ err: error, topic: member.topic }, "a channel could not be left cleanly");
    }
  }
}
