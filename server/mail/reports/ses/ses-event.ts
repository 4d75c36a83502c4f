import * as z from "zod/mini";
import { cleanDiagnostic } from "../../diagnostics.ts";

/*
 * What is kept of an event of SES: an allow-list. Subjects, other headers, tags and whatever Amazon may add one day are left
 * out. It reads loosely: a field that has another shape is left out as well, and `readSes` says what it misses.
 */

/** An address, an id, a moment, a word: kept as it is. */
const word = optional(z.string().check(z.maxLength(320), z.regex(/^[^\p{Cc}\p{Cs}]*$/u)));
const said = optional(z.pipe(z.string(), z.transform(cleanDiagnostic)));

function optional<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.catch(z.optional(schema), undefined);
}

function list<Schema extends z.ZodMiniType>(item: Schema) {
  return z.catch(z.array(item), []);
}

const recipient = z.object({ emailAddress: word, status: word, diagnosticCode: said });

/** By lower-case name: what a mail is found by, and the shape without which it is not kept. */
const KEPT_HEADERS: Readonly<Record<string, RegExp>> = {
  "x-foyer-message-id": /^[0-9a-f]{24}$/,
  "message-id": /^<[^\s<>]{1,300}>$/,
};

interface Header {
  name: string;
  value: string;
}

function isKept({ name, value }: Header): boolean {
  return KEPT_HEADERS[name.toLowerCase()]?.test(value) ?? false;
}

const headers = z.pipe(
  list(z.catch(z.object({ name: z.string(), value: z.string() }), { name: "", value: "" })),
  z.transform((all: Header[]) => all.filter(isKept)),
);

const mail = z.object({ timestamp: word, messageId: word, destination: list(word), headers });

/** Both dialects: `eventType` comes from a configuration set, `notificationType` from an identity's feedback. */
export const sesEvent = z.object({
  eventType: word,
  notificationType: word,
  mail: optional(mail),
  bounce: optional(
    z.object({
      bounceType: word,
      bounceSubType: word,
      bouncedRecipients: list(recipient),
      timestamp: word,
      feedbackId: word,
      reportingMTA: word,
    }),
  ),
  complaint: optional(
    z.object({
      complaintSubType: word,
      complaintFeedbackType: word,
      complainedRecipients: list(recipient),
      timestamp: word,
      feedbackId: word,
      userAgent: said,
    }),
  ),
  delivery: optional(
    z.object({ timestamp: word, recipients: list(word), smtpResponse: said, reportingMTA: word }),
  ),
  deliveryDelay: optional(
    z.object({ timestamp: word, delayType: word, delayedRecipients: list(recipient), reportingMTA: word }),
  ),
  reject: optional(z.object({ reason: said })),
  failure: optional(z.object({ errorMessage: said })),
});
export type SesEvent = z.infer<typeof sesEvent>;

const KEPT_TYPES: ReadonlySet<string> = new Set([
  "Send",
  "Delivery",
  "DeliveryDelay",
  "Bounce",
  "Complaint",
  "Reject",
  "Rendering Failure",
]);

export const toSesType = (event: SesEvent): string | undefined => event.eventType ?? event.notificationType;

/** What is stored of a message of a topic. An unreadable one is stored without its text, which may hold a subject. */
export type StoredSes =
  | { event: SesEvent }
  | { unreadable: string }
  | { confirmation: string; topic: string };

/** What SES sends to a new topic, as text and, for an identity's feedback, as `AmazonSnsSubscriptionSucceeded`. */
const GREETING = "Successfully validated SNS topic";

/** Undefined: nothing that is kept (greetings, opens, clicks, types that came after this was written). */
export function scrubSesMessage(message: string): StoredSes | undefined {
  if (message.startsWith(GREETING)) return undefined;
  const parsed = sesEvent.safeParse(parseJson(message));
  const type = parsed.data && toSesType(parsed.data);
  if (!parsed.data || type === undefined)
    return { unreadable: `The message (${message.length} characters) is not an event of Amazon SES.` };
  return KEPT_TYPES.has(type) ? { event: parsed.data } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // is no event either: the caller says so
  }
}
