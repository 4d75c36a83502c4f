import { openMailSink } from "#test/mail-sink.ts";

/**
 * The mail server of the bench, in a process of its own. Its receipts take a moment, so that some kills fall between the
 * end of a message and its 250. Asked for "copies", it tells what it has seen.
 */
const LONGEST_RECEIPT_MS = 400;

/** A message as the sink saw it. Moments in milliseconds. */
export interface SinkCopy {
  messageId: string;
  recipient: string;
  /** Empty when there is none in its text. */
  code: string;
  /** When the 250 was written; null: the connection was gone before. */
  acceptedAt: number | null;
  /** When the connection was gone; null: it is still open. */
  closedAt: number | null;
}

const CODE = /(?<!\d)\d{6}(?!\d)/;

const sink = await openMailSink();
sink.answer = () => ({ kind: "accept", afterMs: Math.random() * LONGEST_RECEIPT_MS });
process.on("message", () => {
  const copies: SinkCopy[] = sink.mails.map(({ content, recipient, acceptedAt, closedAt }) => ({
    messageId: content.messageId ?? "",
    recipient,
    code: CODE.exec(content.text ?? "")?.[0] ?? "",
    acceptedAt: acceptedAt ?? null,
    closedAt: closedAt ?? null,
  }));
  process.send?.({ copies });
});
process.on("disconnect", () => process.exit());
process.send?.({ url: sink.url });
