import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { SMTPServer, type SMTPServerDataStream } from "smtp-server";
import { toRefusalText } from "../report-source.ts";
import type { ReportIntake } from "../reports.ts";
import { createMaildirReader, type MaildirReader } from "./maildir.ts";
import { findTokenIn, RETURNED_LIMITS } from "./returned-mail.ts";
import { returnedSource } from "./returned-source.ts";

const MAX_RECIPIENTS = 10;
/** A client that trickles is never idle: after so many idle times its connection is cut. */
const IDLE_TIMES_MAX = 10;

export interface InboundOptions {
  host: string;
  /** 0: any free one. */
  port: number;
  /** How it greets; the machine's own name is nobody's business. */
  name?: string;
  /** With it, STARTTLS is offered; without it, it is off. */
  tls?: { key: string | Buffer; cert: string | Buffer };
  /** Return paths, the feedback address, postmaster. */
  isKnownRecipient(address: string): Promise<boolean>;
  /** Stores a mail; where it fails the sender is asked to come again. The same mail may come several times. */
  take(raw: Buffer, recipient: string): Promise<void>;
  log: Record<"warn" | "error", (details: object, message: string) => void>;
  maxBytes?: number;
  maxConnections?: number;
  idleMs?: number;
}

export interface Inbound {
  /** @returns the port. */
  listen(): Promise<number>;
  /** Takes no new mail, ends what is being stored, and cuts the rest. */
  close(): Promise<void>;
}

const toReply = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

const NOT_HERE = toReply(550, "5.1.1 There is no such mailbox here");
const LATER = toReply(451, "4.3.0 Not stored, please try again later");
const TOO_LARGE = toReply(552, "5.3.4 The message is too large");

/** Reads to the end, as the protocol asks, and keeps no more than it may. */
async function readMessage(stream: SMTPServerDataStream, maxBytes: number): Promise<Buffer | "too large"> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  return bytes <= maxBytes ? Buffer.concat(chunks) : "too large";
}

/**
 * A mail server for what comes back to us: it relays nothing, knows no passwords and takes mail of known recipients alone, from
 * any sender, since reports have none. No answer says more than the protocol needs.
 */
export function createInbound(options: InboundOptions): Inbound {
  const { log, maxBytes = RETURNED_LIMITS.mailBytes, idleMs = 60_000 } = options;
  const sockets = new Set<Socket>();
  const underWay = new Set<Promise<unknown>>();
  let isClosing = false;

  /** Answers the client once the work is done; `close` waits for it. Faults are ours alone to know. */
  function answer(work: Promise<Error | null>, callback: (refusal: Error | null) => void): void {
    const settled = work
      .catch((error: unknown) => {
        log.error({ err: error }, "a returned mail could not be taken yet");
        return LATER;
      })
      .then(callback)
      .finally(() => underWay.delete(settled));
    underWay.add(settled);
  }

  async function checkRecipient(address: string): Promise<Error | null> {
    if (isClosing) return LATER;
    return (await options.isKnownRecipient(address)) ? null : NOT_HERE;
  }

  async function store(raw: Buffer, recipients: string[]): Promise<Error | null> {
    if (isClosing) return LATER;
    for (const recipient of recipients) await options.take(raw, recipient);
    return null;
  }

  /** Nobody waits for a client that is still sending. */
  async function receive(
    stream: SMTPServerDataStream,
    recipients: string[],
    callback: (refusal: Error | null) => void,
  ): Promise<void> {
    try {
      const raw = await readMessage(stream, maxBytes);
      if (raw === "too large") callback(TOO_LARGE);
      else answer(store(raw, recipients), callback);
    } catch (error) {
      log.warn({ err: error }, "a client left before the end of its mail");
    }
  }

  const server = new SMTPServer({
    name: options.name ?? "foyer",
    ...options.tls,
    disabledCommands: options.tls ? ["AUTH"] : ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    size: maxBytes,
    maxRecipients: MAX_RECIPIENTS,
    maxClients: options.maxConnections ?? 20,
    socketTimeout: idleMs,
    // `close` below has waited for what is being stored.
    closeTimeout: 1,
    onRcptTo: ({ address }, _session, callback) => answer(checkRecipient(address), callback),
    onData(stream, { envelope }, callback) {
      const recipients = envelope.rcptTo.map(({ address }) => address);
      void receive(stream, recipients, callback);
    },
  });
  server.on("error", (error: NodeJS.ErrnoException) => {
    // `listen` throws that one.
    if (error.code !== "EADDRINUSE")
      log.warn({ err: error }, "a connection to the inbound mail server failed");
  });
  server.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    const end = setTimeout(() => socket.destroy(), IDLE_TIMES_MAX * idleMs).unref();
    socket.once("close", () => {
      clearTimeout(end);
      sockets.delete(socket);
    });
  });

  return {
    async listen() {
      const listener = server.listen(options.port, options.host);
      await once(listener, "listening");
      return (listener.address() as AddressInfo).port; // it listens on TCP
    },
    async close() {
      isClosing = true;
      await Promise.all(underWay);
      await new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroySoon();
    },
  };
}

