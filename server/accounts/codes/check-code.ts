import { LIMITS } from "#contract/limits.ts";
import { recordAudit } from "#server/audit/service.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Client } from "../account.ts";
import { logRefusal } from "../answers.ts";
import type { AccountDeps } from "../deps.ts";
import { type CodeRow, type CodeSubject, countTry, lockCode } from "./store.ts";

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

/** One that would be good for longer than twice its lifetime was sent by a clock that went back since. */
function isInTime({ expires_at }: CodeRow, now: number): boolean {
  const leftMs = Date.parse(expires_at) - now;
  return leftMs > 0 && leftMs <= 2 * LIMITS.codeLifetimeS * 1000;
}

/**
 * Compares a code and counts the try where it is wrong. Undefined for wrong, expired, spent and unknown ones alike; the
 * transaction must commit either way, or the try isn't counted.
 */
export async function checkCode(
  deps: AccountDeps,
  db: Queryable,
  subject: CodeSubject,
  code: string,
  client: Client,
): Promise<RightCode | undefined> {
  const row = await lockCode(db, subject);
  if (!row?.code_hash) return undefined;
  if (row.tries >= LIMITS.codeTriesMax || !isInTime(row, deps.clock())) return undefined;
  if (deps.codes.isRight(subject, code, row.code_hash)) return { id: row.id, userId: row.user_id };
  await countTry(db, row.id);
  if (row.tries + 1 === LIMITS.codeTriesMax) await recordUsedUp(db, row, client);
  return undefined;
}

/**
 * Runs what checks a code; undefined from it is a wrong one, counted for the address block.
 * @throws AppError invalid_verification_code, too_many_requests.
 */
export async function requireRightCode<Answer>(
  deps: AccountDeps,
  client: Client,
  check: () => Promise<Answer | undefined>,
): Promise<Answer> {
  return logRefusal(deps, client, async () => {
    const giveBack = deps.callLimits.take("wrong_code", client);
    const answer = await check().catch((error: unknown) => {
      giveBack();
      throw error;
    });
    if (answer === undefined) throw new AppError("invalid_verification_code");
    giveBack();
    return answer;
  });
}
