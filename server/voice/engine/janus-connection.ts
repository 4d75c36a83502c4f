import { randomUUID } from "node:crypto";
import { WebSocket } from "ws";
import * as z from "zod/mini";

/** What a plugin says. Its own errors come as a success of the request that carried them. */
const pluginData = z.looseObject({
  error_code: z.optional(z.number()),
  error: z.optional(z.string()),
});
export type PluginData = z.infer<typeof pluginData>;

/** A message of Janus' WebSocket API, as far as Foyer reads it (https://janus.conf.meetecho.com/docs/rest.html). */
const janusMessage = z.object({
  /** `success`, `error`, `ack`, `event`, or what has happened to a handle: `hangup`, `detached`, `webrtcup`… */
  janus: z.string(),
  /** As the request had it; what happens by itself has none. */
  transaction: z.optional(z.string()),
  /** The handle it is about. */
  sender: z.optional(z.number()),
  data: z.optional(z.object({ id: z.number() })),
  plugindata: z.optional(z.object({ data: pluginData })),
  jsep: z.optional(z.object({ type: z.string(), sdp: z.string() })),
  error: z.optional(z.object({ code: z.number(), reason: z.string() })),
});
export type JanusMessage = z.infer<typeof janusMessage>;

/** Undefined: nothing of the protocol. */
function parseJanusMessage(text: string): JanusMessage | undefined {
  try {
    return janusMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Codes of Janus and of its AudioBridge. */
export const JANUS_CODES = {
  /** The secret is wrong or missing. */
  unauthorized: 403,
  noSuchPlugin: 460,
  noSuchRoom: 485,
} as const;

/** Janus refuses, doesn't answer in time, or is gone. */
export class JanusError extends Error {
  /** Janus' own; undefined where it has said nothing. */
  readonly code: number | undefined;

  constructor(message: string, code?: number) {
    super(message);
    this.name = "JanusError";
    this.code = code;
  }
}

/** @throws JanusError where Janus or the plugin refuses. */
function requireSuccess(message: JanusMessage): JanusMessage {
  if (message.error) throw new JanusError(message.error.reason, message.error.code);
  const { error_code, error } = message.plugindata?.data ?? {};
  if (error_code !== undefined) throw new JanusError(error ?? "refused", error_code);
  return message;
}

export interface JanusSettings {
  /** `ws://` or `wss://` of Janus' WebSocket API. */
  url: string;
  /** Janus' `api_secret`. */
  secret?: string | undefined;
}

interface JanusRequest {
  janus: string;
  [field: string]: unknown;
}

interface Waiting {
  /** Requests of a plugin are acknowledged first, and answered later. */
  isAckEnough: boolean;
  resolve(message: JanusMessage): void;
  reject(error: Error): void;
}

/** A roster of 100 people is below 64 KB. */
const MAX_MESSAGE_BYTES = 1_048_576;
const GONE = "the connection is gone";

/** One connection to Janus: requests, each with its answer, and what happens by itself. */
export class JanusConnection {
  readonly #socket: WebSocket;
  readonly #secret: string | undefined;
  readonly #askMs: number;
  readonly #waiting = new Map<string, Waiting>();
  readonly #onMessage: (message: JanusMessage) => void;

  private constructor(
    socket: WebSocket,
    deps: { secret: string | undefined; askMs: number; onMessage: (message: JanusMessage) => void },
  ) {
    this.#socket = socket;
    this.#secret = deps.secret;
    this.#askMs = deps.askMs;
    this.#onMessage = deps.onMessage;
    socket.on("message", (data) => this.#take(String(data)));
    socket.once("close", () => this.#fail());
  }

  /** Rejects where nothing answers there. `onClosed` is called once, for a connection that was open. */
  static open(
    { url, secret }: JanusSettings,
    deps: { askMs: number; onMessage: (message: JanusMessage) => void; onClosed: () => void },
  ): Promise<JanusConnection> {
    const socket = new WebSocket(url, "janus-protocol", {
      handshakeTimeout: deps.askMs,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    return new Promise((resolve, reject) => {
      // Behind an error comes `close`, so an error after the opening needs no ear of its own.
      socket.on("error", reject);
      socket.once("open", () => {
        socket.once("close", deps.onClosed);
        resolve(new JanusConnection(socket, { secret, ...deps }));
      });
    });
  }

  /** @throws JanusError where Janus refuses, or has not answered in time. */
  ask(request: JanusRequest, isAckEnough = false): Promise<JanusMessage> {
    const transaction = randomUUID();
    if (this.#socket.readyState !== WebSocket.OPEN) return Promise.reject(new JanusError(GONE));
    return new Promise<JanusMessage>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(transaction);
        reject(new JanusError(`no answer to ${request.janus}`));
      }, this.#askMs);
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(transaction);
      };
      this.#waiting.set(transaction, {
        isAckEnough,
        resolve: (message) => {
          end();
          resolve(message);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      });
      this.#send({ ...request, transaction });
    }).then(requireSuccess);
  }

  /** Whatever comes of it. */
  sendOnly(request: JanusRequest): void {
    this.#send({ ...request, transaction: randomUUID() });
  }

  #send(request: JanusRequest): void {
    if (this.#socket.readyState === WebSocket.OPEN)
      this.#socket.send(JSON.stringify({ ...request, ...(this.#secret && { apisecret: this.#secret }) }));
  }

  #take(text: string): void {
    const message = parseJanusMessage(text);
    if (!message) return;
    const waiting = message.transaction === undefined ? undefined : this.#waiting.get(message.transaction);
    // An answer may overtake the acknowledgement of its request.
    if (waiting && (message.janus !== "ack" || waiting.isAckEnough)) waiting.resolve(message);
    else if (message.janus !== "ack") this.#onMessage(message);
  }

  #fail(): void {
    for (const { reject } of [...this.#waiting.values()]) reject(new JanusError(GONE));
  }

  /** At once: a connection that answers no more answers no closing either. */
  close(): void {
    this.#socket.terminate();
  }
}
