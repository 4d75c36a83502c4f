import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

/** As Phoenix writes a header: the list of its values. */
function showHeader(value: string | undefined): string {
  return value === undefined ? "[]" : `[${JSON.stringify(value)}]`;
}

function hasToken(value: string | undefined, token: string): boolean {
  return (value ?? "").split(",").some((part) => part.trim().toLowerCase() === token);
}

/** 16 bytes. */
const KEY = /^[+/\dA-Za-z]{22}==$/;

/** Whether a WebSocket is among what a client asks for. */
export function asksForWebSocket({ upgrade }: IncomingHttpHeaders): boolean {
  return hasToken(upgrade, "websocket");
}

/** Why a GET is no WebSocket handshake (RFC 6455, 4.2.1), in the words of Phoenix; undefined: it is one. */
export function getUpgradeFault({ headers, httpVersion }: IncomingMessage): string | undefined {
  const { connection, upgrade } = headers;
  const key = headers["sec-websocket-key"];
  const version = headers["sec-websocket-version"];
  if (httpVersion !== "1.1") return `HTTP version HTTP/${httpVersion} unsupported`;
  if (!hasToken(connection, "upgrade"))
    return `'connection' header must contain 'upgrade', got ${showHeader(connection)}`;
  if (!asksForWebSocket(headers))
    return `'upgrade' header must contain 'websocket', got ${showHeader(upgrade)}`;
  if (!key) return "'sec-websocket-key' header is absent";
  if (!KEY.test(key)) return `'sec-websocket-key' header must be 16 bytes in base64, got ${showHeader(key)}`;
  if (version !== "13") return `'sec-websocket-version' header must equal '13', got ${showHeader(version)}`;
  return undefined;
}

function destroy(this: Socket): void {
  this.destroy();
}

/** Answers an upgrade with an HTTP status and closes the connection. */
export function refuseUpgrade(
  socket: Socket,
  status: number,
  { text = "", retryAfterS = 0 }: { text?: string; retryAfterS?: number } = {},
): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Cache-Control: no-store",
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  // The text repeats what was sent: no browser may take it for a page.
  if (text !== "") lines.push("Content-Type: text/plain; charset=utf-8", "X-Content-Type-Options: nosniff");
  if (retryAfterS > 0) lines.push(`Retry-After: ${retryAfterS}`);
  socket.on("error", destroy);
  socket.once("finish", destroy);
  socket.end(`${lines.join("\r\n")}\r\n\r\n${text}`);
}
