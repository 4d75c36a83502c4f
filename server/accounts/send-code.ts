import { LIMITS } from "#contract/limits.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { OutgoingMail } from "#server/mail/service.ts";
import { lockCode, postponeCode, putCode } from "./code-store.ts";
import type { CodeSubject } from "./codes/store.ts";
import type { AccountParts } from "./deps.ts";

/** What an address is sent: a code for an account, word that it has one already, or nothing, because it has none. */
export type CodeMail =
  | { kind: "code"; userId: number; build: (code: string, expiresAt: string) => OutgoingMail }
  | { kind: "notice"; mail: OutgoingMail }
  | { kind: "nothing" };

const COOLDOWN_MS = LIMITS.codeResendCooldownS * 1000;

/**
 * Sends an address its one live code, unless it was sent one within 60 s, or ten mails within the hour. Whatever is sent, and
 * whether it is, who asks again is answered the same. The address is locked (`lockAddress`).
 * @returns seconds until another may be asked for.
 */
export async function sendCode(
  parts: AccountParts,
  db: Queryable,
  subject: CodeSubject,
  wanted: CodeMail,
): Promise<number> {
  const now = parts.clock();
  const last = await lockCode(db, subject);
  const remainingMs = last ? Date.parse(last.sent_at) + COOLDOWN_MS - now : 0;
  if (remainingMs > 0) return Math.ceil(remainingMs / 1000);
  const sentAt = new Date(now).toISOString();
  // What sends nothing isn't counted: else silent requests of a stranger would use up what the address's owner needs.
  const isWithheld =
    wanted.kind !== "nothing" &&
    !parts.callLimits.takeMail("code_sent", `${subject.purpose} ${subject.email}`);
  if (isWithheld && last) {
    await postponeCode(db, last.id, sentAt);
    return LIMITS.codeResendCooldownS;
  }
  const mail: CodeMail = isWithheld ? { kind: "nothing" } : wanted;
  const code = parts.codes.generate();
  const expiresAt = new Date(now + LIMITS.codeLifetimeS * 1000).toISOString();
  const hash = parts.codes.hash(subject, code);
  const isCode = mail.kind === "code";
  await putCode(db, subject, {
    userId: isCode ? mail.userId : null,
    hash: isCode ? hash : null,
    sentAt,
    expiresAt,
  });
  if (mail.kind !== "nothing") {
    await parts.mail.queue(db, isCode ? mail.build(code, expiresAt) : mail.mail);
  }
  return LIMITS.codeResendCooldownS;
}
