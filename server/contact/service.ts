import { hash } from "node:crypto";
import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import {
  CONTACT_FIELDS,
  type ContactChallenge,
  type ContactValues,
  findContactFaults,
  findFarTooLong,
  toContactValues,
} from "#contract/site/contact.ts";
import type { OpenCounter } from "#server/base/counters.ts";
import { AppError } from "#server/base/errors.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import { notifyChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { MailService } from "#server/mail/service.ts";
import type { SiteService } from "#server/site/service.ts";
import {
  CHALLENGE_LIFETIME_MS,
  CHALLENGE_WAIT_MS,
  type Challenge,
  type Challenges,
  isSolved,
  PUZZLES,
  ZERO_BITS,
} from "./challenge.ts";
import { createContactLimits, type RefusedPosts } from "./limits.ts";
import { insertMessage, selectByChallenge, selectSuperuser } from "./store.ts";

const MESSAGE_MODEL = "contact.message";

/** The sender, and their language. */
export interface Sender {
  ipAddress: string | null;
  lang: Language;
}

/** Why a message may be stored: work that was done for it, a person who confirmed it, or room for those without either. */
export type Proof =
  | { kind: "work"; challenge: string; solution: string }
  | { kind: "confirm"; challenge: string }
  | { kind: "none" };

/** What a message is stored by, once. */
interface Admission {
  kind: Proof["kind"];
  id: string;
}

export interface ContactService {
  /** Counts posts that were refused, and refuses further ones of their address for a while. */
  refused: RefusedPosts;
  /** What a browser works off before it sends. */
  getWork(): ContactChallenge;
  /** What the page without JavaScript sends back with the confirmation. */
  issueConfirmation(): string;
  /**
   * The values as they are stored. `trap` is what stands in the field that people don't see.
   * @throws AppError contact_trap_filled, validation_failed with the faults by field.
   */
  check(typed: ContactValues, trap: string): ContactValues;
  /**
   * Stores checked values once: the same again with the same proof answers like the first time.
   * @throws AppError contact_challenge_*, contact_too_fast, too_many_messages, too_many_unproven_messages.
   */
  store(values: ContactValues, proof: Proof, sender: Sender): Promise<void>;
}

function isSame(a: ContactValues, b: ContactValues): boolean {
  return CONTACT_FIELDS.every((field) => a[field] === b[field]);
}

function check(typed: ContactValues, trap: string): ContactValues {
  const far = findFarTooLong(typed);
  if (far.length > 0) throw new AppError("validation_failed", { fields: far });
  if (trap !== "") throw new AppError("contact_trap_filled");
  // The page takes what can't be seen out of a text; NUL comes from programs alone, and PostgreSQL has no place for it.
  if (CONTACT_FIELDS.some((field) => typed[field].includes("\0"))) throw new AppError("malformed_body");
  const values = toContactValues(typed);
  const fields = findContactFaults(values);
  if (fields.length > 0) throw new AppError("validation_failed", { fields });
  return values;
}

