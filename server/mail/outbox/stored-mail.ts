import * as z from "zod";
import type { OutgoingMail } from "../outgoing-mail.ts";
import type { ClaimedMessage } from "./claim-store.ts";
import type { MailSecrets } from "./secrets.ts";

/** A message that can't become a mail any more. The text is the reason, as the outbox tells it. */
export class StoredMailError extends Error {
  override name = "StoredMailError";
}

const common = {
  // Angle brackets, line ends or a space would end a command of SMTP; the others make a list or a comment of an address.
  recipient: z.string().regex(/^[^\s<>,;:"()@\p{Cc}]+@[^\s<>,;:"()@\p{Cc}]+$/u),
  language: z.enum(["en", "tr"]),
};
const ofPerson = { ...common, userId: z.number(), username: z.string() };
const withCode = { ...ofPerson, code: z.string(), expiresAt: z.string() };

const storedMail: z.ZodType<OutgoingMail> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("verification_code"), ...withCode }),
  z.object({ kind: z.literal("change_email_code"), ...withCode }),
  z.object({ kind: z.literal("password_reset"), ...withCode }),
  z.object({ kind: z.literal("account_exists"), ...ofPerson }),
  z.object({ kind: z.literal("account_made"), ...ofPerson }),
  z.object({
    kind: z.literal("new_sign_in"),
    ...ofPerson,
    device: z.string(),
    ipAddress: z.string(),
    at: z.string(),
  }),
  z.object({ kind: z.literal("address_changed"), ...ofPerson, newAddress: z.string(), at: z.string() }),
  z.object({ kind: z.literal("password_changed"), ...ofPerson, at: z.string() }),
  z.object({
    kind: z.literal("room_entered"),
    ...ofPerson,
    roomName: z.string(),
    roomSlug: z.string(),
    newcomerName: z.string(),
    expiresAt: z.string(),
  }),
  z.object({
    kind: z.literal("contact_message"),
    ...common,
    contactMessageId: z.number(),
    name: z.string(),
    email: z.string(),
    subject: z.string(),
    message: z.string(),
  }),
  z.object({ kind: z.literal("contact_acknowledgement"), ...common, contactMessageId: z.number() }),
  z.object({ kind: z.literal("test"), ...common }),
]);

function openCode({ token, secret }: ClaimedMessage, secrets: MailSecrets): string | undefined {
  if (secret === null) return undefined;
  try {
    return secrets.open(token, secret);
  } catch {
    // The cipher's own words say nothing more.
    throw new StoredMailError("Its code can't be read: the keys of the site are others now.");
  }
}

/** Why a message is sent to nobody: its account or contact message went. The database takes the reference out of the row. */
const GONE: Record<string, string> = {
  userId: "The account that it was for is gone.",
  contactMessageId: "The message that it tells of is gone.",
};

/** Makes the mail that was queued out of its row. @throws StoredMailError */
export function parseStoredMail(row: ClaimedMessage, secrets: MailSecrets): OutgoingMail {
  const parsed = storedMail.safeParse({
    ...(typeof row.vars === "object" ? row.vars : undefined),
    kind: row.kind,
    recipient: row.recipient,
    language: row.language,
    code: openCode(row, secrets),
    expiresAt: row.expires_at,
    contactMessageId: row.contact_message_id,
    userId: row.user_id,
  });
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map(({ path }) => String(path[0]));
  const gone = names.find((name) => name in GONE);
  // Names alone: the values are a person's.
  throw new StoredMailError(gone ? GONE[gone] : `It is incomplete: ${names.join(", ")}.`);
}
