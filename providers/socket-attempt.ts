import type { Socket as PhoenixSocket } from "phoenix";
import { SOCKET_CLIENT } from "#contract/socket.ts";

export type TransportClass = new (endpoint: string) => object;

/** What became of one connection. */
export interface Ending {
  /** It had carried messages both ways. */
  isHealthy: boolean;
  /** The server has said that this token is worth nothing any more. */
  isRefused: boolean;
}

export interface Attempt {
  ended: Promise<Ending>;
  /** Ends it; any number of times. */
  end: () => void;
  /** Asks for a sign of life; without one the connection ends. */
  prove: () => void;
}

/** Status of a refused long poll, and the close code of a server that has ended the session (facts of the protocol). */
const FORBIDDEN = 403;
const DISCONNECTED = 1001;

/**
 * One connection from its beginning to its end. A WebSocket counts once it has opened and answered a heartbeat: some proxies
 * accept the upgrade and then carry nothing.
 */
export function startAttempt(
  socket: PhoenixSocket,
  transport: TransportClass,
  options: { isPolling: boolean; onHealthy: () => void },
): Attempt {
  const ending: Ending = { isHealthy: false, isRefused: false };
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
  const limit = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(end, ms);
  };
  const settle = () => {
    clearTimeout(timer);
    if (ending.isHealthy) return;
    ending.isHealthy = true;
    options.onHealthy();
  };
  const prove = () => {
    if (isOver || !socket.isConnected()) return;
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
