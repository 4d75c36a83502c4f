import { LIMITS } from "#contract/limits.ts";
import { recordAudit } from "#server/audit/service.ts";
import { toAddressBlock } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Client } from "../account.ts";
import { logRefusal } from "../answers.ts";
import type { AccountDeps } from "../deps.ts";
import {
  type CodeRow,
  type CodeSubject,
  countGuesses,
  countTry,
  hashTicket,
  isInTime,
  lockHeldCode,
  lockNewestCode,
  lockProvenCode,
  noteGuesses,
} from "./store.ts";

/** A code that was right, not spent yet. */
export interface RightCode {
  id: number;
  /** Whom the mail named; null: that account is gone, and the address's other claims are left. */
  userId: number | null;
}

/** Called once for each code that guesses used up. */
async function recordUsedUp(db: Queryable, row: CodeRow, client: Client): Promise<void> {
  const { ipAddress, requestId } = client;
  const actor = { userId: row.user_id, username: row.username, level: 0, ipAddress, requestId };
  await recordAudit(db, actor, { action: "LOGIN", detail: "failed_code" });
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Wrong codes for an address and purpose: from everywhere, and from one block of network addresses (docs/decisions/012). */
const WRONG_A_DAY = 20;
const WRONG_A_DAY_FROM_ONE_PLACE = 10;

/** What somebody shows to have got a mail: the digits, perhaps from the browser that asked, or the secret of the mail's link. */
export interface ShownCode {
  /** Six digits; empty where there is a proof. */
  code: string;
  ticketHash: string | null;
  proof: string | undefined;
}

/** Whose wrong codes are counted together. Of a new address it is who wants it: others' codes for it are not theirs. */
function toGuessKeys(
  deps: AccountDeps,
  subject: CodeSubject,
  { ticketHash }: ShownCode,
  client: Client,
): { subject: string; block: string } {
  const owner = subject.purpose === "change_email" ? ` ${ticketHash}` : "";
  return {
    subject: deps.codes.hash(subject, `guesses${owner}`),
    block: deps.codes.hash(subject, `from ${toAddressBlock(client.ipAddress)}`),
  };
}

/**
 * With how many codes one that was typed may still be compared today, at least one.
 * @throws AppError too_many_codes, too_many_requests: where somebody has an account and where nobody has.
 */
async function requireGuesses(
  db: Queryable,
  keys: { subject: string; block: string },
  now: number,
  isChange: boolean,
): Promise<number> {
  const { all, fromBlock } = await countGuesses(db, keys, now - DAY_MS);
  const left = Math.min(WRONG_A_DAY - all, WRONG_A_DAY_FROM_ONE_PLACE - fromBlock);
  if (left > 0) return left;
  // The mail to a new address has no link that would still be good.
  throw new AppError(isChange ? "too_many_requests" : "too_many_codes");
}

/** A code that may be typed, and whose tries a wrong one takes. */
interface Candidate {
  row: CodeRow;
  /** Undefined: it came without the ticket of a browser that holds a code. */
  by?: { subject: CodeSubject; ticketHash: string };
}

/**
 * With what a typed code is compared: with the one that the browser holds, else with the one that the address was sent last. Who
 * holds one may have read the later mail: then both, and the tries are the ticket's all the same.
 */
async function findCandidates(
  db: Queryable,
  subject: CodeSubject,
  ticketHash: string | null,
  now: number,
): Promise<Candidate[]> {
  const held = ticketHash === null ? undefined : await lockHeldCode(db, subject, ticketHash);
  const isLive = (row: CodeRow | undefined) => row?.code_hash != null && isInTime(row, now);
  const own: Candidate[] =
    held && ticketHash !== null && isLive(held) ? [{ row: held, by: { subject, ticketHash } }] : [];
  if (subject.purpose === "change_email") return own.filter(({ row }) => row.tries < LIMITS.codeTriesMax);
  const newest = await lockNewestCode(db, subject);
  const [mine] = own;
  const isOther = newest !== undefined && isLive(newest) && newest.id !== mine?.row.id;
  const other: Candidate[] =
    newest && isOther
      ? [mine ? { ...mine, row: { ...newest, tries: mine.row.tries } } : { row: newest }]
      : [];
  return [...own, ...other].filter(({ row }) => row.tries < LIMITS.codeTriesMax);
}

/**
 * Compares a code and counts it where it is wrong: for the ticket of the browser that asked, five for each code; else for the code,
 * of which strangers have five; and for the day. Undefined for wrong, expired, spent and unknown ones alike; the transaction must
 * commit either way, or the try isn't counted.
 * @throws AppError too_many_codes.
 */
export async function checkCode(
  deps: AccountDeps,
  db: Queryable,
  subject: CodeSubject,
  shown: ShownCode,
  client: Client,
): Promise<RightCode | undefined> {
  const now = deps.clock();
  if (shown.proof) {
    const proven = await lockProvenCode(db, subject, hashTicket(shown.proof));
    return proven && isInTime(proven, now) ? { id: proven.id, userId: proven.user_id } : undefined;
  }
  const keys = toGuessKeys(deps, subject, shown, client);
  const left = await requireGuesses(db, keys, now, subject.purpose === "change_email");
  const candidates = (await findCandidates(db, subject, shown.ticketHash, now)).slice(0, left);
  const right = candidates.find(({ row }) => deps.codes.isRight(subject, shown.code, row.code_hash ?? ""));
  if (right) return { id: right.row.id, userId: right.row.user_id };
  // Also where there was nothing to compare with: who has an account is no business of who guesses.
  await noteGuesses(db, keys, now, Math.max(1, candidates.length));
  const [first] = candidates;
  if (!first) return undefined;
  await countTry(db, first.row.id, first.by);
  if (first.row.tries + 1 === LIMITS.codeTriesMax) await recordUsedUp(db, first.row, client);
  return undefined;
}

/**
 * Runs what checks a code; undefined from it is a wrong one, counted for the address block.
 * @throws AppError invalid_verification_code, too_many_codes, too_many_requests.
 */
export async function requireRightCode<Answer>(
  deps: AccountDeps,
  client: Client,
  check: () => Promise<Answer | undefined>,
): Promise<Answer> {
  return logRefusal(deps, client, async () => {
    const giveBack = await deps.callLimits.take("wrong_code", client);
    const answer = await check().catch(async (error: unknown) => {
      await giveBack();
      throw error;
    });
    if (answer === undefined) throw new AppError("invalid_verification_code");
    await giveBack();
    return answer;
  });
}
