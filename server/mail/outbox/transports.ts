import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import nodemailer, { type SendMailOptions } from "nodemailer";
import MailComposer from "nodemailer/lib/mail-composer";
import { writeWhole } from "../../base/write-whole.ts";
import { classifyFailure, cleanDiagnostic } from "../diagnostics.ts";
import type { Refusal } from "./lease-store.ts";
import type { ReturnPath, ReturnPathKind } from "./message.ts";

/** A message on its way. */
export interface Parcel {
  id: number;
  /** ISO moment at which it was queued. */
  createdAt: string;
  message: SendMailOptions;
  /** Aborted: another process may send it. What the other side hasn't taken by then is cut off. */
  signal?: AbortSignal;
}

/** The other side said no for good: the same message would get the same answer again. The text is its answer. */
export class MailRefusedError extends Error {
  override name = "MailRefusedError";
  /** It was said to the recipient's address, before the message was sent: it may be about the address. */
  readonly isOfRecipient: boolean;

  constructor(
    answer: string,
    { isOfRecipient = false, cause }: { isOfRecipient?: boolean; cause?: unknown } = {},
  ) {
    super(answer, { cause });
    this.isOfRecipient = isOfRecipient;
  }
}

/**
 * What a final no means. Only a code of the address, said to the address, is a return: a quota, a sandbox, a relay that doesn't
 * know us or what a filter thinks of the text condemns nobody's address.
 */
export function toRefusal({ message: diagnostic, isOfRecipient }: MailRefusedError): Refusal {
  const statusCode = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(diagnostic)?.[1];
  const { type, subtype, isCertain } = classifyFailure({ statusCode, diagnostic });
  const isAddress = isOfRecipient && type === "Permanent" && isCertain;
  return isAddress
    ? { kind: "bounced", statusCode, bounceSubtype: subtype }
    : { kind: "rejected", statusCode };
}

/** A way out for mails. */
export interface MailTransport {
  /**
   * Hands a message over. A second call with the same message makes a second copy of it, nothing else.
   * @returns what the other side answered. @throws MailRefusedError; any other error means that it may go later.
   */
  deliver(parcel: Parcel): Promise<string>;
  /** Cuts what is still open. */
  close(): Promise<void>;
}

/** Amazon SES's id of a mail stands in its answer: `250 Ok 0107019a-…-000000`. Undefined: another server, or one that doesn't say. */
export function readProviderId(response: string): string | undefined {
  return /^250 Ok ([\w-]{20,80})$/.exec(response.trim())?.[1];
}

const MAX_CONNECTIONS = 3;
const CONNECTION_TIMEOUT_MS = 10_000;
/** Servers look a sender up before they greet or take a message. */
const ANSWER_TIMEOUT_MS = 30_000;
/** For all of it: a server that trickles its answers is cut off. */
const DELIVERY_TIMEOUT_MS = 60_000;
/**
 * "Log in first" and its likes (RFC 4954, section 6) speak of the settings: once those are right the mail can go. So does
 * whatever is answered to MAIL FROM: that is an address of ours, of the same kind for every mail.
 */
const SETTINGS_FAULTS: ReadonlySet<number> = new Set([530, 534, 535, 538]);

/** nodemailer's errors have these. */
interface SmtpFault extends Error {
  code?: string;
  /** What the server answered to, such as `RCPT TO`. */
  command?: string;
  responseCode?: number;
  response?: string;
}

/** Codes of nodemailer's errors that speak of this message or its addresses, not of the connection or the log-in. */
const MESSAGE_FAULTS: ReadonlySet<string> = new Set(["EENVELOPE", "EMESSAGE"]);

/** A refusal for good: the server answered 5xx to the addresses or the message, or they can't be put on the wire at all. */
function isRefusal({ code, command, responseCode }: SmtpFault): boolean {
  if (command === "MAIL FROM" && responseCode !== undefined) return false;
  if (!MESSAGE_FAULTS.has(code ?? "")) return false;
  return responseCode === undefined || (responseCode >= 500 && !SETTINGS_FAULTS.has(responseCode));
}

/** How servers say, later than at MAIL FROM, that the log-in may not send with this envelope sender: Postfix at RCPT TO, Exchange after DATA. */
const SENDER_REFUSED =
  /\bsender address rejected\b|\bnot owned by (user|auth)|\bsend ?as ?denied\b|\bpermissions? to send as\b|\bnot (allowed|authori[sz]ed|permitted) to send (as|from|with)\b|\b5\.7\.60\b|\b5\.2\.252\b/i;

const toFault = (error: unknown) =>
  (error instanceof MailRefusedError ? error.cause : error) as Partial<SmtpFault> | undefined; // whatever `deliver` throws is one of the two

