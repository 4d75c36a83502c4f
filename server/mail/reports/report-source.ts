import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import * as z from "zod";
import type { Language } from "#contract/languages.ts";
import { readFilled } from "#contract/mail/reasons.ts";
import en from "#locales/en/mail-refusals.json" with { type: "json" };
import tr from "#locales/tr/mail-refusals.json" with { type: "json" };
import { fill } from "../content.ts";
import { ADDRESS_CODES, cleanDiagnostic } from "../diagnostics.ts";

/** What can become of a mail behind the outbox, as a source reports it. */
export type ReportedKind =
  | "sent"
  | "delayed"
  | "delivered"
  | "bounced"
  | "rejected"
  | "complained"
  | "failed";

/** A mail came back. Types and subtypes are Amazon SES's words, whatever the source. */
export interface BounceDetails {
  type: "Permanent" | "Transient" | "Undetermined";
  /** `General`, `NoEmail`, `MailboxFull`, `MessageTooLarge`, `ContentRejected` …; a source's own word stays. */
  subtype: string;
  /** False: staff is asked before a Permanent one suppresses. Undefined: the source gives a code, which decides. */
  isCertain?: boolean;
}

/** Somebody called a mail spam, or asked their provider to stop such mails. */
export interface ComplaintDetails {
  /** As the report says it, in lower case: `abuse`, `fraud`, `virus`, `not-spam`, `opt-out` …; null: it doesn't say. */
  feedbackType: string | null;
  userAgent: string | null;
  /** How many recipients the complaint may be of: providers take addresses out. More than one suppresses nobody by itself. */
  candidates: number;
}

/**
 * By what the mail of an event is found, the surest first: the secret of its return path (24 hexadecimal digits), the
 * provider's own id of it, our Message-ID with its angle brackets.
 */
export interface MailReference {
  reportToken?: string | undefined;
  providerId?: string | undefined;
  messageId?: string | undefined;
}

/** What a report says of one recipient of one mail. */
export interface ReportedEvent {
  kind: ReportedKind;
  /** The same for the same news of one source, however often it comes; recipients of one report share it. */
  key: string;
  /** ISO moment, as the source says it: anybody's word, so it is shown and never counted by. Null: not said. */
  occurredAt: string | null;
  /** The address as the source writes it; null where it was taken out of the report. */
  recipient: string | null;
  mail: MailReference;
  bounce?: BounceDetails;
  complaint?: ComplaintDetails;
  /** Enhanced status code (RFC 3463), such as `5.1.1`. */
  statusCode?: string | undefined;
  /** What the other server said, at most 500 characters, in one line. */
  diagnostic?: string | undefined;
  /** The source's id of a bounce or complaint. */
  feedbackId?: string | undefined;
  /** The server that reports. */
  reportingServer?: string | undefined;
}

/**
 * A report that is proven, without what nobody may read later: subjects, bodies and returned messages are cut. Storing it and
 * reading it again gives the same events, so it can be replayed with a better parser.
 */
export interface ProvenReport {
  /** The source's id of the report: the same one sent twice has the same key. */
  key: string;
  /** JSON that `read` understands. */
  content: unknown;
  /** Not a report: somebody has to open this link to make the provider send reports. It is never fetched by itself. */
  confirmation?: { url: string; topic: string };
}

/** A way in for reports. */
export interface ReportSource {
  /** Stands in the webhook's address and in each report: `ses`, `postmark`, `mailgun`, `signed`, `returned`. */
  name: string;
  /** A webhook's body that is longer is refused unread. */
  bodyMaxBytes: number;
  /**
   * Proves a report and scrubs it. Undefined: nothing that is kept (opens, clicks, a provider's greeting).
   * @param ipAddress who sends it: what costs a request of ours is bounded by it until the report is proven
   * @throws ReportRefusedError, or AppError `unavailable` where it can't be proven now
   */
  verify(
    raw: Buffer,
    headers: IncomingHttpHeaders,
    ipAddress?: string | null,
  ): Promise<ProvenReport | undefined>;
  /** The events of a stored report. @throws Error when it can't be understood: it stays unread, and staff see why. */
  read(content: unknown): readonly ReportedEvent[];
}

const TEXTS = { en, tr } satisfies Record<Language, typeof en>;

/** Why a report is not taken. */
export type Refusal = keyof typeof en;

/** As it is logged and stored. */
export function toRefusalText(
  refusal: Refusal,
  vars: Readonly<Record<string, string | number>> = {},
): string {
  return fill(en[refusal], vars);
}

