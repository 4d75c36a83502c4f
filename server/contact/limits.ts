import { toAddressBlock } from "#server/http/address-block.ts";
import { AppError } from "#server/http/errors.ts";
import { createWindowCounter } from "#server/http/window-counter.ts";
import type { ChallengeKind } from "./challenge.ts";

/** Every message counts here, however it came. */
const MESSAGES = { max: 5, windowMs: 10 * 60_000 };
/** Without JavaScript nothing was worked off for a message: fewer pass. */
const CONFIRMED = { max: 2, windowMs: 60 * 60_000 };

/** Bounds stored messages by address (IPv6 by /64). */
export interface ContactLimits {
  /**
   * Takes a place for a message. @returns how to give it back, if the message isn't stored after all.
   * @throws AppError too_many_messages with the seconds to wait.
   */
  take(kind: ChallengeKind, ipAddress: string | null): Promise<() => void>;
}

/** Counts in this process's memory; a restart forgets. `clock` in milliseconds. */
export function createContactLimits(clock: () => number): ContactLimits {
  const messages = createWindowCounter(MESSAGES, clock);
  const confirmed = createWindowCounter(CONFIRMED, clock);
  return {
    async take(kind, ipAddress) {
      const address = toAddressBlock(ipAddress);
      const counters = kind === "confirm" ? [confirmed, messages] : [messages];
      const retryAfterS = counters.map((counter) => counter.getWaitS(address)).find((wait) => wait > 0);
      if (retryAfterS !== undefined) {
        throw new AppError("too_many_messages", {
          retryAfterS,
          vars: { minutes: Math.ceil(retryAfterS / 60) },
        });
      }
      for (const counter of counters) counter.add(address);
      return () => {
        for (const counter of counters) counter.remove(address);
      };
    },
  };
}
