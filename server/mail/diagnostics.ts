/** What is known of why a mail was not delivered. */
export interface Failure {
  /** Enhanced status code (RFC 3463) as the report gives it, such as `5.1.1`. */
  statusCode?: string | undefined;
  /** What the other server answered. */
  diagnostic?: string | undefined;
  /** What the report says of this recipient in its text for people. */
  text?: string | undefined;
}

/** Amazon SES's words for it. */
export interface Classification {
  type: "Permanent" | "Transient" | "Undetermined";
  subtype: string;
  /** False: `Permanent` is likely and not sure, so staff is asked before anybody is written to no more. */
  isCertain: boolean;
  /** The other server refuses us or our settings. It says nothing of the address. */
  isOurReputation: boolean;
}

/** These (RFC 3463) say that the address takes no mail, and nothing else. 5.1.0 says it only with a null MX. */
export const ADDRESS_CODES: ReadonlySet<string> = new Set([
  "5.1.1", // no such mailbox
  "5.1.2", // no such domain
  "5.1.6", // moved, no new address
  "5.1.10", // null MX (RFC 7505)
  "5.2.1", // mailbox disabled
  "5.4.4", // the domain has no server
]);

/** These speak of the sender's address, which is ours. */
const SENDER_CODES: ReadonlySet<string> = new Set(["5.1.7", "5.1.8"]);

/** Whatever the code: the server refuses who we are, or what our account there may do. */
const REFUSALS_OF_US = [
  /\brelay(ing)? (access )?(is )?(denied|not (permitted|allowed)|prohibited)/,
  /\b(unable|not (permitted|allowed|authorized)) to relay\b/,
  /\baddress(es)? (is|are)? ?not verified\b/,
  /\bsandbox\b/,
  /\b(sending|daily|hourly|message|sender) (message |sending )?(quota|limit|rate)\b/,
  /\bauthentication (is )?required\b/,
  /\b(sender|client|helo|client host|sender address|helo command) (is )?(rejected|denied|blocked)\b/,
  /\b(black|block|deny) ?list(ed)?\b|\bblocked using\b|\bspamhaus\b/,
  /\b(poor|low|bad) reputation\b/,
  /\b(spf|dkim|dmarc)\b/,
];

