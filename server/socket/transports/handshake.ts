import { isUtf8 } from "node:buffer";
import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import proxyAddr from "@fastify/proxy-addr";
import { toAddressBlock } from "../../base/actor.ts";
import { createWindowCounter } from "../../base/counters.ts";
import { type TrustProxy, toTrustRule } from "../../base/proxies.ts";
import type { Handshake } from "../sockets.ts";

/** The address of a client as a request of Fastify has it, which an upgrade never becomes: behind a trusted proxy too. */
export type ReadAddress = (request: IncomingMessage) => string;

export function createReadAddress(trustProxy: TrustProxy): ReadAddress {
  const rule = toTrustRule(trustProxy);
  return (request) => proxyAddr(request, rule) ?? "";
}

/** Counts one handshake of an address. @returns seconds to wait; 0: go on. */
export type TakeHandshake = (address: string) => number;

/** One limit for both transports: clients that are refused come back every few seconds for ever. */
export function createHandshakeLimit(
  perMinute: number,
  clock: () => number = () => performance.now(),
): TakeHandshake {
  const counter = createWindowCounter({ max: perMinute, windowMs: 60_000 }, clock);
  return (address) => {
    const block = toAddressBlock(address);
    const waitS = counter.getWaitS(block);
    if (waitS === 0) counter.add(block);
    return waitS;
  };
}

/** The only subprotocol (`Sec-WebSocket-Protocol`) that is spoken. */
const PROTOCOL = "phoenix";
/** Before a token: browsers can't set a header of a WebSocket, so it travels as one more subprotocol. */
const TOKEN_PREFIX = "base64url.bearer.phx.";
/** Clients write the standard alphabet, the name promises the other one: both are read. */
const BASE64 = /^[\w+/-]*={0,2}$/;

/** What a client offers to speak, and the token that it hid there. */
export interface Offer {
  authToken: string | undefined;
  /** Undefined: the answer names none. */
  protocol: typeof PROTOCOL | undefined;
}

/** Undefined: not base64 of text. */
function decodeToken(encoded: string): string | undefined {
  const digits = encoded.replace(/=+$/, "");
  if (!BASE64.test(encoded) || digits.length % 4 === 1) return undefined;
  const bytes = Buffer.from(digits, "base64");
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/** Reads `Sec-WebSocket-Protocol`. Undefined: refused, because nothing of it is spoken here, or the token is junk. */
export function parseOffer(header: string | undefined): Offer | undefined {
  if (header === undefined) return { authToken: undefined, protocol: undefined };
  const entries = header.split(",").map((entry) => entry.trim());
  const tokens = entries.filter((entry) => entry.startsWith(TOKEN_PREFIX));
  const others = entries.filter((entry) => entry !== "" && !entry.startsWith(TOKEN_PREFIX));
  const [token] = tokens;
  const authToken = token === undefined ? undefined : decodeToken(token.slice(TOKEN_PREFIX.length));
  if (tokens.length > 1 || (token !== undefined && authToken === undefined)) return undefined;
  if (others.includes(PROTOCOL)) return { authToken, protocol: PROTOCOL };
  // With the token alone Phoenix goes on without a protocol. Browsers close such a connection themselves.
  return others.length === 0 && token !== undefined ? { authToken, protocol: undefined } : undefined;
}

export function parseQuery(url = ""): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
}

/** What is known of a client before anything is asked of the database. What it came to is `Host`, whatever a proxy passes on. */
export function toHandshake(
  { headers, url }: Pick<IncomingMessage, "headers" | "url">,
  address: string,
  authToken: string | undefined,
): Handshake {
  const { origin, host = "" } = headers;
  return { query: parseQuery(url), headers: { origin, host }, address, authToken };
}

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
