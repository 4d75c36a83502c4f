import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Handshake } from "./sockets.ts";
import type { Peer } from "./transports/handshake.ts";

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

/** What is known of a client before anything is asked of the database. */
export function toHandshake(
  { headers, url }: Pick<IncomingMessage, "headers" | "url">,
  { ip, host }: Peer,
  authToken: string | undefined,
): Handshake {
  return { query: parseQuery(url), headers: { origin: headers.origin, host }, address: ip, authToken };
}
