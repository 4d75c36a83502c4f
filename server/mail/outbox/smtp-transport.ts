import nodemailer from "nodemailer";
import { cleanDiagnostic } from "../reports/clean-text.ts";
import { MailRefusedError, type MailTransport, readProviderId } from "./transports.ts";

const MAX_CONNECTIONS = 3;
const CONNECTION_TIMEOUT_MS = 10_000;
/** Servers look a sender up before they greet or take a message. */
const ANSWER_TIMEOUT_MS = 30_000;
/** For all of it: a server that trickles its answers is cut off. */
const DELIVERY_TIMEOUT_MS = 60_000;
/**
 * "Log in first" and its likes (RFC 4954, section 6) speak of the settings: once those are right the mail can go. So does
 * whatever is answered to MAIL FROM: that is the address of MAIL_BOUNCES, the same for every mail.
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
    async deliver({ message }) {
      try {
        const signal = AbortSignal.timeout(DELIVERY_TIMEOUT_MS);
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
