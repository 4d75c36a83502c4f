import { randomUUID } from "node:crypto";
import type { Language } from "#contract/languages.ts";
import type { MailState, OwnMailAddress } from "#contract/mail/address.ts";
import { toReasonKey } from "#contract/mail/reasons.ts";
import causesEn from "#locales/en/mail-address.json" with { type: "json" };
import codesEn from "#locales/en/mail-codes.json" with { type: "json" };
import causesTr from "#locales/tr/mail-address.json" with { type: "json" };
import codesTr from "#locales/tr/mail-codes.json" with { type: "json" };
import type { SignedIn } from "../../base/actor.ts";
import { AppError } from "../../base/errors.ts";
import type { Queryable } from "../../db/pool.ts";
import type { OutgoingMail } from "../kind.ts";
import { type MailSecrets, toAddressKey } from "../secrets.ts";
import { lockAddresses } from "../suppressions/suppression-store.ts";
import type { Suppressions } from "../suppressions/suppressions.ts";
import {
  type AddressFacts,
  type OwnMail,
  type OwnStop,
  type ReturnedMail,
  type StandingStop,
  selectAddressFacts,
  selectMailsTo,
  selectStopsOf,
  selectTries,
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
function isOwnToLift({ source, created_by_id, is_by_staff }: StandingStop): boolean {
  return created_by_id === null && !is_by_staff && ["bounce", "complaint", "unsubscribe"].includes(source);
}

function toCause(stop: StandingStop): MailState["cause"] {
  if (!isOwnToLift(stop)) return "staff";
  return stop.source === "bounce" || stop.source === "complaint" ? stop.source : "unsubscribe";
}

/** What speaks against mail reaching an address; null: nothing. */
function toMailState(facts: AddressFacts, lang: Language): MailState | null {
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

export function createReadMailStates(deps: {
  secrets: Pick<MailSecrets, "addressSecrets">;
  now: () => Date;
}): ReadMailStates {
  return async (db, addresses, lang) => {
    const { addressSecrets } = deps.secrets;
    const keys = new Map(addresses.map((address) => [address, toAddressKey(address)]));
    const asked = [...new Set(keys.values())];
    const facts = await selectAddressFacts(db, asked, { now: deps.now(), addressSecrets });
    const byKey = new Map(facts.map((one) => [one.key, toMailState(one, lang)]));
    return new Map(
      [...keys].flatMap(([address, key]) => {
        const state = byKey.get(key);
        return state ? [[address, state] as const] : [];
      }),
    );
  };
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** A mail to an address that takes none harms the site's name with other servers. */
const KIND = "address_check";

/** Whose address it is. */
export interface AddressOwner {
  userId: number;
  username: string;
  email: string;
  isProven: boolean;
  /** Of mails to them. */
  mailLanguage: Language;
}

/** What a person may know and do about mail that doesn't reach them. */
export interface OwnAddress {
  get(db: Queryable, owner: AddressOwner, lang: Language): Promise<OwnMailAddress>;
  /**
   * Lets mail through again, unless staff stopped it, and sends a mail there; where nothing speaks against the address, nothing is
   * done. In the caller's transaction. @returns whether it was tried.
   * @throws AppError permission_denied, too_many_requests.
   */
  tryAgain(db: Queryable, owner: AddressOwner, actor: SignedIn): Promise<boolean>;
  /** Suppressions of an address, over or not, for its owner. */
  listStops(db: Queryable, email: string): Promise<OwnStop[]>;
  /** All mails that were written to an account, for its owner. */
  listMails(db: Queryable, userId: number): Promise<OwnMail[]>;
}

/** When the next try is free; null: now. */
function toNextTry(tries: readonly string[], now: Date): string | null {
  // What was tried in the future was tried by a clock that went back.
  const [latest, , third] = tries.filter((moment) => Date.parse(moment) <= now.getTime());
  const from = Math.max(latest ? Date.parse(latest) + HOUR_MS : 0, third ? Date.parse(third) + DAY_MS : 0);
  return from > now.getTime() ? new Date(from).toISOString() : null;
}

export function createOwnAddress(deps: {
  suppressions: Pick<Suppressions, "lift">;
  mail: { queue(db: Queryable, mail: OutgoingMail): Promise<void> };
  secrets: Pick<MailSecrets, "addressSecrets">;
  now: () => Date;
}): OwnAddress {
  const { suppressions, mail, now } = deps;
  const { addressSecrets } = deps.secrets;

  const readFacts = async (db: Queryable, { email }: AddressOwner) => {
    const [facts] = await selectAddressFacts(db, [toAddressKey(email)], { now: now(), addressSecrets });
    return facts ?? { key: "", stops: [], returned: null, last_bounce: null };
  };
  const readTries = (db: Queryable, { userId }: AddressOwner) =>
    selectTries(db, { userId, kind: KIND, since: new Date(now().getTime() - DAY_MS) });

  return {
    async get(db, owner, lang) {
      const facts = await readFacts(db, owner);
      const problem = owner.isProven ? toMailState(facts, lang) : null;
      const tries = await readTries(db, owner);
      return {
        email: owner.email,
        problem,
        can_try: problem !== null && problem.cause !== "staff",
        tried_at: tries[0] ?? null,
        next_try_at: toNextTry(tries, now()),
      };
    },

    listMails: selectMailsTo,
    listStops: (db, email) => selectStopsOf(db, toAddressKey(email), addressSecrets),

    async tryAgain(db, owner, actor) {
      // Two clicks at once: the second finds the first's mail.
      await lockAddresses(db, [toAddressKey(owner.email)], addressSecrets);
      const facts = await readFacts(db, owner);
      const problem = owner.isProven ? toMailState(facts, "en") : null;
      if (!problem) return false;
      if (problem.cause === "staff") throw new AppError("permission_denied");
      const next = toNextTry(await readTries(db, owner), now());
      if (next) {
        const retryAfterS = Math.ceil((Date.parse(next) - now().getTime()) / 1000);
        throw new AppError("too_many_requests", { retryAfterS });
      }
      const ids = facts.stops.filter(isOwnToLift).map(({ id }) => id);
      const author = { actor, batchId: randomUUID(), detail: "try_address" };
      if (ids.length > 0) await suppressions.lift(db, ids, author, "The person asked for mail again.");
      const { email, mailLanguage, userId, username } = owner;
      await mail.queue(db, { kind: KIND, recipient: email, language: mailLanguage, userId, username });
      return true;
    },
  };
}