const READ_EVERY_MS = 5_000;
/** Servers report one mail a few times; whoever has its return path could go on for ever. */
const REPORTS_PER_MAIL_MAX = 20;

export interface ReturnedMailOptions {
  /** Where a listener takes returned mail by SMTP. */
  listen: { host: string; port: number } | undefined;
  /** A folder into which a mail server of the machine puts it. */
  maildir: string | undefined;
  /** Where providers send complaints. */
  feedbackAddress: string | undefined;
  /** Return paths are made of it. */
  bounces: string;
  /** Another process of the site on this machine may have the port: this one takes it when that one is gone. */
  isShared?: boolean;
  pool: pg.Pool;
  intake: Pick<ReportIntake, "store" | "refuse">;
  log: Record<"info" | "warn" | "error", (details: object, message: string) => void>;
  portAgainMs?: number;
}

/** Whether the token is a mail's of ours, and that mail has not been reported of too often. */
async function isWanted(pool: pg.Pool, token: string): Promise<boolean> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT (SELECT count(*)::integer FROM mail_event WHERE message_id = mail.id AND source = 'returned') AS count
     FROM mail_message AS mail WHERE report_token = $1`,
    [token],
  );
  return rows[0] !== undefined && rows[0].count < REPORTS_PER_MAIL_MAX;
}

const PORT_AGAIN_MS = 5_000;

/** Listens, or waits for the port where another process of the site may have it. @throws where it is somebody else's. */
async function listenInTurn(
  make: () => Inbound,
  onListen: (port: number) => void,
  { isShared = false, portAgainMs = PORT_AGAIN_MS, log }: ReturnedMailOptions,
): Promise<Pick<Inbound, "close">> {
  const closing = new AbortController();
  let inbound: Inbound | undefined;

  async function tryPort(): Promise<boolean> {
    const next = make();
    try {
      const port = await next.listen();
      inbound = next;
      onListen(port);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException; // listening throws the system's errors
      if (!isShared || code !== "EADDRINUSE") throw error;
      return false;
    }
  }
  async function waitForPort(): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(portAgainMs, undefined, { ref: false, signal: closing.signal }).catch(() => undefined); // closed
      if (closing.signal.aborted || (await tryPort())) return;
    }
  }

  const isFirst = await tryPort();
  const waiting = isFirst
    ? undefined
    : waitForPort().catch((error: NodeJS.ErrnoException) => {
        // It began as root, and isn't any more.
        if (error.code === "EACCES") log.info({}, "the port for returned mail is left to who has it");
        else log.error({ err: error }, "the port for returned mail can't be taken over");
      });
  return {
    async close() {
      closing.abort();
      await waiting;
      await inbound?.close();
    },
  };
}

/** Takes mail that comes back, by the ways that are set up, until it is closed. @throws where the listener's port is taken. */
export async function openReturnedMail(options: ReturnedMailOptions): Promise<{ close(): Promise<void> }> {
  const { listen, maildir, feedbackAddress, bounces, pool, intake, log } = options;
  const known = [feedbackAddress, `postmaster${bounces.slice(bounces.lastIndexOf("@"))}`].map((address) =>
    address?.toLowerCase(),
  );

  /** What proves nothing is dropped with its reason: nobody can send it better. */
  async function take(raw: Buffer, recipient: string | undefined): Promise<void> {
    const report = await returnedSource.prove(raw, recipient === undefined ? {} : { recipient });
    if (!report) return;
    if (report.token === null) return intake.refuse("returned", toRefusalText("namesNoMail"));
    if (!(await isWanted(pool, report.token)))
      return intake.refuse("returned", toRefusalText("unknownSecret"));
    await intake.store("returned", report);
  }

  async function isKnownRecipient(address: string): Promise<boolean> {
    if (known.includes(address.toLowerCase())) return true;
    const token = findTokenIn(address);
    return token !== undefined && isWanted(pool, token);
  }

  const open: Pick<Inbound | MaildirReader, "close">[] = [];
  if (listen) {
    const make = () => createInbound({ ...listen, isKnownRecipient, take, log });
    const onListen = (port: number) =>
      log.info({ host: listen.host, port }, "returned mail is taken by SMTP");
    open.push(await listenInTurn(make, onListen, options));
  }
  if (maildir) {
    const reader = createMaildirReader({
      folder: maildir,
      take: (raw) => take(raw, undefined),
      log,
      everyMs: READ_EVERY_MS,
    });
    reader.start();
    open.push(reader);
    log.info({ folder: maildir }, "returned mail is read out of a folder");
  }
  return {
    async close() {
      await Promise.all(open.map((way) => way.close()));
    },
  };
}
