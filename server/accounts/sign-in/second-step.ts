import type * as z from "zod/mini";
import type { PasskeyOptionsAnswer } from "#contract/accounts/second-factor.ts";
import type { passkeyLoginRequest, SecondFactorRequest } from "#contract/accounts/second-factor-requests.ts";
import type { Language } from "#contract/languages.ts";
import { recordAudit } from "#server/audit/service.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { logRefusal } from "../answers.ts";
import type { AccountDeps } from "../deps.ts";
import { noteWrongFactor, requireFactorGuess, takeTypedCode } from "../factors/codes.ts";
import { buildAssertionOptions, checkAssertion, type RelyingParty } from "../factors/passkeys.ts";
import { findCredentialsById, spendTicket } from "../factors/store.ts";
import { type Ticket, toPasswordMark } from "../factors/tickets.ts";
import type { Visitor } from "../sessions/devices.ts";
import { type SignedInAnswer, toLoginAnswer } from "../sessions/open-session.ts";
import { requireAdmitted } from "../store.ts";
import { enterAccount } from "./enter-account.ts";

/** How somebody came in; the log says it. */
type Way = "app_code" | "recovery_code" | "passkey";

async function proveFactor(
  deps: AccountDeps,
  db: Queryable,
  ticket: Ticket & { userId: number },
  { code = "", passkey }: SecondFactorRequest,
  site: RelyingParty | undefined,
): Promise<Way | undefined> {
  const { userId, challenge } = ticket;
  if (passkey) {
    const key = challenge && site && (await checkAssertion(deps, db, site, challenge, passkey, userId));
    return key ? "passkey" : undefined;
  }
  return takeTypedCode(deps, db, userId, code);
}

async function recordWrong(deps: AccountDeps, known: { id: number; username: string }, visitor: Visitor) {
  const { ipAddress, requestId } = visitor;
  const actor = { userId: known.id, username: known.username, level: 0, ipAddress, requestId };
  await recordAudit(deps.pool, actor, { action: "LOGIN", detail: "failed_second_factor" });
}

/** @throws AppError second_factor_over where the ticket is, or the password is another one since. */
async function requireTicket(deps: AccountDeps, text: string) {
  const ticket = deps.tickets.read(text, "second_factor");
  const known = ticket?.userId ? await findCredentialsById(deps.pool, ticket.userId) : undefined;
  if (!ticket || !known || toPasswordMark(known.password_hash) !== ticket.passwordMark)
    throw new AppError("second_factor_over");
  return { ticket: { ...ticket, userId: known.id }, known };
}

/**
 * The second half of a log-in.
 * @throws AppError second_factor_over, invalid_second_factor, too_many_logins, and what a log-in throws.
 */
export async function signInWithFactor(
  deps: AccountDeps,
  request: SecondFactorRequest,
  visitor: Visitor,
  site: RelyingParty | undefined,
  lang: Language,
): Promise<SignedInAnswer> {
  const { ticket, known } = await requireTicket(deps, request.ticket);
  const from = deps.knownDevices.find(visitor.cookies, known) ? "known_device" : "anywhere";
  const record = () => recordWrong(deps, known, visitor);
  const prove = async () => {
    const entered = await withTransaction(deps.pool, async (db) => {
      await requireFactorGuess(deps, db, known.id, from);
      const way = await proveFactor(deps, db, ticket, request, site);
      if (!way) {
        await noteWrongFactor(deps, db, known.id, from);
        return undefined;
      }
      if (!(await spendTicket(db, ticket.id, ticket.expiresAt))) throw new AppError("second_factor_over");
      return enterAccount(deps, db, known, { ...visitor, area: ticket.area }, { way });
    });
    if (entered) return entered;
    await record();
    throw new AppError("invalid_second_factor");
  };
  const guesser = { kind: "factor", userId: known.id, from } as const;
  const opened = await deps.bursts.count(known.username, visitor.ipAddress, () =>
    logRefusal(deps, visitor, () =>
      deps.limits.attempt(guesser, { wrong: "invalid_second_factor", onFirstRefusal: record }, prove),
    ),
  );
  return { answer: toLoginAnswer(deps, opened, lang), device: opened.device };
}

/** For a log-in by passkey alone: whose it is, the passkey says. */
export async function askPasskey(
  { tickets, callLimits }: AccountDeps,
  visitor: Visitor,
  site: RelyingParty | undefined,
): Promise<PasskeyOptionsAnswer> {
  if (!site) throw new AppError("passkeys_unavailable");
  await callLimits.take("passkey_request", visitor);
  const options = await buildAssertionOptions(site);
  const { challenge } = options;
  const { area } = visitor;
  const ticket = tickets.issue({ purpose: "sign_in", userId: null, passwordMark: null, challenge, area });
  return { options: { ...options }, ticket };
}

/**
 * A log-in by passkey alone, which is two factors by itself: the device, and the finger or PIN that opens it.
 * @throws AppError second_factor_over, passkey_unknown, too_many_requests, and what a log-in throws.
 */
export async function signInWithPasskey(
  deps: AccountDeps,
  { ticket: text, passkey }: z.infer<typeof passkeyLoginRequest>,
  visitor: Visitor,
  site: RelyingParty | undefined,
  lang: Language,
): Promise<SignedInAnswer> {
  const ticket = deps.tickets.read(text, "sign_in");
  if (!ticket?.challenge || !site) throw new AppError("second_factor_over");
  const { challenge, area } = ticket;
  const enter = async () => {
    await deps.callLimits.take("passkey_request", visitor);
    return withTransaction(deps.pool, async (db) => {
      const key = await checkAssertion(deps, db, site, challenge, passkey, null);
      const known = key && (await findCredentialsById(db, key.user_id));
      if (!known) throw new AppError("passkey_unknown");
      if (!(await spendTicket(db, ticket.id, ticket.expiresAt))) throw new AppError("second_factor_over");
      const entered = await enterAccount(deps, db, known, { ...visitor, area }, { way: "passkey" });
      if (entered) return entered;
      await requireAdmitted(db, known);
      throw new AppError("passkey_unknown");
    });
  };
  const opened = await deps.bursts.count(undefined, visitor.ipAddress, () =>
    logRefusal(deps, visitor, enter),
  );
  return { answer: toLoginAnswer(deps, opened, lang), device: opened.device };
}
