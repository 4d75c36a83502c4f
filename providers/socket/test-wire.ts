import { Socket as PhoenixSocket } from "phoenix";
import type { TransportClass } from "./attempt.ts";
import type { PhoenixModule } from "./link.ts";

const OPEN = 1;
const CLOSED = 3;

/** A message of the protocol's second version, as it travels. */
export type Frame = [
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  payload: unknown,
];

interface End {
  kind: "websocket" | "longpoll";
  url: string;
  token: string;
  sent: Frame[];
  /** When it was begun. */
  at: number;
  isOpen(): boolean;
  /** From the server. */
  publish(frame: Frame): void;
  /** The server, or the network, ends it. */
  drop(code?: number): void;
}

/** What answers at the other end. */
interface Server {
  /** `mute`: connections open and carry nothing. */
  websocket: "up" | "down" | "hanging" | "mute";
  longpoll: "up" | "down";
  refusedTokens: Set<string>;
  /** Reasons by topic; other topics may be joined. */
  refusedTopics: Map<string, string>;
  joinAnswer: object;
}

function readToken(protocols: string[] = []): string {
  return atob((protocols[1] ?? "").replace("base64url.bearer.phx.", ""));
}

/**
 * A network for the protocol's own client: both transports, and a server that admits, joins and answers heartbeats. `ends`
 * are all connections that were tried.
 */
export function createWire() {
  const server: Server = {
    websocket: "up",
    longpoll: "up",
    refusedTokens: new Set(),
    refusedTopics: new Map(),
    joinAnswer: {},
  };
  const ends: End[] = [];

  function toTransport(kind: End["kind"]): TransportClass {
    return class FakeTransport implements End {
      readonly kind = kind;
      readonly url: string;
      readonly token: string;
      readonly sent: Frame[] = [];
      readonly at = Date.now();
      readyState = 0;
      skipHeartbeat = kind === "longpoll";
      onopen = (_event?: unknown) => {};
      onerror = (_error: unknown) => {};
      onmessage = (_event: { data: string }) => {};
      onclose = (_event: { code: number }) => {};

      constructor(url: string, protocols?: string[]) {
        this.url = url;
        this.token = readToken(protocols);
        ends.push(this);
        if (server[kind] !== "hanging") setTimeout(() => this.begin(), 1);
      }

      begin(): void {
        if (this.readyState !== 0) return;
        const isRefused = server.refusedTokens.has(this.token);
        if (server[kind] === "down" || isRefused) {
          this.readyState = CLOSED;
          this.onerror(kind === "longpoll" && isRefused ? 403 : "failed");
          this.onclose({ code: 1006 });
          return;
        }
        this.readyState = OPEN;
        this.onopen({});
      }

      isOpen(): boolean {
        return this.readyState === OPEN;
      }

      publish(frame: Frame): void {
        this.onmessage({ data: JSON.stringify(frame) });
      }

      send(data: string): void {
        const frame: Frame = JSON.parse(data);
        this.sent.push(frame);
        if (server[kind] === "mute") return;
        const [joinRef, ref, topic, event] = frame;
        const reason = event === "phx_join" ? server.refusedTopics.get(topic) : undefined;
        const response = event === "phx_join" ? server.joinAnswer : {};
        const answer =
          reason === undefined ? { status: "ok", response } : { status: "error", response: { reason } };
        if (["phx_join", "phx_leave", "heartbeat", "ask"].includes(event)) {
          setTimeout(() => {
            if (this.readyState === OPEN) this.publish([joinRef, ref, topic, "phx_reply", answer]);
          }, 1);
        }
      }

      close(): void {
        this.drop(1000);
      }

      drop(code = 1006): void {
        if (this.readyState === CLOSED) return;
        this.readyState = CLOSED;
        this.onclose({ code });
      }
    };
  }

  // The two classes of the package that are used, with the network's long poll in the place of the real one.
  const phoenix = { Socket: PhoenixSocket, LongPoll: toTransport("longpoll") } as unknown as PhoenixModule;
  return {
    server,
    ends,
    webSocket: toTransport("websocket"),
    phoenix,
    /** The connection that was tried last. */
    last(): End {
      const end = ends.at(-1);
      if (!end) throw new Error("nothing was connected");
      return end;
    },
    /** Events that were sent over all connections, in order: `topic event`. */
    sent: () => ends.flatMap(({ sent }) => sent.map(([, , topic, event]) => `${topic} ${event}`)),
  };
}
