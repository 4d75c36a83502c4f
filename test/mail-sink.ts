import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/** What the sink does with a message that it has read to its end. */
export type SinkAnswer =
  | { kind: "accept"; afterMs?: number; text?: string }
  | { kind: "reject"; status: number; text: string }
  | { kind: "hang up" };

/** A message that came to the end of its DATA. Moments are of the sink's clock, in milliseconds. */
export interface SinkMail {
  /** Envelope, as the client gave it. */
  sender: string;
  recipient: string;
  /** Envelope id and what the client wants to be notified of, where the sink offers DSN. */
  dsn: { envid: string | null; ret: string | null; notify: string | null };
  raw: string;
  content: Email;
  receivedAt: number;
  /** When the 250 was written; undefined: it wasn't. */
  acceptedAt?: number;
  /** When the connection was gone. */
  closedAt?: number;
}

export interface MailSink {
  url: string;
  /** In the order of arrival, whatever the answer was. */
  mails: SinkMail[];
  /** Those that were answered 250. */
  readonly accepted: SinkMail[];
  /** Decides on each message; it may be changed at any time. */
  answer: (mail: SinkMail) => SinkAnswer;
  /** Decides on the sender of each message: undefined takes it. */
  answerSender: (sender: string) => { status: number; text: string } | undefined;
  /** Decides on each recipient before the message: undefined takes it. */
  answerRecipient: (recipient: string) => { status: number; text: string } | undefined;
  close(): Promise<void>;
}

/** The value of a header, unfolded. */
export function getHeader({ content }: SinkMail, name: string): string | undefined {
  return content.headers.find(({ key }) => key === name.toLowerCase())?.value;
}

const toSmtpError = ({ status, text }: { status: number; text: string }) =>
  Object.assign(new Error(text), { responseCode: status });

/**
 * A mail server of a test's own on a free port, without TLS. With `password` it takes mail of nobody else; with `isSecure`
 * it speaks TLS alone, with a certificate that nobody signed.
 */
export async function openMailSink(
  options: { offersDsn?: boolean; password?: string; isSecure?: boolean } = {},
): Promise<MailSink> {
  const bySession = new Map<string, SinkMail[]>();
  const server = new SMTPServer({
    secure: options.isSecure ?? false,
    // It would warn of its certificate, whose key everybody knows.
    logger: false,
    disabledCommands: options.password === undefined ? ["AUTH", "STARTTLS"] : ["STARTTLS"],
    onAuth({ username, password }, _session, callback) {
      if (password === options.password) callback(null, { user: username });
      else callback(toSmtpError({ status: 535, text: "wrong user or password" }));
    },
    disableReverseLookup: true,
    hideDSN: !options.offersDsn,
    closeTimeout: 0,
    onMailFrom({ address }, _session, callback) {
      const refusal = sink.answerSender(address);
      callback(refusal ? toSmtpError(refusal) : null);
    },
    onRcptTo({ address }, _session, callback) {
      const refusal = sink.answerRecipient(address);
      callback(refusal ? toSmtpError(refusal) : null);
    },
    onData(stream, session, callback) {
      void receive(stream, session).then(
        (answer) => {
          if (answer === "gone") return;
          if ("accepted" in answer) callback(null, answer.accepted);
          else callback(toSmtpError(answer));
        },
        (error: Error) => callback(error),
      );
    },
    onClose({ id }) {
      for (const mail of bySession.get(id) ?? []) mail.closedAt ??= Date.now();
    },
  });

  type Session = Parameters<NonNullable<typeof server.onData>>[1];

  function hangUp({ id }: Session): void {
    for (const connection of server.connections) if (connection.id === id) connection._socket.destroy();
  }

  async function receive(
    stream: NodeJS.ReadableStream,
    session: Session,
  ): Promise<"gone" | { accepted: string } | { status: number; text: string }> {
    const raw = await buffer(stream);
    const { mailFrom, rcptTo, dsn } = session.envelope;
    const [recipient] = rcptTo;
    const mail: SinkMail = {
      sender: mailFrom ? mailFrom.address : "",
      recipient: recipient?.address ?? "",
      dsn: {
        envid: dsn?.envid ?? null,
        ret: dsn?.ret ?? null,
        notify: [recipient?.dsn?.notify ?? []].flat().join(",") || null,
      },
      raw: raw.toString("latin1"),
      content: await PostalMime.parse(raw),
      receivedAt: Date.now(),
    };
    sink.mails.push(mail);
    bySession.set(session.id, [...(bySession.get(session.id) ?? []), mail]);
    const answer = sink.answer(mail);
    switch (answer.kind) {
      case "reject":
        return answer;
      case "hang up":
        hangUp(session);
        return "gone";
      case "accept":
        if (answer.afterMs) await sleep(answer.afterMs);
        if (mail.closedAt !== undefined) return "gone";
        mail.acceptedAt = Date.now();
        return { accepted: answer.text ?? "accepted" };
    }
  }

  const sink: MailSink = {
    url: "",
    mails: [],
    get accepted() {
      return this.mails.filter(({ acceptedAt }) => acceptedAt !== undefined);
    },
    answer: () => ({ kind: "accept" }),
    answerSender: () => undefined,
    answerRecipient: () => undefined,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  // A client that goes away in the middle is what some tests are about.
  server.on("error", () => undefined);
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  sink.url = `${options.isSecure ? "smtps" : "smtp"}://127.0.0.1:${(listener.address() as AddressInfo).port}`; // it listens on TCP
  return sink;
}
