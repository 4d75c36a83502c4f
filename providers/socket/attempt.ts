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
