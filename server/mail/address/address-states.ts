import type { Language } from "#contract/languages.ts";
import type { MailState } from "#contract/mail-address.ts";
import { toReasonKey } from "#contract/mail-reasons.ts";
import causesEn from "#locales/en/mail-address.json" with { type: "json" };
import codesEn from "#locales/en/mail-codes.json" with { type: "json" };
import causesTr from "#locales/tr/mail-address.json" with { type: "json" };
import codesTr from "#locales/tr/mail-codes.json" with { type: "json" };
import type { Queryable } from "#server/db/pool.ts";
import { toAddressKey } from "../address-key.ts";
import type { MailSecrets } from "../secrets.ts";
import {
  type AddressFacts,
  type ReturnedMail,
  type StandingStop,
  selectAddressFacts,
} from "./address-store.ts";

const CODES = { en: codesEn.mailCodes, tr: codesTr.mailCodes };
const CAUSES = { en: causesEn, tr: causesTr } satisfies Record<Language, typeof causesEn>;

function explain(bounce: ReturnedMail | null, lang: Language): string {
  if (!bounce) return CODES[lang].Permanent;
  const { status_code, bounce_type: type, bounce_subtype: subtype } = bounce;
  return CODES[lang][
    toReasonKey({ ...(status_code && { statusCode: status_code }), bounce: { type, subtype } })
  ];
}

/** Whether the person may lift it: it is their address, and what stopped it was the server or their own wish, never staff. */
export function isOwnToLift({ source, created_by_id, is_by_staff }: StandingStop): boolean {
  return created_by_id === null && !is_by_staff && ["bounce", "complaint", "unsubscribe"].includes(source);
}

function toCause(stop: StandingStop): MailState["cause"] {
  if (!isOwnToLift(stop)) return "staff";
  return stop.source === "bounce" || stop.source === "complaint" ? stop.source : "unsubscribe";
}

/** What speaks against mail reaching an address; null: nothing. */
export function toMailState(facts: AddressFacts, lang: Language): MailState | null {
  const { stops, returned, last_bounce } = facts;
  const [stop] = stops;
  if (stop) {
    const cause = toCause(stop);
    const reason = cause === "bounce" ? explain(last_bounce, lang) : CAUSES[lang][cause];
    return { state: "stopped", cause, scope: stop.scope, reason, since: stop.created_at };
  }
  if (!returned) return null;
  const reason = explain(returned, lang);
  return { state: "returned", cause: "bounce", scope: null, reason, since: returned.bounced_at };
}

/** Reads of many addresses at once whether mail reaches them; an address without anything against it has none. */
export type ReadMailStates = (
  db: Queryable,
  addresses: readonly string[],
  lang: Language,
) => Promise<ReadonlyMap<string, MailState>>;

export function createReadMailStates(parts: {
  secrets: Pick<MailSecrets, "addressSecrets">;
  now: () => Date;
}): ReadMailStates {
  return async (db, addresses, lang) => {
    const { addressSecrets } = parts.secrets;
    const keys = new Map(addresses.map((address) => [address, toAddressKey(address)]));
    const asked = [...new Set(keys.values())];
    const facts = await selectAddressFacts(db, asked, { now: parts.now(), addressSecrets });
    const byKey = new Map(facts.map((one) => [one.key, toMailState(one, lang)]));
    return new Map(
      [...keys].flatMap(([address, key]) => {
        const state = byKey.get(key);
        return state ? [[address, state] as const] : [];
      }),
    );
  };
}
