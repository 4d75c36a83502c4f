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