/** Messages of visitors: rules, proof, limits, one row each, with a mail to the owner and a receipt to the visitor. */
export function createContactService(deps: {
  pool: pg.Pool;
  feed: Pick<ChangeFeed, "announce">;
  mail: Pick<MailService, "queue">;
  /** Undefined: there is nobody to write to. */
  findOwner: () => Promise<Owner | undefined>;
  /** Signs them; the same for every process of the site. */
  challenges: Challenges;
  now: () => Date;
  openCounter: OpenCounter;
}): ContactService {
  const { pool, feed, mail, challenges } = deps;
  const limits = createContactLimits(deps.openCounter);

  function readProof(proof: Exclude<Proof, { kind: "none" }>): Challenge {
    const challenge = challenges.read(proof.challenge, proof.kind);
    if (proof.kind === "work" && !isSolved(challenge.text, proof.solution))
      throw new AppError("contact_challenge_unsolved");
    return challenge;
  }

  /** @returns whether these very values are stored already. @throws AppError contact_challenge_used for other ones. */
  async function isStored(values: ContactValues, id: string): Promise<boolean> {
    const stored = await selectByChallenge(pool, id);
    if (stored && !isSame(stored, values)) throw new AppError("contact_challenge_used");
    return stored !== undefined;
  }

  async function queueMails(
    db: Queryable,
    contactMessageId: number,
    message: { values: ContactValues; kind: Proof["kind"]; lang: Language; owner: Owner | undefined },
  ): Promise<void> {
    const { values, kind, lang, owner } = message;
    if (owner) await mail.queue(db, { kind: "contact_message", ...owner, contactMessageId, ...values });
    // Whose address it is, nobody has done anything to say.
    if (kind === "none") return;
    const visitor = { recipient: values.email, language: lang };
    await mail.queue(db, { kind: "contact_acknowledgement", ...visitor, contactMessageId });
  }

  async function insert(
    values: ContactValues,
    { kind, id: challengeId }: Admission,
    { ipAddress, lang }: Sender,
  ): Promise<void> {
    // Before the transaction: it reads with other connections.
    const owner = await deps.findOwner();
    let giveBack: (() => Promise<void>) | undefined;
    try {
      const isNew = await withTransaction(pool, async (client) => {
        // First the row, then the limit: of two posts of one message the slower one waits here, and takes no place.
        const id = await insertMessage(client, values, { challengeId, isProven: kind !== "none", lang });
        if (id === undefined) return false;
        giveBack = await limits.take(kind, ipAddress);
        await queueMails(client, id, { values, kind, lang, owner });
        await notifyChange(client, MESSAGE_MODEL);
        return true;
      });
      if (isNew) return feed.announce(MESSAGE_MODEL);
    } catch (error) {
      await giveBack?.();
      throw error;
    }
    if (!(await isStored(values, challengeId))) throw new AppError("contact_challenge_used");
  }

  async function storeUnproven(values: ContactValues, sender: Sender): Promise<void> {
    const { id, formerId } = toUnprovenIds(values, deps.now().getTime());
    for (const storedBy of [id, formerId]) if (await isStored(values, storedBy)) return;
    await insert(values, { kind: "none", id }, sender);
  }

  return {
    refused: limits.refused,
    getWork: () => ({
      challenge: challenges.issue("work"),
      puzzles: PUZZLES,
      zero_bits: ZERO_BITS,
      wait_ms: CHALLENGE_WAIT_MS,
      lifetime_ms: CHALLENGE_LIFETIME_MS,
    }),
    issueConfirmation: () => challenges.issue("confirm"),
    check,
    async store(values, proof, sender) {
      if (proof.kind === "none") return storeUnproven(values, sender);
      const challenge = readProof(proof);
      // Before time and limits: who didn't get the first answer asks again, maybe much later.
      if (await isStored(values, challenge.id)) return;
      challenges.requireInTime(challenge);
      await insert(values, { kind: proof.kind, id: challenge.id }, sender);
    },
  };
}

/** A client that didn't get the answer sends the same again: for so long, or up to twice that, it is one message. */
const SAME_MESSAGE_MS = 10 * 60_000;

/**
 * What stands in a challenge's place for a message that came without one.
 * @param now milliseconds since 1970.
 * @returns what it is stored by, and what it may be stored by already.
 */
function toUnprovenIds(values: ContactValues, now: number): { id: string; formerId: string } {
  const content = JSON.stringify(CONTACT_FIELDS.map((field) => values[field]));
  const span = Math.floor(now / SAME_MESSAGE_MS);
  const toId = (of: number) => `unproven.${hash("sha256", `${of}.${content}`, "base64url")}`;
  return { id: toId(span), formerId: toId(span - 1) };
}

/** Where messages go, and in which language. */
interface Owner {
  recipient: string;
  language: Language;
}

/**
 * Finds the owner: at `OWNER_EMAIL`, else at the address that the site shows, else at that of the oldest superuser.
 * Sample content shows an address too, which is nobody's.
 */
export function createFindOwner(deps: {
  pool: pg.Pool;
  site: Pick<SiteService, "getSite">;
  ownerEmail: string | undefined;
  log: { warn(message: string): void };
}): () => Promise<Owner | undefined> {
  const { pool, site, ownerEmail, log } = deps;
  let hasWarned = false;
  return async () => {
    const superuser = await selectSuperuser(pool);
    const language = superuser?.admin_language ?? "en";
    const shown = await site.getSite(language);
    const recipient = ownerEmail ?? (shown.has_sample ? null : shown.email) ?? superuser?.email;
    if (recipient) return { recipient, language };
    if (!hasWarned) {
      log.warn(
        "messages of visitors are stored but mailed to nobody: set OWNER_EMAIL, or make yourself the owner",
      );
      hasWarned = true;
    }
    return undefined;
  };
}