/** How servers that give no clear code say that there is no such mailbox. */
const NO_MAILBOX =
  /\b(unroute?able address|user unknown|unknown user|no such (user|mailbox|person|recipient|address|domain)|no mailbox here|(user|mailbox|recipient|account) (was )?not found|(unknown|invalid) (recipient|mailbox)|(recipient|addressee) unknown|(user|mailbox|account|recipient)( that you tried to reach)? (does not|doesn't) exist|not a valid mailbox)\b/;

const NULL_MX = /\bnull ?mx\b/;

const CONTENT = /\b(spam|junk|content|virus|malware|phishing|attachment)\b/;
const AFTER_DATA = /\b(in reply to|after) (the )?(end of )?data\b/;
const BEFORE_DATA = /\b(in reply to|after) (the )?(rcpt|mail|helo|ehlo)\b/;

const STATUS_CODE = /^\s*([245]\.\d{1,3}\.\d{1,3})(?![\d.])/;
/** Behind a reply code (`550 5.1.1`, `550-5.1.1`), or as qmail writes it (`#5.1.1`): not a version or an address of a network. */
const STATUS_CODE_IN_TEXT = /(?:^|\b[245]\d\d[ -]#?|#)([245]\.\d{1,3}\.\d{1,3})(?!\d|\.\d)/;
const REPLY_CODE = /^\s*([245])\d\d\b/;

function findCodeIn(text: string | undefined): string | undefined {
  return STATUS_CODE_IN_TEXT.exec(text ?? "")?.[1];
}

/**
 * The code that says most: the report's own, or, where that is missing or `5.0.0`, one of the answer or the text. A report
 * that says "for now" (4) is never made worse by its text.
 */
export function findStatusCode({ statusCode, diagnostic, text }: Failure): string | undefined {
  const own = STATUS_CODE.exec(statusCode ?? "")?.[1];
  if (own !== undefined && own !== "5.0.0") return own;
  const other = findCodeIn(diagnostic) ?? findCodeIn(text);
  return other !== undefined && (own === undefined || other.startsWith("5.")) ? other : own;
}

const MAX_WORDS_CHARS = 4_000;

const judge = (
  type: Classification["type"],
  subtype: string,
  more: Partial<Pick<Classification, "isCertain" | "isOurReputation">> = {},
): Classification => ({ type, subtype, isCertain: true, isOurReputation: false, ...more });

/** In lower case and without addresses: `spf@example.net` says nothing about SPF. */
function toWords({ diagnostic, text }: Failure): string {
  return [diagnostic, text]
    .join("\n")
    .slice(0, MAX_WORDS_CHARS)
    .toLowerCase()
    .replace(/[^\s<>]{1,320}@[^\s<>]{1,320}/g, " ")
    .replace(/\s+/g, " ");
}

/** A refusal by rule: of the content, or of us. */
function judgeRefusal(words: string, isOfUs: boolean): Classification {
  const isOfContent = !isOfUs && !BEFORE_DATA.test(words) && (AFTER_DATA.test(words) || CONTENT.test(words));
  return isOfContent
    ? judge("Transient", "ContentRejected")
    : judge("Transient", "General", { isOurReputation: true });
}

/** A failure for good whose code alone doesn't say whether it is the address. */
function judgeByWords(code: string | undefined, words: string): Classification {
  if (code?.startsWith("5.1.") && NULL_MX.test(words)) return judge("Permanent", "General");
  if (NO_MAILBOX.test(words))
    return judge("Permanent", "General", { isCertain: /^5\.[012]\./.test(code ?? "") });
  if (code?.startsWith("5.1.")) return judge("Permanent", "General", { isCertain: false });
  if (code && /^5\.[345]\./.test(code)) return judge("Transient", "General");
  return judge("Undetermined", "General");
}

/**
 * What a failure says of the address (facts of RFC 3463 and of what servers do with it). Used for reports, and for the answer
 * that our own next server gives to RCPT. Only what speaks of the address is `Permanent`; what is unclear is
 * `Undetermined`, which lists show as Transient.
 */
export function classifyFailure(failure: Failure): Classification {
  const code = findStatusCode(failure);
  const words = toWords(failure);
  if (code && /^[45]\.2\.2$/.test(code)) return judge("Transient", "MailboxFull");
  if (code && /^[45]\.(2\.3|3\.4)$/.test(code)) return judge("Transient", "MessageTooLarge");
  const isOfUs = REFUSALS_OF_US.some((phrase) => phrase.test(words));
  const digit = code?.[0] ?? REPLY_CODE.exec(failure.diagnostic ?? "")?.[1];
  if (digit === "4") return judge("Transient", "General", { isOurReputation: isOfUs });
  if (digit === "2") return judge("Undetermined", "General");

  const isByRule = code?.startsWith("5.7.") || findCodeIn(failure.diagnostic)?.startsWith("5.7.");
  if (isOfUs || isByRule) return judgeRefusal(words, isOfUs);
  if (code === undefined) return judgeByWords(code, words);
  if (code.startsWith("5.6.")) return judge("Transient", "ContentRejected");
  if (SENDER_CODES.has(code)) return judge("Transient", "General", { isOurReputation: true });
  if (ADDRESS_CODES.has(code)) return judge("Permanent", code === "5.1.1" ? "NoEmail" : "General");
  return judgeByWords(code, words);
}

/** RFC 3463, X.7: the server's rules refuse who we are or what we send, whoever the mail is to. */
const BY_RULE = /^[45]\.7\./;

/** Whether a failure says nothing of its recipient: by its words or its code the other server refuses us. */
export function isRefusalOfUs(failure: Failure): boolean {
  const codes = [findStatusCode(failure), findCodeIn(failure.diagnostic)];
  return classifyFailure(failure).isOurReputation || codes.some((code) => BY_RULE.test(code ?? ""));
}

const MAX_CHARACTERS = 500;

/** A quoted header in its encoded form (RFC 2047): it can hold a subject that no digit shows. */
const ENCODED_WORD = /=\?[^?\s]{1,60}\?[bq]\?[^?\s]*\?=/gi;

/** Six digits that stand apart from others: servers quote subjects, and a code that is still good begins one. */
const CODE = /(?<!\d)\d{6}(?!\d)/g;

const MASK = "••••••";

/**
 * What another server said, fit to be stored and shown to staff: one line of at most 500 characters without control
 * characters, with `••••••` in place of what may be a code. Cleaning it again changes nothing.
 */
export function cleanDiagnostic(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/\p{Cf}/gu, "") // invisible: they would part a code's digits, or turn the direction of the line
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  // Masked first: a cut can leave five digits of a code.
  const masked = line.replace(ENCODED_WORD, MASK).replace(CODE, MASK);
  return masked.length > MAX_CHARACTERS ? `${masked.slice(0, MAX_CHARACTERS - 1)}…`.toWellFormed() : masked;
}
