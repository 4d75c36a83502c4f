import { VOICE_LIMITS } from "#contract/voice/rooms.ts";
import type { RoomRow } from "../rooms/room-store.ts";
import type { Timers } from "../timing.ts";
import type { SeatStore } from "./seats.ts";

interface Return {
  /** Milliseconds since 1970. */
  until: number;
  /** A moderator has removed them: they are turned out when they come. */
  isRemoved: boolean;
}

interface ReturnsDeps {
  seats: Pick<SeatStore, "find">;
  timers: Timers;
  /** Who has a seat in a room of that id by the word of another process: it may be about to hand the room on. */
  listElsewhere(roomId: string): Iterable<number>;
}

/**
 * Who comes back to a room that another process kept. Their seats stay free for as long as one without its connection does: else a stranger
 * who is quicker would take the last one of a full room.
 */
export class Returns {
  readonly #deps: ReturnsDeps;
  /** By room and person. */
  readonly #rooms = new Map<string, Map<number, Return>>();

  constructor(deps: ReturnsDeps) {
    this.#deps = deps;
  }

  #open(roomId: string): Map<number, Return> {
    this.#sweep();
    const room = this.#rooms.get(roomId) ?? new Map<number, Return>();
    this.#rooms.set(roomId, room);
    return room;
  }

  #sweep(): void {
    const now = this.#deps.timers.now();
    for (const [roomId, room] of this.#rooms) {
      for (const [userId, { until }] of room) if (until <= now) room.delete(userId);
      if (room.size === 0) this.#rooms.delete(roomId);
    }
  }

  #toReturn(isRemoved: boolean): Return {
    return { until: this.#deps.timers.now() + VOICE_LIMITS.seatKeptS * 1000, isRemoved };
  }

  /** These had a seat in the room, which moves. */
  expect(roomId: string, userIds: Iterable<number>): void {
    const room = this.#open(roomId);
    for (const userId of userIds) if (!room.get(userId)?.isRemoved) room.set(userId, this.#toReturn(false));
  }

  /** Nobody of that number is in the room, as far as this process knows: they may be on their way from another one. */
  turnOut(roomId: string, userId: number): void {
    this.#open(roomId).set(userId, this.#toReturn(true));
  }

  /** They are back, or have left by a call. */
  forget(roomId: string, userId: number): void {
    this.#rooms.get(roomId)?.delete(userId);
  }

  /** Whether somebody who comes has been removed meanwhile; once: behind that they may come back. */
  takeRemoved(roomId: string, userId: number): boolean {
    this.#sweep();
    const isRemoved = this.#rooms.get(roomId)?.get(userId)?.isRemoved === true;
    if (isRemoved) this.forget(roomId, userId);
    return isRemoved;
  }

  /** How many seats the room has for this person: whoever comes back has one in any case, the others those that nobody is to take again. */
  countSeats({ public_id, max_participants }: RoomRow, userId: number): number {
    this.#sweep();
    const room = this.#rooms.get(public_id);
    const expected = new Set(this.#deps.listElsewhere(public_id));
    for (const [id, { isRemoved }] of room ?? []) {
      if (isRemoved) expected.delete(id);
      else expected.add(id);
    }
    if (expected.has(userId)) return Number.POSITIVE_INFINITY;
    const isAway = (id: number) => this.#deps.seats.find(public_id, id) === undefined;
    return max_participants - [...expected].filter(isAway).length;
  }
}
