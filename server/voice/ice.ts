import { createHmac } from "node:crypto";
import type { IceServer } from "#contract/voice/rooms.ts";

/** An address of a STUN or TURN server, as browsers take it (RFC 7064, RFC 7065). */
export interface IceUrl {
  scheme: "stun" | "turn" | "turns";
  /** A name or an address; IPv6 without brackets. */
  host: string;
  port: number;
  transport: "udp" | "tcp" | "tls";
}

const DEFAULT_PORT = { stun: 3478, turn: 3478, turns: 5349 };
const HOST = String.raw`\[[\da-f:.]+\]|[a-z\d](?:[a-z\d.-]*[a-z\d])?`;
const PATTERN = new RegExp(`^(stun|turns?):(${HOST})(?::(\\d{1,5}))?(\\?transport=(udp|tcp))?$`, "i");

/** Undefined where a browser would refuse the address, and with it every call. */
export function parseIceUrl(text: string): IceUrl | undefined {
  const [, word = "", host = "", digits, query, wish = "udp"] = PATTERN.exec(text) ?? [];
  const scheme = (["stun", "turn", "turns"] as const).find((known) => known === word.toLowerCase());
  if (!scheme || (query && scheme === "stun")) return undefined;
  const port = digits === undefined ? DEFAULT_PORT[scheme] : Number(digits);
  if (port < 1 || port > 65_535) return undefined;
  // `turns` over UDP is DTLS, which no browser speaks to a relay.
  if (scheme === "turns" && query && wish.toLowerCase() === "udp") return undefined;
  const transport = scheme === "turns" ? "tls" : wish.toLowerCase() === "tcp" ? "tcp" : "udp";
  return { scheme, host: host.replace(/^\[|\]$/g, ""), port, transport };
}

/** An IPv6 address with the brackets that it has in addresses. */
export function toUrlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Long enough for a long talk; a browser asks again before it restarts a connection. */
const CREDENTIAL_LIFETIME_S = 2 * 60 * 60;

/** Some of the STUN and TURN that the site has (`ICE_URLS`, `TURN_SECRET`, `TURN`). */
export interface IceSettings {
  /** `stun:`, `turn:` and `turns:` addresses. */
  urls: readonly string[];
  /** Shared with the relay, which checks what is made of it. */
  turnSecret: string | undefined;
}

export interface IceAnswer {
  ice_servers: IceServer[];
  /** ISO moment; null where nothing expires. */
  expires_at: string | null;
}

const isRelay = (url: string) => /^turns?:/.test(url);

/** Name and password of a relay for one person, good until `expiresS` (seconds since 1970): TURN's REST scheme, as coturn has it. */
export function buildTurnCredential(
  secret: string,
  userId: number,
  expiresS: number,
): { username: string; credential: string } {
  const username = `${expiresS}:${userId}`;
  return { username, credential: createHmac("sha1", secret).update(username).digest("base64") };
}

/** What a browser puts into its connections. A relay without a secret is left out: it would refuse everybody. */
export function listIceServers(settings: readonly IceSettings[], userId: number, now: Date): IceAnswer {
  const plain = settings.flatMap(({ urls }) => urls.filter((url) => !isRelay(url)));
  const expiresS = Math.floor(now.getTime() / 1000) + CREDENTIAL_LIFETIME_S;
  const relays = settings.flatMap(({ urls, turnSecret }): IceServer[] => {
    const own = urls.filter(isRelay);
    if (turnSecret === undefined || own.length === 0) return [];
    return [{ urls: own, ...buildTurnCredential(turnSecret, userId, expiresS) }];
  });
  return {
    ice_servers: [...(plain.length > 0 ? [{ urls: plain }] : []), ...relays],
    expires_at: relays.length > 0 ? new Date(expiresS * 1000).toISOString() : null,
  };
}
