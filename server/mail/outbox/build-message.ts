import type { SendMailOptions } from "nodemailer";
import type { ComposedMail } from "../compose.ts";
import type { ClaimedMessage } from "./claim-store.ts";

/** Whose name mails carry, and where what can't be delivered comes back to. */
export interface Sender {
  from: { name: string; address: string };
  bounces: string;
  /** What the provider wants to be told so that its reports name the message. */
  toProviderHeaders?(reportToken: string): Record<string, string>;
}

/** The return path of one message: a bounce to it names the message, and nobody else knows the token. */
function toReturnPath(bounces: string, token: string): string {
  const at = bounces.lastIndexOf("@");
  return `${bounces.slice(0, at)}+b-${token}${bounces.slice(at)}`;
}

/** Names the message in reports that don't come to its return path: providers hand it on. */
const MESSAGE_ID_HEADER = "X-Foyer-Message-Id";

/** No machine is to answer, and a mail program may offer to stop such mails with one click (RFC 3834, RFC 8058). */
function buildHeaders(
  reportToken: string,
  sender: Sender,
  stopUrl: string | undefined,
): Record<string, string> {
  return {
    [MESSAGE_ID_HEADER]: reportToken,
    ...sender.toProviderHeaders?.(reportToken),
    "Auto-Submitted": "auto-generated",
    "X-Auto-Response-Suppress": "All",
    ...(stopUrl && {
      "List-Unsubscribe": `<${stopUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }),
  };
}

/**
 * The message with its envelope. Addresses are given as objects: a text would be read as a list of them. Every attempt
 * has the same Message-ID, date and return path.
 */
export function buildMessage(
  row: Pick<ClaimedMessage, "report_token" | "message_id" | "created_at" | "recipient">,
  composed: ComposedMail,
  sender: Sender,
  stopUrl: string,
): SendMailOptions {
  return {
    messageId: row.message_id,
    date: new Date(row.created_at),
    from: sender.from,
    to: { name: "", address: row.recipient },
    ...(composed.replyTo && { replyTo: composed.replyTo }),
    subject: composed.subject,
    text: composed.text,
    html: composed.html,
    headers: buildHeaders(row.report_token, sender, composed.canStop ? stopUrl : undefined),
    envelope: {
      from: toReturnPath(sender.bounces, row.report_token),
      to: [{ name: "", address: row.recipient }],
    },
    dsn: { id: row.report_token, return: "headers", notify: ["failure", "delay"], recipient: row.recipient },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
