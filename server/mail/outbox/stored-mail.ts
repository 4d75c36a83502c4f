import * as z from "zod";
import type { OutgoingMail } from "../kind.ts";
import { MAIL_KINDS } from "../kinds.ts";
import type { MailSecrets } from "../secrets.ts";
import type { ClaimedMessage } from "./claim-store.ts";

/** A message that can't become a mail any more. The text is the reason, as the outbox tells it. */
export class StoredMailError extends Error {
  override name = "StoredMailError";
}

/** What of a row a mail is made of. */
export type StoredMail = Pick<
  ClaimedMessage,
  | "token"
  | "secret"
  | "kind"
  | "recipient"
  | "language"
  | "vars"
  | "expires_at"
  | "contact_message_id"
  | "user_id"
>;

const addressed = z.object({
  // Angle brackets, line ends or a space would end a command of SMTP; the others make a list or a comment of an address.
  recipient: z.string().regex(/^[^\s<>,;:"()@\p{Cc}]+@[^\s<>,;:"()@\p{Cc}]+$/u),
  language: z.enum(["en", "tr"]),
});

function openCode({ token, secret }: StoredMail, secrets: MailSecrets): string | undefined {
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

function toFault(error: z.ZodError): StoredMailError {
  const names = error.issues.map(({ path }) => String(path[0]));
  const gone = names.find((name) => name in GONE);
  // Names alone: the values are a person's.
  return new StoredMailError(gone ? GONE[gone] : `It is incomplete: ${names.join(", ")}.`);
}

/** Makes the mail that was queued out of its row. @throws StoredMailError */
export function parseStoredMail(row: StoredMail, secrets: MailSecrets): OutgoingMail {
  const kind = MAIL_KINDS.get(row.kind);
  if (!kind) throw new StoredMailError("It is incomplete: kind.");
  const parsed = z.intersection(addressed, kind.values).safeParse({
    ...(typeof row.vars === "object" ? row.vars : undefined),
    recipient: row.recipient,
    language: row.language,
    code: openCode(row, secrets),
    expiresAt: row.expires_at ?? undefined,
    contactMessageId: row.contact_message_id ?? undefined,
    userId: row.user_id ?? undefined,
  });
  if (!parsed.success) throw toFault(parsed.error);
  return { ...parsed.data, kind: kind.name } as OutgoingMail; // the values were parsed with the schema of this kind
}
