import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { toAddressBlock } from "#server/http/address-block.ts";
import { AppError } from "#server/http/errors.ts";
import type { ChallengeKind } from "./challenge.ts";

/** Every message counts here, however it came. */
const MESSAGES = { points: 5, duration: 10 * 60 };
/** Without JavaScript nothing was worked off for a message: fewer pass. */
const CONFIRMED = { points: 2, duration: 60 * 60 };

/** Bounds stored messages by address (IPv6 by /64). */
export interface ContactLimits {
  /**
   * Takes a place for a message. @returns how to give it back, if the message isn't stored after all.
   * @throws AppError too_many_messages with the seconds to wait.
   */
  take(kind: ChallengeKind, ipAddress: string | null): Promise<() => Promise<void>>;
}

async function consume(counter: RateLimiterMemory, address: string): Promise<void> {
  try {
    await counter.consume(address);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    await counter.reward(address); // a refused message takes no place
    const retryAfterS = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new AppError("too_many_messages", { retryAfterS, vars: { minutes: Math.ceil(retryAfterS / 60) } });
  }
}

/** Counts in this process's memory; a restart forgets. */
export function createContactLimits(): ContactLimits {
  const messages = new RateLimiterMemory(MESSAGES);
  const confirmed = new RateLimiterMemory(CONFIRMED);
  return {
    async take(kind, ipAddress) {
      const address = toAddressBlock(ipAddress);
      const taken: RateLimiterMemory[] = [];
      const giveBack = async () => {
        for (const counter of taken) await counter.reward(address);
      };
      for (const counter of kind === "confirm" ? [confirmed, messages] : [messages]) {
        try {
          await consume(counter, address);
          taken.push(counter);
        } catch (error) {
          await giveBack();
          throw error;
        }
      }
      return giveBack;
    },
  };
}
