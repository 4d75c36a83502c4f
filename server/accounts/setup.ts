import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { SetupRequest } from "#contract/accounts.ts";
import type { Language } from "#contract/languages.ts";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { Client } from "./account.ts";
import { markSignedIn } from "./credential-store.ts";
import type { AccountParts } from "./deps.ts";
import { insertSuperuser } from "./owners.ts";
import {
  type OpenedSession,
  openSession,
  type SignedInAnswer,
  toLoginAnswer,
} from "./sessions/open-session.ts";
import { hasSuperuser } from "./store.ts";
import { toTakenError } from "./taken-error.ts";

const TOKEN_BYTES = 32;
/** Any number, the same in every version: one owner is made at a time. */
const SETUP_LOCK = 4_701_922;

/** The secret of the link that a start prints while nobody owns the site. Kept in memory alone. */
export function createSetupToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

function isSame(given: string, token: string | undefined): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return token !== undefined && timingSafeEqual(hash(given), hash(token));
}

/** Whether nobody owns the site yet. */
export async function isSetupOpen(parts: AccountParts): Promise<boolean> {
  return !(await hasSuperuser(parts.pool));
}

/** Of two that come at once the second finds the owner that the first made. */
async function makeOwner(
  parts: AccountParts,
  request: SetupRequest,
  client: Client,
  lang: Language,
): Promise<OpenedSession> {
  const passwordHash = await parts.passwords.hash(request.password);
  const { username, email } = request;
  return withTransaction(parts.pool, async (db) => {
    await db.query("SELECT pg_advisory_xact_lock($1)", [SETUP_LOCK]);
    if (await hasSuperuser(db)) throw new AppError("setup_closed");
    const actor = { ...SYSTEM_ACTOR, ipAddress: client.ipAddress, requestId: client.requestId };
    const owner = { username, email, passwordHash, language: lang };
    const now = parts.clock();
    const { id } = await insertSuperuser(db, owner, { actor, detail: "setup", now });
    const account = await markSignedIn(db, { id, password_hash: passwordHash }, null, now);
    if (!account) throw new Error("The owner's account that was just made can't sign in.");
    const device = parts.knownDevices.issue(id, passwordHash);
    return openSession(parts, db, { account, device }, client, "setup");
  });
}

/**
 * Makes the owner's account, with the link that the start printed, and signs in. The link dies with use.
 * @throws AppError setup_closed, setup_link_invalid, validation_failed.
 */
export async function setUp(
  parts: AccountParts,
  request: SetupRequest,
  client: Client,
  lang: Language,
): Promise<SignedInAnswer> {
  if (!(await isSetupOpen(parts))) throw new AppError("setup_closed");
  if (!isSame(request.token, parts.setupToken)) throw new AppError("setup_link_invalid");
  const opened = await makeOwner(parts, request, client, lang).catch((error: unknown) => {
    throw toTakenError(error);
  });
  parts.setupToken = undefined;
  parts.sessionAccounts.drop();
  return { answer: toLoginAnswer(parts, opened, lang), device: opened.device };
}
