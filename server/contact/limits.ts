import { toAddressBlock } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { createWindowCounter, findFull, type LimitSlot, takeSlots } from "#server/base/limits.ts";

/** What stands behind a message: work that a browser did, a step more without JavaScript, nothing. */
export type ProofKind = "work" | "confirm" | "none";

/** Every message counts here, however it came. */
const MESSAGES = { max: 5, windowMs: 10 * 60_000 };
/** Without JavaScript nothing was worked off for a message: fewer pass. */
const CONFIRMED = { max: 2, windowMs: 60 * 60_000 };
/** Nothing stands behind a message without a proof: one from an address, and few in all, whoever sends them. */
const UNPROVEN = { max: 1, windowMs: 10 * 60_000 };
const UNPROVEN_IN_ALL = { max: 20, windowMs: 60 * 60_000 };

/** Somebody who mends a text has tried again ten times at the most. */
const REFUSED = { max: 30, windowMs: 10 * 60_000 };

/** Posts that came to nothing, by address. */
export interface RefusedPosts {
  /** @throws AppError too_many_requests with the seconds to wait. */
  requireRoom(ipAddress: string): void;
  add(ipAddress: string): void;
}

/** The sender's own doing; what a full limit refuses is counted there already. */
export const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 429;

/** Bounds stored messages by address (IPv6 by /64), those without a proof also in all. */
export interface ContactLimits {
  /**
   * Counts a message. @returns how to give it back, if the message isn't stored after all.
   * @throws AppError too_many_messages, too_many_unproven_messages with the seconds to wait.
   */
  take(kind: ProofKind, ipAddress: string | null): Promise<() => void>;
  refused: RefusedPosts;
}

/** What a message counts as. */
interface Slot extends LimitSlot {
  refusal: "too_many_messages" | "too_many_unproven_messages";
}

/** Counts in this process's memory; a restart forgets. `clock` in milliseconds. */
export function createContactLimits(clock: () => number): ContactLimits {
  const messages = createWindowCounter(MESSAGES, clock);
  const confirmed = createWindowCounter(CONFIRMED, clock);
  const unproven = createWindowCounter(UNPROVEN, clock);
  const unprovenInAll = createWindowCounter(UNPROVEN_IN_ALL, clock);

  function toSlots(kind: ProofKind, key: string): Slot[] {
    const message: Slot = { counter: messages, key, refusal: "too_many_messages" };
    switch (kind) {
      case "work":
        return [message];
      case "confirm":
        return [{ ...message, counter: confirmed }, message];
      case "none": {
        const refusal = "too_many_unproven_messages";
        return [{ counter: unproven, key, refusal }, { counter: unprovenInAll, key: "", refusal }, message];
      }
    }
  }

  const refused = createWindowCounter(REFUSED, clock);

  return {
    refused: {
      requireRoom(ipAddress) {
        const waitS = refused.getWaitS(toAddressBlock(ipAddress));
        if (waitS > 0) throw new AppError("too_many_requests", { retryAfterS: waitS });
      },
      add: (ipAddress) => refused.add(toAddressBlock(ipAddress)),
    },
    async take(kind, ipAddress) {
      const slots = toSlots(kind, toAddressBlock(ipAddress));
      const full = findFull(slots);
      if (full) {
        const vars = { minutes: Math.ceil(full.waitS / 60) };
        throw new AppError(full.slot.refusal, { retryAfterS: full.waitS, vars });
      }
      return takeSlots(slots);
    },
  };
}
