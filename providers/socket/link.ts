import type { Socket as PhoenixSocket, SocketConnectOption } from "phoenix";
import { SOCKET_CLIENT } from "#contract/socket.ts";
import type { Credentials } from "../http/http.ts";
import {
  type Attempt,
  type Ending,
  FIRST_PLAN,
  type Plan,
  startAttempt,
  type TransportClass,
  toNextPlan,
  toReconnectDelayMs,
} from "./attempt.ts";

/** `idle`: nobody needs a connection, or nobody is signed in. `reconnecting`: it was lost, or the first attempt has failed. */
export type SocketStatus = "idle" | "connecting" | "connected" | "reconnecting";

export type PhoenixModule = Pick<typeof import("phoenix"), "Socket" | "LongPoll">;

export interface LinkOptions {
  address: string;
  session: Credentials;
  /** Of the address's query, beside the token. */
  params: () => object;
  load: () => Promise<PhoenixModule>;
  webSocket: TransportClass;
  random: () => number;
  onStatus: (status: SocketStatus) => void;
  /** The client is there: topics can be joined. Once. */
  onSocket: (socket: PhoenixSocket) => void;
}

/** A connection that ends sooner says nothing good of the server: it counts as one more try. */
const LASTING_MS = 5000;
/** So many connections in a row that didn't last are reported as connected at once; the next one has to last first. */
const TRUSTED = 2;

/** The connection that topics share: kept up, with a fresh token each time, from `open` to `close`. */
export interface Link {
  open(): void;
  close(): void;
  /** Comes back at once where it waits, and asks a connection that seems to stand for a sign of life. */
  hurry(): void;
  /** Whatever connection there is counts for nothing. */
  restart(): void;
  /** Tries that have failed since the last connection that lasted. */
  readonly tries: number;
}

/** The client would look for a remembered fallback; ours starts with a WebSocket each time, and storage may be barred. */
const NO_MEMORY = { getItem: () => null, setItem() {}, removeItem() {} };

export function createLink(options: LinkOptions): Link {
  const { session, onStatus } = options;
  let socket: PhoenixSocket | undefined;
  let attempt: Attempt | undefined;
  let endPause = () => {};
  let token = "";
  /** A token that was fetched because of a refusal and has not served for long yet: if it is refused too, another one won't help. */
  let renewed: string | null = null;
  /** Tries, and connections among them, since the last connection that lasted. */
  let tries = 0;
  let connections = 0;
  /** Counts openings and closings: what began in an earlier one no longer matters. */
  let turn = 0;
  let isOpen = false;

  function buildSocket(phoenix: PhoenixModule): PhoenixSocket {
    const built = new phoenix.Socket(options.address, {
      // The types are behind: a function is asked at each connect.
      authToken: (() => token) as unknown as string,
      params: options.params,
      timeout: SOCKET_CLIENT.timeoutMs,
      heartbeatIntervalMs: SOCKET_CLIENT.heartbeatMs,
      sessionStorage: NO_MEMORY,
      rejoinAfterMs: (tries) => SOCKET_CLIENT.rejoinAfterMs[tries - 1] ?? SOCKET_CLIENT.rejoinAfterMs[3],
      // Asked whenever a connection is lost, for whatever reason. The client's timer is taken back before it starts.
      reconnectAfterMs() {
        const lost = attempt;
        queueMicrotask(() => lost?.end());
        return SOCKET_CLIENT.timeoutMs;
      },
    } satisfies Partial<SocketConnectOption>);
    options.onSocket(built);
    return built;
  }

  /** Null: nobody is signed in. Undefined: the server can't be asked for now. */
  async function requestToken(isRefused: boolean): Promise<string | null | undefined> {
    try {
      if (!isRefused || token === renewed) return await session.getAccessToken();
      renewed = await session.renewAccessToken(token);
      return renewed;
    } catch {
      // Asked again with the next try; the notice says meanwhile that there is no connection.
      return undefined;
    }
  }

  async function loadPhoenix(): Promise<PhoenixModule | undefined> {
    try {
      return await options.load();
    } catch {
      // A part of the app that doesn't come is asked for again, like the server itself.
      return undefined;
    }
  }

  function pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    endPause = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }

  /** Null: nobody is signed in. Undefined: the attempt could not even be made. */
  async function tryOnce(
    transport: Plan["transport"],
    isRefused: boolean,
    mine: number,
  ): Promise<Ending | null | undefined> {
    // A session that gets no answer doesn't hold the tries up.
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, SOCKET_CLIENT.timeoutMs));
    const asked = Promise.race([requestToken(isRefused), late]);
    const [phoenix, next] = await Promise.all([loadPhoenix(), asked]);
    if (next === null || mine !== turn) return null;
    if (!phoenix || next === undefined) return undefined;
    token = next;
    socket ??= buildSocket(phoenix);
    const isPolling = transport === "longpoll";
    let lasting: ReturnType<typeof setTimeout> | undefined;
    attempt = startAttempt(socket, isPolling ? phoenix.LongPoll : options.webSocket, {
      isPolling,
      onHealthy() {
        connections += 1;
        if (connections <= TRUSTED) onStatus("connected");
        lasting = setTimeout(trust, LASTING_MS);
      },
    });
    const ending = await attempt.ended;
    clearTimeout(lasting);
    return ending;
  }

  function trust(): void {
    tries = 0;
    connections = 0;
    renewed = null;
    onStatus("connected");
  }

  async function keepUp(mine: number): Promise<void> {
    let plan = FIRST_PLAN;
    let isRefused = false;
    while (mine === turn) {
      const ending = await tryOnce(plan.transport, isRefused, mine);
      if (mine !== turn) return;
      if (ending === null) return close();
      isRefused = ending?.isRefused ?? false;
      const following = ending ? toNextPlan(plan, ending) : { plan, isAtOnce: false };
      plan = following.plan;
      if (following.isAtOnce) continue;
      tries += 1;
      onStatus("reconnecting");
      await pause(toReconnectDelayMs(tries, options.random()));
    }
  }

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    turn += 1;
    endPause();
    attempt?.end();
    onStatus("idle");
  }

  return {
    get tries() {
      return tries;
    },
    open() {
      if (isOpen) return;
      isOpen = true;
      turn += 1;
      tries = 0;
      connections = 0;
      onStatus("connecting");
      void keepUp(turn);
    },
    close,
    hurry() {
      endPause();
      if (isOpen) attempt?.prove();
    },
    restart() {
      endPause();
      if (isOpen) attempt?.end();
    },
  };
}
