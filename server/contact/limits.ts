import { toAddressBlock } from "#server/base/actor.ts";
import { type LimitSlot, type OpenCounter, takeSlots } from "#server/base/counters.ts";
import { AppError } from "#server/base/errors.ts";

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
  requireRoom(ipAddress: string): Promise<void>;
  add(ipAddress: string): Promise<void>;
}

/** The sender's own doing; what a full limit refuses is counted there already. */
export const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 429;

/** Bounds stored messages by address (IPv6 by /64), those without a proof also in all. */
export interface ContactLimits {
  /**
   * Counts a message. @returns how to give it back, if the message isn't stored after all.
   * @throws AppError too_many_messages, too_many_unproven_messages with the seconds to wait.
   */
  take(kind: ProofKind, ipAddress: string | null): Promise<() => Promise<void>>;
  refused: RefusedPosts;
}

/** What a message counts as. */
interface Slot extends LimitSlot {
  refusal: "too_many_messages" | "too_many_unproven_messages";
}

export function createContactLimits(openCounter: OpenCounter): ContactLimits {
  const messages = openCounter("contact.messages", MESSAGES);
  const confirmed = openCounter("contact.confirmed", CONFIRMED);
  const unproven = openCounter("contact.unproven", UNPROVEN);
  const unprovenInAll = openCounter("contact.unproven_in_all", UNPROVEN_IN_ALL);

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

  const refused = openCounter("contact.refused", REFUSED);

  return {
    refused: {
      async requireRoom(ipAddress) {
        const waitS = await refused.getWaitS(toAddressBlock(ipAddress));
        if (waitS > 0) throw new AppError("too_many_requests", { retryAfterS: waitS });
      },
      add: async (ipAddress) => void (await refused.take(toAddressBlock(ipAddress))),
    },
    async take(kind, ipAddress) {
      const taking = await takeSlots(toSlots(kind, toAddressBlock(ipAddress)));
      if (taking.isTaken) return taking.giveBack;
      const { slot, waitS } = taking;
      throw new AppError(slot.refusal, { retryAfterS: waitS, vars: { minutes: Math.ceil(waitS / 60) } });
    },
  };
}
