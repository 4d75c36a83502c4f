import type { WireData } from "./message.ts";
import type { Serializer } from "./serializer.ts";

/** Why the server ends a connection, as the WebSocket close code (RFC 6455, 7.4.1). */
export const CLOSE = {
  normal: 1000,
  /** Signed out or suspended: come back as somebody who may. */
  disconnected: 1001,
  /** Idle for too long, or a fault against the protocol of WebSocket. */
  protocol: 1002,
  /** Too many messages. */
  policy: 1008,
  tooLarge: 1009,
  /** A message that can't be read, or a fault of the server. */
  internal: 1011,
  /** The server is going down and comes back. */
  restart: 1012,
} as const;
export type CloseCode = (typeof CLOSE)[keyof typeof CLOSE];

/** One message for many: encoded once per version of the protocol, framed once for all WebSockets. */
export interface SharedMessage {
  encode(serializer: Serializer): WireData;
  /** The whole WebSocket frame. Servers send unmasked, so it is the same for everybody. */
  toFrame(serializer: Serializer): Buffer;
}

/** How bytes reach one client. Calls after its end do nothing; none of them throws. */
export interface Transport {
  send(data: WireData): void;
  sendShared(message: SharedMessage): void;
  /** Sends what waits, then closes. */
  close(code: CloseCode): void;
}
