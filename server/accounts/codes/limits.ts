import { toAddressBlock } from "#server/base/actor.ts";
import { type Counter, type OpenCounter, takeSlot, type WindowRule } from "#server/base/counters.ts";

const MINUTE_MS = 60_000;

/** Generous for a household or a class, tight for a program. */
const RULES = {
  /** Registrations from an address block. */
  registration: { max: 20, windowMs: 60 * MINUTE_MS },
  /** Log-ins by passkey alone from an address block: asked for, and answered. */
  passkey_request: { max: 60, windowMs: 15 * MINUTE_MS },
  /** Asking for codes from an address block. */
  code_request: { max: 30, windowMs: 15 * MINUTE_MS },
  /** Wrong codes from an address block; five tries for each code are counted beside it. */
  wrong_code: { max: 30, windowMs: 15 * MINUTE_MS },
} as const satisfies Record<string, WindowRule>;

/** Beyond these nothing is sent, and nobody is notified: a refusal would say that there is an account. */
const MAIL_RULES = {
  /** Mails on account of a code that an e-mail address is sent, for each purpose. */
  code_sent: { max: 10, windowMs: 60 * MINUTE_MS },
  /** Beyond those, to a new address, whoever wants it. */
  change_code_reserve: { max: 1, windowMs: 5 * MINUTE_MS },
  /** Mails that notify an account of a sign-in. */
  new_sign_in: { max: 5, windowMs: 60 * MINUTE_MS },
} as const satisfies Record<string, WindowRule>;

type Counters<Rules> = Record<keyof Rules, Counter>;

/** Bounds registrations, codes and mails. */
export interface CallLimits {
  /**
   * Counts one for an address block.
   * @returns how to give it back. @throws AppError too_many_requests with the seconds to wait.
   */
  take(kind: keyof typeof RULES, who: { ipAddress: string | null }): Promise<() => Promise<void>>;
  /** Counts a mail to whom `key` names; false where there were enough. */
  takeMail(kind: keyof typeof MAIL_RULES, key: string): Promise<boolean>;
}

function createCounters<Rules extends Record<string, WindowRule>>(
  rules: Rules,
  openCounter: OpenCounter,
): Counters<Rules> {
  const entries = Object.entries(rules).map(([kind, rule]) => [kind, openCounter(`accounts.${kind}`, rule)]);
  return Object.fromEntries(entries) as Counters<Rules>; // entries lose the names' type
}

export function createCallLimits(openCounter: OpenCounter): CallLimits {
  const counters = createCounters(RULES, openCounter);
  const mailCounters = createCounters(MAIL_RULES, openCounter);
  return {
    take: (kind, who) => takeSlot(counters[kind], toAddressBlock(who.ipAddress)),
    takeMail: async (kind, key) => (await mailCounters[kind].take(key)).isTaken,
  };
}
