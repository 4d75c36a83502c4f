import { toAddressBlock } from "#server/http/address-block.ts";
import { AppError } from "#server/http/errors.ts";
import { createWindowCounter, type WindowRule } from "./window-counter.ts";

const MINUTE_MS = 60_000;

/** Generous for a household or a class, tight for a program. */
const RULES = {
  /** Registrations from an address block. */
  registration: { max: 20, windowMs: 60 * MINUTE_MS },
  /** Asking for codes from an address block. */
  code_request: { max: 30, windowMs: 15 * MINUTE_MS },
  /** Codes that an e-mail address is sent. */
  code_sent: { max: 10, windowMs: 60 * MINUTE_MS },
  /** Wrong codes from an address block; five tries for each code are counted beside it. */
  wrong_code: { max: 30, windowMs: 15 * MINUTE_MS },
} as const satisfies Record<string, WindowRule>;

/** Bounds registrations and codes. */
export interface CallLimits {
  /**
   * Counts one for an address block, or an e-mail address in lower case.
   * @returns how to give it back. @throws AppError too_many_requests with the seconds to wait.
   */
  take(kind: keyof typeof RULES, who: { ipAddress: string | null } | { email: string }): () => void;
}

export function createCallLimits(clock: () => number): CallLimits {
  const counters = Object.fromEntries(
    Object.entries(RULES).map(([kind, rule]) => [kind, createWindowCounter(rule, clock)]),
  ) as Record<keyof typeof RULES, ReturnType<typeof createWindowCounter>>; // entries lose the names' type
  return {
    take(kind, who) {
      const key = "email" in who ? who.email : toAddressBlock(who.ipAddress);
      const counter = counters[kind];
      const retryAfterS = counter.getWaitS(key);
      if (retryAfterS > 0) throw new AppError("too_many_requests", { retryAfterS });
      counter.add(key);
      return () => counter.remove(key);
    },
  };
}
