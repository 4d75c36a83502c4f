import { randomBytes } from "node:crypto";
import type { Serializer, WireData } from "../serializer.ts";
import type { Admission, Connection, Sockets } from "../sockets.ts";
import type { SharedMessage, Transport } from "../transport.ts";

/** More than a client in the background misses between two polls. */
const MAX_MESSAGES = 1000;
/** A session ends after this many windows without a poll. */
const WINDOWS_OF_LIFE = 1.5;

interface LongPollSessionDeps {
  serializer: Serializer;
  windowMs: number;
  maxBufferedBytes: number;
  /** The session is over: its token is unknown from now on. */
  onEnd(): void;
}

/** One client's long-poll session: keeps its messages until a poll takes them. */
export class LongPollSession implements Transport {
  /** Undefined until `Sockets.open` has answered. */
  connection: Connection | undefined;
  /** Cuts the last answer off and keeps its messages, where the client has not read it. */
  takeBack: (() => void) | undefined;
  readonly #deps: LongPollSessionDeps;
  #messages: string[] = [];
  #bytes = 0;
  /** Answers the poll that waits. */
  #answer: ((messages: readonly string[]) => void) | undefined;
  #window: NodeJS.Timeout | undefined;
  #life: NodeJS.Timeout | undefined;
  #isClosed = false;
  #hasEnded = false;

  constructor(deps: LongPollSessionDeps) {
    this.#deps = deps;
    this.#live();
  }

  /** Closed sessions take nothing more; what they still hold is fetched by one more poll. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Nothing will ever come of another poll. */
  get isOver(): boolean {
    return this.#isClosed && this.#messages.length === 0;
  }

  /** Binary messages are skipped: an answer is JSON, and the official client has no way to read bytes in it. */
  send(data: WireData): void {
    if (this.#isClosed || typeof data !== "string") return;
    this.#messages.push(data);
    this.#bytes += Buffer.byteLength(data);
    if (this.#messages.length > MAX_MESSAGES || this.#bytes > this.#deps.maxBufferedBytes) this.#cutOff();
    // Messages of one turn leave together, as on a WebSocket.
    else if (this.#messages.length === 1) setImmediate(() => this.#deliver());
  }

  sendShared(message: SharedMessage): void {
    this.send(message.encode(this.#deps.serializer));
  }

  /** The client learns of it by its next poll, whose token is unknown by then. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#reply();
    if (this.isOver) this.#end();
    else this.connection?.end();
  }

  /** Gives what there is to one poll, or waits for it; nothing after the window. */
  poll(answer: (messages: readonly string[]) => void): void {
    this.#reply(); // an earlier poll, whose client came back before its connection was seen to be lost
    clearTimeout(this.#life);
    this.#answer = answer;
    if (this.#messages.length > 0 || this.#isClosed) this.#reply();
    else this.#window = setTimeout(() => this.#reply(), this.#deps.windowMs);
  }

  /** The client of a poll hung up before it was answered: its messages wait for the next one. */
  abandon(answer: (messages: readonly string[]) => void): void {
    if (this.#answer !== answer) return;
    this.#answer = undefined;
    clearTimeout(this.#window);
    this.#live();
  }

  /** Takes messages back that did not reach their client. */
  restore(messages: readonly string[]): void {
    if (this.#hasEnded || messages.length === 0) return;
    this.#messages = [...messages, ...this.#messages];
    for (const message of messages) this.#bytes += Buffer.byteLength(message);
    this.#deliver();
  }

  #deliver(): void {
    if (this.#answer && this.#messages.length > 0) this.#reply();
  }

  #reply(): void {
    const answer = this.#answer;
    if (!answer) return;
    const messages = this.#messages;
    this.#messages = [];
    this.#bytes = 0;
    this.#answer = undefined;
    clearTimeout(this.#window);
    this.#live();
    answer(messages);
  }

  #live(): void {
    clearTimeout(this.#life);
    this.#life = setTimeout(() => this.#end(), this.#deps.windowMs * WINDOWS_OF_LIFE).unref();
  }

  /** Deferred: this may be the middle of a broadcast to the channels that would end. */
  #cutOff(): void {
    this.#isClosed = true;
    this.#messages = [];
    this.#bytes = 0;
    setImmediate(() => this.#end());
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#isClosed = true;
    clearTimeout(this.#life);
    this.#reply();
    clearTimeout(this.#life);
    this.#deps.onEnd();
    this.connection?.end();
  }
}

const TOKEN_BYTES = 32;
/** Tells our tokens from access tokens, which may travel as `token` as well. */
const TOKEN = /^lp\.(?:[\w-]+\.)?[\w-]{43}$/;

/** The long-poll sessions of one endpoint, by the secret that each client was given. */
export interface LongPollSessions {
  find(token: string | undefined): LongPollSession | undefined;
  /** @returns the token of a new session. */
  open(admission: Admission): string;
}

/** Whether it names a session, living or not. */
export function isSessionToken(token: string): boolean {
  return TOKEN.test(token);
}

/** `processName`: stands in tokens, so that other processes know whom to ask; undefined: there are none. */
export function createLongPollSessions(sockets: Sockets, processName?: string): LongPollSessions {
  const sessions = new Map<string, LongPollSession>();
  const { longPollWindowMs, maxBufferedBytes } = sockets.rules;
  return {
    find: (token) => (token === undefined ? undefined : sessions.get(token)),
    open(admission) {
      const secret = randomBytes(TOKEN_BYTES).toString("base64url");
      const token = processName === undefined ? `lp.${secret}` : `lp.${processName}.${secret}`;
      const session = new LongPollSession({
        serializer: admission.serializer,
        windowMs: longPollWindowMs,
        maxBufferedBytes,
        onEnd: () => sessions.delete(token),
      });
      sessions.set(token, session);
      session.connection = sockets.open(admission, session);
      return token;
    },
  };
}
