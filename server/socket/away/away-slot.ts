import type { Incoming, Ref, Topic } from "../serializer.ts";
import type { Slot } from "../sockets.ts";
import { MOVED, type SlotConnection } from "../topic-slot.ts";
import { createSharedData } from "../transport.ts";
import type { ProcessLink } from "./homes.ts";
import { fromCarried, TO_HOME, TO_ORIGIN, type ToHome, type ToOrigin, toCarried } from "./wire.ts";

/** One topic of one connection here, which another process keeps: what the client says goes there as it came. */
export class AwaySlot implements Slot {
  readonly id: number;
  readonly home: string;
  readonly connection: SlotConnection;
  readonly #topic: Topic;
  readonly #number: number;
  readonly #send: (message: ToHome) => void;
  #sent = 0;
  #isFree = false;
  /** Of the newest join: the client drops what bears another one. */
  #joinRef: Ref = null;
  /** Not answered yet, as far as is known here. */
  #leave: Incoming | undefined;

  constructor(deps: {
    id: number;
    home: string;
    topic: Topic;
    connection: SlotConnection;
    /** Of the connection. */
    number: number;
    send: (message: ToHome) => void;
  }) {
    this.id = deps.id;
    this.home = deps.home;
    this.connection = deps.connection;
    this.#topic = deps.topic;
    this.#number = deps.number;
    this.#send = deps.send;
  }

  get isJoined(): boolean {
    return !this.#isFree;
  }

  get isFree(): boolean {
    return this.#isFree;
  }

  receive(message: Incoming, _bytes: number, data: string | Buffer): void {
    if (message.event === "phx_join") {
      this.#joinRef = message.joinRef;
      this.#leave = undefined;
    } else if (message.event === "phx_leave") this.#leave = message;
    const { person, admission, serializer } = this.connection;
    const open = {
      topic: this.#topic,
      connection: this.#number,
      person,
      params: admission.params,
      version: serializer.version,
    };
    this.#send({ slot: this.id, data: toCarried(data), ...(this.#sent === 0 && { open }) });
    this.#sent += 1;
  }

  review(): void {
    this.#send({ slot: this.id, person: this.connection.person });
  }

  end(): void {
    if (this.#isFree) return;
    this.#isFree = true;
    this.#send({ slot: this.id, isEnd: true });
  }

  /** @returns whether it is free: nothing is under way to its home that would need it. */
  freeBehind(count: number): boolean {
    if (count !== this.#sent) return false;
    this.end();
    return true;
  }

  /** The home is gone: the client joins again, wherever the topic is kept then. */
  lose(): void {
    if (this.#isFree) return;
    this.#isFree = true;
    const { transport, serializer } = this.connection;
    const leave = this.#leave;
    if (leave) this.connection.reply(leave, this.#joinRef, "ok", {});
    else {
      const refs = { joinRef: this.#joinRef, ref: this.#joinRef };
      transport.send(
        serializer.encodePush({ ...refs, topic: this.#topic, event: "phx_error", payload: MOVED }),
      );
    }
  }
}

/** The slots of this process's clients that others keep. */
export interface OriginDesk {
  open(connection: SlotConnection, topic: Topic, home: string): AwaySlot;
}

export function openOriginDesk(link: ProcessLink): OriginDesk {
  const slots = new Map<number, AwaySlot>();
  const numbers = new WeakMap<SlotConnection, number>();
  let lastId = 0;

  function find(id: number, from: string): AwaySlot | undefined {
    const slot = slots.get(id);
    return slot?.home === from ? slot : undefined;
  }

  function take(message: ToOrigin, from: string): void {
    if ("slots" in message) {
      const data = fromCarried(message.data);
      // Framed once for all of them.
      const shared = message.slots.length > 1 ? createSharedData(data) : undefined;
      for (const id of message.slots) {
        const transport = find(id, from)?.connection.transport;
        if (shared) transport?.sendShared(shared);
        else transport?.send(data);
      }
      return;
    }
    const slot = find(message.slot, from);
    if (!slot) return;
    if ("close" in message) slot.connection.close(message.close);
    else if ("isUnknown" in message) lose(slot);
    else if (slot.freeBehind(message.freeBehind)) slots.delete(slot.id);
  }

  function lose(slot: AwaySlot): void {
    slots.delete(slot.id);
    slot.lose();
  }

  link.on(TO_ORIGIN, (body, from) => {
    for (const message of body as ToOrigin[]) take(message, from); // of our own kind
  });
  link.onGone((address) => {
    for (const slot of slots.values()) if (slot.home === address) lose(slot);
  });

  return {
    open(connection, topic, home) {
      lastId += 1;
      const id = lastId;
      const send = (message: ToHome) => {
        const isSent = link.send(home, TO_HOME, message);
        if ("isEnd" in message) slots.delete(id);
        // Gone, and its end was told before this slot was there.
        else if (!isSent) lose(slot);
      };
      const number = numbers.get(connection) ?? id;
      numbers.set(connection, number);
      const slot = new AwaySlot({ id, home, topic, connection, number, send });
      slots.set(id, slot);
      return slot;
    },
  };
}
