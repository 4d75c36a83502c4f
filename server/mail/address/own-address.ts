import { randomUUID } from "node:crypto";
import type { Language } from "#contract/languages.ts";
import type { OwnMailAddress } from "#contract/mail-address.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { SignedIn } from "../../base/actor.ts";
import { toAddressKey } from "../address-key.ts";
import type { OutgoingMail } from "../kind.ts";
import type { MailSecrets } from "../secrets.ts";
import { lockAddresses } from "../suppressions/suppression-store.ts";
import type { Suppressions } from "../suppressions/suppressions.ts";
import { isOwnToLift, toMailState } from "./address-states.ts";
import { type OwnStop, selectAddressFacts, selectStopsOf, selectTries } from "./address-store.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** A mail to an address that takes none harms the site's name with other servers. */
const TRIES_A_DAY = 3;
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
}

/** When the next try is free; null: now. */
function toNextTry(tries: readonly string[], now: Date): string | null {
  const [latest] = tries;
  const third = tries[TRIES_A_DAY - 1];
  const from = Math.max(latest ? Date.parse(latest) + HOUR_MS : 0, third ? Date.parse(third) + DAY_MS : 0);
  return from > now.getTime() ? new Date(from).toISOString() : null;
}

export function createOwnAddress(parts: {
  suppressions: Pick<Suppressions, "lift">;
  mail: { queue(db: Queryable, mail: OutgoingMail): Promise<void> };
  secrets: Pick<MailSecrets, "addressSecrets">;
  now: () => Date;
}): OwnAddress {
  const { suppressions, mail, now } = parts;
  const { addressSecrets } = parts.secrets;

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