/** The answer of a server that refuses the envelope's sender for good; undefined: it is about something else. @param error what `deliver` threw. */
function findSenderRefusal(error: unknown): string | undefined {
  const { command, responseCode = 0, response = "" } = toFault(error) ?? {};
  if (responseCode < 500 || SETTINGS_FAULTS.has(responseCode)) return undefined;
  const isOfSender = command === "MAIL FROM" || SENDER_REFUSED.test(response);
  return isOfSender ? cleanDiagnostic(response) : undefined;
}

/** Whether the server took the envelope's sender before it refused something else. @param error what `deliver` threw. */
function isBehindSender(error: unknown): boolean {
  const { command, responseCode } = toFault(error) ?? {};
  const isLater = command === "RCPT TO" || command === "DATA";
  return isLater && responseCode !== undefined && findSenderRefusal(error) === undefined;
}

/** Only a server that takes the plain address is remembered: one that refuses that too refuses us. */
async function handPlain(hand: () => Promise<string>, noteRefused: () => Promise<void>): Promise<string> {
  try {
    const response = await hand();
    await noteRefused();
    return response;
  } catch (error) {
    if (isBehindSender(error)) await noteRefused();
    throw error;
  }
}

/** Where the server refuses a return path of the mail's own, it goes at once with the sender's plain address. */
export async function deliverBy(
  returnPath: ReturnPath,
  hand: (path: ReturnPathKind) => Promise<string>,
): Promise<string> {
  if ((await returnPath.choose()) === "sender") return hand("sender");
  try {
    const response = await hand("verp");
    await returnPath.noteTaken();
    return response;
  } catch (error) {
    const answer = findSenderRefusal(error);
    if (answer === undefined) throw error;
    return handPlain(
      () => hand("sender"),
      () => returnPath.noteRefused(answer),
    );
  }
}

/**
 * Mail through a server. The address may say more (`?requireTLS=true`, `?tls.rejectUnauthorized=false`); without it,
 * smtp:// is encrypted where the server offers that, and smtps:// always.
 */
export function createSmtpTransport(url: string): MailTransport {
  const mailer = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // Only for a connection that turns out to be dead before a byte of the message was sent.
    maxRequeues: 1,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: ANSWER_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
    dnsTimeout: CONNECTION_TIMEOUT_MS,
  });
  return {
    async deliver({ message, signal: ended }) {
      try {
        const limit = AbortSignal.timeout(DELIVERY_TIMEOUT_MS);
        const signal = ended ? AbortSignal.any([limit, ended]) : limit;
        const { response } = await mailer.sendMail({ ...message, signal });
        // An id ends in six digits, which would be taken for a code.
        return readProviderId(response) ? response : cleanDiagnostic(response);
      } catch (error) {
        const fault = error as SmtpFault; // whatever fails here went through nodemailer
        fault.message = cleanDiagnostic(fault.message);
        if (!isRefusal(fault)) throw fault;
        const isOfRecipient = fault.command === "RCPT TO" && fault.responseCode !== undefined;
        const answer = cleanDiagnostic(fault.response ?? fault.message);
        throw new MailRefusedError(answer, { isOfRecipient, cause: error });
      }
    },
    async close() {
      mailer.close({ force: true });
    },
  };
}

/** `20261120T220305Z-42.eml`: in the order of time, the same for each attempt. */
function toFileName({ id, createdAt }: Pick<Parcel, "id" | "createdAt">): string {
  return `${toStamp(new Date(createdAt))}-${id}.eml`;
}

function toStamp(moment: Date): string {
  return moment.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** Mails hold codes and what people wrote: nobody else on the machine may read them. */
const MAIL_FILE_MODE = 0o600;

/** Mails as files in a folder, for a site without a mail server. `log` gets the name of each. */
export function createFileTransport(
  folder: string,
  log: { info(details: object, message: string): void },
): MailTransport {
  return {
    async deliver({ message, signal: _signal, ...parcel }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, toFileName(parcel));
      await writeWhole(path, await new MailComposer(message).compile().build(), MAIL_FILE_MODE);
      log.info({ file: path }, "a mail was written to a file");
      return path;
    },
    async close() {},
  };
}

/**
 * Removes mails that are older than `before`, those of the rows `ids`, and old drafts that a crash left behind. A folder
 * that isn't there is empty.
 */
export async function deleteMailFiles(folder: string, before: Date, ids: readonly number[]): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return [];
  });
  const endings = new Set(ids.map((id) => `${id}.eml`));
  const isOld = (name: string) => name < toStamp(before) && /\.(eml|part)$/.test(name);
  const isNamed = (name: string) => endings.has(name.slice(name.indexOf("-") + 1));
  for (const name of names.filter((name) => isOld(name) || isNamed(name)))
    await rm(join(folder, name), { force: true });
}
