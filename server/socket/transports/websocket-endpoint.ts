import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { Admission, Sockets } from "../sockets.ts";
import {
  getUpgradeFault,
  type Offer,
  parseOffer,
  type ReadAddress,
  refuseUpgrade,
  type TakeHandshake,
  toHandshake,
} from "./handshake.ts";
import {
  ServerWebSocket,
  WebSocketFlush,
  WebSocketSweep,
  WebSocketTransport,
} from "./websocket-transport.ts";

/** How long a client has to answer a close; `ws` alone would wait for 30 s. */
const CLOSE_TIMEOUT_MS = 5000;

interface WebSocketEndpointDeps {
  sockets: Sockets;
  takeHandshake: TakeHandshake;
  readAddress: ReadAddress;
  log: { error(details: object, message: string): void };
}

/** Lets WebSocket clients in. */
export interface WebSocketEndpoint {
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /** Resolves when every client is gone; who still is there after so long is cut. */
  waitUntilEmpty(timeoutMs: number): Promise<void>;
}

function onSocketError(this: Socket): void {
  this.destroy();
}

/** `data` is a Buffer, as `binaryType` says by default. Handlers are shared: one closure each would be kept per client. */
function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  const transport = getTransport(this);
  if (!transport || !Buffer.isBuffer(data)) return;
  transport.silentSweeps = 0;
  transport.connection?.receive(isBinary ? data : data.toString());
}

function onPing(this: WebSocket): void {
  const transport = getTransport(this);
  if (transport) transport.silentSweeps = 0;
}

function getTransport(webSocket: WebSocket): WebSocketTransport | undefined {
  return webSocket instanceof ServerWebSocket ? webSocket.transport : undefined;
}

/** `ws` answers frames against the protocol itself (1002, 1007, 1009); `close` follows. */
function onFault(): void {}

export function createWebSocketEndpoint(deps: WebSocketEndpointDeps): WebSocketEndpoint {
  const { sockets, takeHandshake, readAddress, log } = deps;
  const { maxFrameBytes, maxBufferedBytes, idleTimeoutMs } = sockets.rules;
  const transports = new Set<WebSocketTransport>();
  /** From the request to the last byte, in every state. */
  const open = new Set<Socket>();
  const flush = new WebSocketFlush();
  const sweep = new WebSocketSweep(transports, idleTimeoutMs);
  let onEmpty: (() => void) | undefined;
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    closeTimeout: CLOSE_TIMEOUT_MS,
    WebSocket: ServerWebSocket,
  };
  const server = new WebSocketServer(options);

  function onSocketClose(this: Socket): void {
    open.delete(this);
    if (open.size === 0) onEmpty?.();
  }

  function onClose(this: WebSocket): void {
    const transport = getTransport(this);
    if (!transport) return;
    transports.delete(transport);
    transport.connection?.end();
  }

  function accept(webSocket: ServerWebSocket, socket: Socket, admission: Admission): void {
    const transport = new WebSocketTransport(
      webSocket,
      socket,
      admission.serializer,
      flush,
      maxBufferedBytes,
    );
    webSocket.transport = transport;
    webSocket.on("message", onMessage).on("ping", onPing).on("close", onClose).on("error", onFault);
    transports.add(transport);
    sweep.start();
    transport.connection = sockets.open(admission, transport);
  }

  function finish(
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    offer: Offer,
    admission: Admission | undefined,
  ): void {
    if (socket.destroyed) return;
    if (!admission) {
      refuseUpgrade(socket, 403);
      return;
    }
    // `ws` refuses a list, though it names what is asked for, and a token with the signs of standard base64.
    request.headers.upgrade = "websocket";
    if (offer.protocol) request.headers["sec-websocket-protocol"] = offer.protocol;
    else delete request.headers["sec-websocket-protocol"];
    server.handleUpgrade(request, socket, head, (webSocket) => accept(webSocket, socket, admission));
  }

  function fail(socket: Socket, error: unknown): void {
    log.error({ err: error }, "a WebSocket could not be admitted");
    if (!socket.destroyed) refuseUpgrade(socket, 503);
  }

  return {
    upgrade(request, socket, head) {
      open.add(socket);
      socket.on("error", onSocketError);
      socket.on("close", onSocketClose);
      const text = getUpgradeFault(request);
      if (text !== undefined) return refuseUpgrade(socket, 400, { text });
      const address = readAddress(request);
      const retryAfterS = takeHandshake(address);
      if (retryAfterS > 0) return refuseUpgrade(socket, 429, { retryAfterS });
      const offer = parseOffer(request.headers["sec-websocket-protocol"]);
      if (!offer) return refuseUpgrade(socket, 403);
      try {
        const found = sockets.admit(toHandshake(request, address, offer.authToken));
        if (!(found instanceof Promise)) finish(request, socket, head, offer, found);
        else
          found
            .then((admission) => finish(request, socket, head, offer, admission))
            .catch((error: unknown) => fail(socket, error));
      } catch (error) {
        fail(socket, error);
      }
    },
    async waitUntilEmpty(timeoutMs) {
      if (open.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        onEmpty = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      for (const socket of open) socket.destroy();
    },
  };
}
