import type { Socket as PhoenixSocket } from "phoenix";
import { SOCKET_CLIENT } from "#contract/socket.ts";

export type TransportClass = new (endpoint: string) => object;

/** What became of one connection. */
export interface Ending {
  /** It had carried messages both ways. */
  isHealthy: boolean;
  /** The server has said that this token is worth nothing any more. */
  isRefused: boolean;
  /** A long poll that worked was ended to try a WebSocket again. */
  isGivenUp: boolean;
}

export interface Attempt {
  ended: Promise<Ending>;
  /** Ends it; any number of times. */
  end: () => void;
  /** Asks for a sign of life; without one the connection ends. A long poll makes room for a WebSocket. */
  prove: () => void;
}

/** Status of a refused long poll, and the close code of a server that has ended the session (facts of the protocol). */
const FORBIDDEN = 403;
const DISCONNECTED = 1001;
/** One error at a page's start must not leave it polling for good. */
const LONGEST_POLLING_MS = 300_000;

/**
 * One connection from its beginning to its end. A WebSocket counts once it has opened and answered a heartbeat: some proxies
 * accept the upgrade and then carry nothing.
 */
export function startAttempt(
  socket: PhoenixSocket,
  transport: TransportClass,
  options: { isPolling: boolean; onHealthy: () => void },
): Attempt {
  const ending: Ending = { isHealthy: false, isRefused: false, isGivenUp: false };
  const { promise: ended, resolve } = Promise.withResolvers<Ending>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  const end = () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    socket.off(refs);
    // Takes the client's own plans to reconnect back: it would go on with the token that it has.
    socket.disconnect();
    resolve(ending);
  };
  const limit = (ms: number, onEnd = end) => {
    clearTimeout(timer);
    timer = setTimeout(onEnd, ms);
  };
  const giveUp = () => {
    ending.isGivenUp = true;
    end();
  };
  const settle = () => {
    clearTimeout(timer);
    if (ending.isHealthy) return;
    if (options.isPolling) limit(LONGEST_POLLING_MS, giveUp);
    ending.isHealthy = true;
    options.onHealthy();
  };
  const prove = () => {
    if (isOver || !socket.isConnected()) return;
    if (options.isPolling) return giveUp();
    limit(SOCKET_CLIENT.longPollFallbackMs);
    socket.ping(settle);
  };
  const refs = [
    socket.onOpen(() => (options.isPolling ? settle() : prove())),
    socket.onError((error) => {
      if (error === FORBIDDEN) ending.isRefused = true;
    }),
    socket.onClose(({ code }) => {
      if (code === DISCONNECTED) ending.isRefused = true;
    }),
  ];
  limit(options.isPolling ? SOCKET_CLIENT.timeoutMs : SOCKET_CLIENT.longPollFallbackMs);
  socket.replaceTransport(transport);
  socket.connect();
  return { ended, end, prove };
}

/** A WebSocket that had worked before is tried so many times: a server that restarts must not leave everybody polling. */
const PATIENCE = 5;

/** What the next attempt goes over, and what the ones before have shown. */
export interface Plan {
  transport: "websocket" | "longpoll";
  /** WebSockets in a row that came to nothing. */
  failures: number;
  hasWebSocketWorked: boolean;
}

export const FIRST_PLAN: Plan = { transport: "websocket", failures: 0, hasWebSocketWorked: false };

/**
 * The plan behind an attempt. What can't be had by WebSocket is asked for by long polling at once. Behind a long poll comes a
 * WebSocket, whatever became of it: what was in the way may be gone, and where both fail, the server is away.
 */
export function toNextPlan(
  plan: Plan,
  { isHealthy, isGivenUp }: Pick<Ending, "isHealthy" | "isGivenUp">,
): { plan: Plan; isAtOnce: boolean } {
  if (plan.transport === "longpoll") {
    return { plan: { ...plan, transport: "websocket" }, isAtOnce: isGivenUp };
  }
  if (isHealthy) return { plan: { ...plan, failures: 0, hasWebSocketWorked: true }, isAtOnce: false };
  const failures = plan.failures + 1;
  const givesWay = failures >= (plan.hasWebSocketWorked ? PATIENCE : 1);
  return {
    plan: { ...plan, failures, transport: givesWay ? "longpoll" : "websocket" },
    isAtOnce: givesWay,
  };
}

/**
 * Milliseconds before try number `tries`, counted from 1: the documented step, or up to a quarter less, so that everybody
 * whom a restart has cut off doesn't come back in the same moment. `random` is from 0 to 1.
 */
export function toReconnectDelayMs(tries: number, random: number): number {
  const { reconnectAfterMs } = SOCKET_CLIENT;
  const stepMs = reconnectAfterMs[Math.min(tries, reconnectAfterMs.length) - 1] ?? 0;
  return stepMs * (1 - random / 4);
}
