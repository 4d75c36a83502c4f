import * as z from "zod";
import type { Language } from "#contract/languages.ts";
import { DEFAULT_ACCENT } from "#contract/site/accent.ts";
import type { MailSite } from "./compose.ts";
import type { MailKind, OutgoingMail } from "./kind.ts";
import { MAIL_KINDS } from "./kinds.ts";

/** That of an owner who left words and colour to the product. */
export const SITE: MailSite = {
  name: "Ada Lovelace",
  origin: "https://site.test",
  stopUrl: "https://site.test/api/mail/unsubscribe/0123456789abcdef0123456789abcdef/",
  words: { greeting: "", signature: "", receipt: "" },
  accent: DEFAULT_ACCENT,
};

const AT = "2026-11-20T21:53:00Z";

/** Values that fit a kind without an example of its own, by their names and types. @throws ZodError where they don't fit. */
function guessValues({ values }: MailKind, text: string): object {
  const known = { code: "123456", at: AT, expiresAt: AT };
  const shape: Readonly<Record<string, unknown>> = values instanceof z.ZodObject ? values.shape : {};
  const guessed = Object.entries(shape).map(([name, type]) => {
    const inner = type instanceof z.ZodOptional ? type.unwrap() : type;
    return [name, inner instanceof z.ZodNumber ? 7 : text];
  });
  return values.parse({ ...Object.fromEntries(guessed), ...known });
}

/** One mail of each kind: as it is written here where its words want to be tried, else as its values allow. */
export function buildMails(language: Language, text = "Işıl Örnek"): OutgoingMail[] {
  const to = { recipient: "isil@foyer.example", language };
  const account = { userId: 7, username: text };
  const code = { ...account, code: "123456", expiresAt: AT };
  const mails = {
    verification_code: { kind: "verification_code", ...to, ...code },
    change_email_code: { kind: "change_email_code", ...to, ...code },
    password_reset: { kind: "password_reset", ...to, ...code },
    account_exists: { kind: "account_exists", ...to, ...account },
    registration_decided: { kind: "registration_decided", ...to, ...account, decision: "refused" },
    registrations_waiting: { kind: "registrations_waiting", ...to, count: "3" },
    account_made: { kind: "account_made", ...to, ...account },
    new_sign_in: {
      kind: "new_sign_in",
      ...to,
      ...account,
      device: text === "Işıl Örnek" ? "Firefox · Windows" : text,
      ipAddress: "2001:db8::7",
      at: AT,
    },
    address_changed: { kind: "address_changed", ...to, ...account, newAddress: "new@foyer.example", at: AT },
    password_changed: { kind: "password_changed", ...to, ...account, at: AT },
    second_factor_changed: {
      kind: "second_factor_changed",
      ...to,
      ...account,
      at: AT,
      change: "passkey_added",
    },
    room_entered: {
      kind: "room_entered",
      ...to,
      ...account,
      roomName: `Tea ${text}`,
      roomSlug: "tea-room",
      newcomerName: text,
      expiresAt: AT,
    },
    contact_message: {
      kind: "contact_message",
      ...to,
      contactMessageId: 4,
      name: text,
      email: "visitor@foyer.example",
      subject: `A question: ${text}`,
      message: `How do you test this?\n\nWith care, and\ton two lines.\n${text}`,
    },
    contact_acknowledgement: { kind: "contact_acknowledgement", ...to, contactMessageId: 4 },
    backup_alarm: {
      kind: "backup_alarm",
      ...to,
      what: "backup",
      state: "failed",
      reason: "ENOSPC: no space left on device, write",
    },
    delivery_alarm: {
      kind: "delivery_alarm",
      ...to,
      bounces: "6",
      bouncesTotal: "120",
      bouncesDays: "7",
      complaints: "3",
      complaintsTotal: "80",
      complaintsDays: "7",
      holds: "yes",
    },
    address_check: { kind: "address_check", ...to, ...account },
    test: { kind: "test", ...to },
    return_test: { kind: "return_test", ...to },
  } satisfies { [Kind in OutgoingMail["kind"]]?: OutgoingMail<Kind> };
  const others = [...MAIL_KINDS.values()].filter(({ name }) => !(name in mails));
  // The schema of the kind has taken its values.
  const guessed = others.map(
    (kind) => ({ kind: kind.name, ...to, ...guessValues(kind, text) }) as OutgoingMail,
  );
  return [...Object.values(mails), ...guessed];
}
