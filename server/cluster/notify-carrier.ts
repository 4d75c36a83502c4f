import { createHash } from "node:crypto";
import pg from "pg";
import type { Carrier } from "./carrier.ts";

interface NotifyDeps {
  /** Of the site's database. The carrier has a connection of its own. */
  connection: pg.ClientConfig;
  log: { warn(details: object, message: string): void; info(details: object, message: string): void };
}

/** What its connection is called: who has one is reached by the others. */
export const NOTIFY_NAME = "foyer link";

const RETRY_MS = 250;
/** Less than the silence after which a process counts as gone: a connection that doesn't answer is given up and opened anew. */
const ANSWER_MS = 3_000;
/** PostgreSQL takes less than 8,000 bytes: room for `PART_HEAD`. */
const PART_BYTES = 7_900;
/** Of one text. What is longer is no message between processes but a file. */
const TEXT_MAX_BYTES = 16 * 1024 * 1024;
/** The number of the text at its sender, which part it is, and of how many. */
const PART_HEAD = /^(\d+) (\d+)\/(\d+) /;
const SEND = "SELECT pg_notify(channel, part) FROM unnest($1::text[], $2::text[]) AS sent (channel, part)";

/** A name for LISTEN: at most 63 bytes, none that has to be quoted. */
function toChannel(address: string): string {
  return `foyer_link_${createHash("sha256").update(address).digest("hex").slice(0, 32)}`;
}

/** Pieces of at most `PART_BYTES`, cut between characters. */
function cut(text: string): string[] {
  const bytes = Buffer.from(text);
  if (bytes.length <= PART_BYTES) return [text];
  if (bytes.length > TEXT_MAX_BYTES)
    throw new Error(`${bytes.length} bytes are too long for a message between processes`);
  const parts: string[] = [];
  for (let begin = 0; begin < bytes.length; ) {
    let end = Math.min(begin + PART_BYTES, bytes.length);
    // UTF-8: what goes on with a character begins with the bits 10.
    while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
    parts.push(bytes.toString("utf8", begin, end));
    begin = end;
  }
  return parts;
}

/**
 * Puts the parts of a text together. Those of one text come behind each other, because they are sent by one statement; what begins in
 * the middle, for who has only just begun to listen, is left out, and so is what isn't of our making: anybody who reaches the database can notify.
 */
function createJoiner(onText: (text: string) => void): (payload: string) => void {
  let number = "";
  let parts: string[] = [];
  return (payload) => {
    const [head, text = "", index, count] = PART_HEAD.exec(payload) ?? [];
    if (head === undefined) return;
    if (index === "0") [number, parts] = [text, []];
    else if (text !== number || Number(index) !== parts.length) return;
    parts.push(payload.slice(head.length));
    if (parts.length < Number(count)) return;
    const whole = parts.join("");
    [number, parts] = ["", []];
    onText(whole);
  };
}

interface Waiting {
  channels: string[];
  parts: string[];
  sent: PromiseWithResolvers<undefined>;
}

/**
 * Carries by PostgreSQL's NOTIFY, for processes of one machine: what is small, without another engine. Whoever sends while a statement is
 * under way is sent together by the next one, in order. Nobody knows who heard it: a process that was killed is missed by its silence.
 * What is heard is forgotten where the connection breaks; a new one is opened until it stands.
 */
export async function openNotifyCarrier({ connection, log }: NotifyDeps): Promise<Carrier> {
  const listeners: ((isUp: boolean) => void)[] = [];
  const hearing = new Map<string, (payload: string) => void>();
  let client: pg.Client | undefined;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;
  let waiting: Waiting | undefined;
  let isSending = false;
  let number = 0;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...connection,
      application_name: NOTIFY_NAME,
      keepAlive: true,
      query_timeout: ANSWER_MS,
      connectionTimeoutMillis: ANSWER_MS,
    });
    next.on("notification", ({ channel, payload = "" }) => hearing.get(channel)?.(payload));
    next.on("error", () => lose(next));
    next.on("end", () => lose(next));
    try {
      await next.connect();
      // A notice takes a number of a transaction, whose commit would wait for the disk: there is nothing of it to keep.
      await next.query("SET synchronous_commit = off");
      if (isClosed) throw new Error("closed while connecting");
    } catch (error) {
      await next.end().catch(() => undefined); // it may never have been open: the first fault says why
      throw error;
    }
    client = next;
  }

  function tell(isUp: boolean): void {
    for (const listener of listeners) listener(isUp);
  }

  function lose(broken: pg.Client): void {
    if (isClosed || broken !== client) return;
    client = undefined;
    hearing.clear();
    void broken.end().catch(() => undefined); // it is broken already
    waiting?.sent.reject(new Error("the database is away"));
    waiting = undefined;
    log.warn({}, "the connection to the other processes broke: each goes on by itself until it is back");
    connectLater();
    tell(false);
  }

  function connectLater(): void {
    retry = setTimeout(() => {
      connect().then(
        () => {
          log.info({}, "the other processes are reached again");
          tell(true);
        },
        () => {
          if (!isClosed) connectLater();
        },
      );
    }, RETRY_MS).unref();
  }

  /** @throws Error while the connection is away */
  async function ask(statement: string, values?: unknown[]): Promise<void> {
    const asked = client;
    if (!asked) throw new Error("the database is away");
    try {
      await asked.query(statement, values);
    } catch (error) {
      // Whatever it was, nobody knows what arrived: nothing may come behind it.
      lose(asked);
      throw error;
    }
  }

  async function sendWaiting(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (waiting) {
      const { channels, parts, sent } = waiting;
      waiting = undefined;
      await ask(SEND, [channels, parts]).then(() => sent.resolve(undefined), sent.reject);
    }
    isSending = false;
  }

  await connect();
  return {
    get isUp() {
      return client !== undefined;
    },
    onChange: (listener) => void listeners.push(listener),
    async hear(address, onText) {
      const channel = toChannel(address);
      hearing.set(
        channel,
        createJoiner((text) => {
          try {
            onText(text);
          } catch (error) {
            log.warn({ err: error }, "a message of another process can't be read");
          }
        }),
      );
      await ask(`LISTEN ${channel}`);
    },
    async unhear(address) {
      const channel = toChannel(address);
      if (hearing.delete(channel)) await ask(`UNLISTEN ${channel}`);
    },
    async send(address, text) {
      if (!client) throw new Error("the database is away");
      const pieces = cut(text);
      const channel = toChannel(address);
      number += 1;
      waiting ??= { channels: [], parts: [], sent: Promise.withResolvers<undefined>() };
      for (const [index, piece] of pieces.entries()) {
        waiting.channels.push(channel);
        waiting.parts.push(`${number} ${index}/${pieces.length} ${piece}`);
      }
      const { sent } = waiting;
      void sendWaiting();
      return sent.promise;
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      waiting?.sent.reject(new Error("closed"));
      waiting = undefined;
      const open = client;
      client = undefined;
      await open?.end();
    },
  };
}