/** What was stored, in the reader's language. */
export function translateRefusal(text: string, lang: Language): string {
  const filled = readFilled(en, text);
  return filled ? fill(TEXTS[lang][filled.key], filled.vars) : text;
}

/** A report that is not taken: 400 it is malformed, 403 it isn't proven. Its text is for the site's staff, never an answer's. */
export class ReportRefusedError extends Error {
  override name = "ReportRefusedError";
  readonly status: 400 | 403;

  constructor(status: 400 | 403, refusal: Refusal, vars?: Readonly<Record<string, string | number>>) {
    super(toRefusalText(refusal, vars));
    this.status = status;
  }
}

const hash = (text: string) => createHash("sha256").update(text).digest();

/** Takes the same time wherever the two differ, and whatever their lengths are. */
export function isSameSecret(given: string, own: string): boolean {
  return timingSafeEqual(hash(given), hash(own));
}

/** HMAC-SHA256 of the parts, one behind the other, in lower-case hexadecimal digits. */
export function signHex(key: string, ...parts: (string | Buffer)[]): string {
  const hmac = createHmac("sha256", key);
  for (const part of parts) hmac.update(part);
  return hmac.digest("hex");
}

/** Any JSON. @throws ReportRefusedError 400 */
export function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(raw));
  } catch {
    throw new ReportRefusedError(400, "noJson");
  }
}

/** The value without whatever the schema doesn't name. @throws ReportRefusedError 400 that names the first fault */
export function parseShape<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ReportRefusedError(400, "shape", {
    field: issue?.path.join(".") || "The body",
    fault: issue?.message ?? "wrong",
  });
}

/** Long enough for what servers answer in many lines; only 500 characters of it are kept. */
const MAX_RAW_DIAGNOSTIC_LENGTH = 20_000;

/** One line that PostgreSQL can store: no control characters, no half of a pair. */
export const shortText = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), "Invalid characters");

/** An address as the source writes it; 64 characters, the sign and 255 are the most that SMTP can carry. */
export const recipientText = shortText(320);

/** What another server said, cleaned before it leaves the schema; cleaning it again changes nothing. */
export const diagnosticText = z.string().max(MAX_RAW_DIAGNOSTIC_LENGTH).transform(cleanDiagnostic);

/** The secret of a mail's return path: 24 hexadecimal digits. */
export const reportTokenText = z
  .string()
  .regex(/^[0-9a-f]{24}$/i)
  .toLowerCase();

/** For what a source may leave out, write as null, or fill with something of its own that says nothing to us. */
export const ifUsable = <Schema extends z.ZodType>(schema: Schema) =>
  z.optional(schema).catch(() => undefined);

/** A Message-ID with its angle brackets, whether it came with them or not. */
export function toMessageId(text: string): string {
  return text.startsWith("<") ? text : `<${text}>`;
}

/** ISO moment in UTC; null where it is none. */
export function toMoment(text: string | number | undefined): string | null {
  const date = new Date(text ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** A number with dots around it is an address or a version. */
const STATUS_CODE = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?!\.?\d)/;

/** The first enhanced status code of a refusal (RFC 3463) in what a server said. */
export function findStatusCode(...texts: (string | undefined)[]): string | undefined {
  for (const text of texts) {
    const found = text?.match(STATUS_CODE)?.[0];
    if (found) return found;
  }
  return undefined;
}

/**
 * What a status code says of a bounce; without a code, or with one that says little, the provider's own word for it.
 * A refusal of us or of the message (5.7.x, 5.6.x) doesn't condemn the address, whatever the provider calls it.
 */
export function toBounceDetails(statusCode: string | undefined, otherwise: BounceDetails): BounceDetails {
  if (statusCode === undefined) return otherwise;
  if (statusCode === "5.1.1") return { type: "Permanent", subtype: "NoEmail" };
  // Providers write 5.1.0 of addresses too; staff are asked about it.
  if (ADDRESS_CODES.has(statusCode) || statusCode === "5.1.0")
    return { type: "Permanent", subtype: "General" };
  if (/^[45]\.2\.2$/.test(statusCode)) return { type: "Transient", subtype: "MailboxFull" };
  if (/^[45]\.(2\.3|3\.4)$/.test(statusCode)) return { type: "Transient", subtype: "MessageTooLarge" };
  if (/^[45]\.6\./.test(statusCode)) return { type: "Transient", subtype: "ContentRejected" };
  if (/^(4\.|5\.7\.)/.test(statusCode)) return { type: "Transient", subtype: "General" };
  return otherwise;
}
