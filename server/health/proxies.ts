import { isLoopback, isPrivate, type TrustProxy, toTrustRule } from "#server/base/proxies.ts";
import { type Finding, type FindingText, HEALTHY } from "./finding.ts";

/** What a request shows of the proxies before the site. */
export interface ProxiedRequest {
  /** Of the connection, without `TRUST_PROXY`. */
  peer: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Compares `TRUST_PROXY` with what arrives. */
export interface ProxyWatch {
  observe(request: ProxiedRequest): void;
  /** Undefined: no proxy is trusted, and there is no sign of one; or too little arrived to say anything. */
  check(): Finding | undefined;
}

/** What is counted is forgotten after one to two of these, so that a mended proxy is found well. */
const PERIOD_MS = 30 * 60_000;
/** Fewer requests say nothing. */
const REQUESTS_MIN = 10;
/** Connections' addresses that are told apart; more are not "everybody from one". */
const PEERS_MAX = 8;
/** Longer chains of addresses are counted as this long. */
const CHAIN_MAX = 99;

/** A request from the machine itself past the proxy, such as a probe, is in none of these. */
interface Counts {
  /** With `X-Forwarded-For`, or for the host of `PUBLIC_URL`, by the connection's address. */
  proxied: Map<string, number>;
  /** Of these, from addresses that found no place there. */
  proxiedByOthers: number;
  /** Of these, without `X-Forwarded-For`. */
  silent: number;
  /** Of these, by what `X-Forwarded-Proto` says. */
  schemeless: number;
  plain: number;
  /** Addresses in `X-Forwarded-For` where there were fewest. */
  shortest: number;
  /** How many had so few that a visitor's own address would be believed. */
  short: number;
  /** From outside of this machine, without `X-Forwarded-For`, where whoever sends one is believed. */
  bypassing: number;
}

const toCounts = (): Counts => ({
  proxied: new Map(),
  proxiedByOthers: 0,
  silent: 0,
  schemeless: 0,
  plain: 0,
  shortest: CHAIN_MAX,
  short: 0,
  bypassing: 0,
});

function addCounts(one: Counts, other: Counts): Counts {
  const proxied = new Map(one.proxied);
  for (const [peer, count] of other.proxied) proxied.set(peer, (proxied.get(peer) ?? 0) + count);
  return {
    proxied,
    proxiedByOthers: one.proxiedByOthers + other.proxiedByOthers,
    silent: one.silent + other.silent,
    schemeless: one.schemeless + other.schemeless,
    plain: one.plain + other.plain,
    shortest: Math.min(one.shortest, other.shortest),
    short: one.short + other.short,
    bypassing: one.bypassing + other.bypassing,
  };
}

/** The parts of a header that proxies add to; Node joins repeated ones with commas. */
function readParts(header: string | string[] | undefined): string[] {
  return String(header ?? "")
    .split(",", CHAIN_MAX)
    .map((part) => part.trim())
    .filter(Boolean);
}

/** How many proxies `TRUST_PROXY` trusts, where it is a number. */
function countHops(trustProxy: TrustProxy): number | undefined {
  if (typeof trustProxy !== "function") return undefined;
  let hops = 0;
  while (hops < CHAIN_MAX && trustProxy("", hops)) hops++;
  return hops;
}

const warn = (reason: FindingText, vars?: Finding["vars"]): Finding => ({
  status: "warning",
  reason,
  ...(vars && { vars }),
});

function findSchemeFault({ schemeless, plain }: Counts, most: number): Finding | undefined {
  if (schemeless >= most) return warn("proxy_no_scheme");
  return plain >= most ? warn("proxy_plain") : undefined;
}

/**
 * A visitor can make `X-Forwarded-For` longer and never shorter than the proxies do. So a chain that is too short for what is
 * trusted proves something, and a long one proves nothing: no more is ever advised than what the shortest one shows.
 */
export function createProxyWatch(config: {
  trustProxy: TrustProxy;
  publicUrl: string | undefined;
  now: () => Date;
}): ProxyWatch {
  const { trustProxy, publicUrl, now } = config;
  const isTrusted = toTrustRule(trustProxy);
  const hops = countHops(trustProxy);
  const trustsNone = trustProxy === false || hops === 0;
  const isHttps = publicUrl?.startsWith("https://") ?? false;
  const publicHost = publicUrl && new URL(publicUrl).host;
  let [before, current] = [toCounts(), toCounts()];
  let since = now().getTime();

  function getCurrent(): Counts {
    const past = Math.floor((now().getTime() - since) / PERIOD_MS);
    if (past === 0) return current;
    before = past === 1 ? current : toCounts();
    current = toCounts();
    since += past * PERIOD_MS;
    return current;
  }

  function countProxied(counts: Counts, peer: string, chain: string[], scheme: string | undefined): void {
    const known = counts.proxied.get(peer);
    if (known !== undefined || counts.proxied.size < PEERS_MAX) counts.proxied.set(peer, (known ?? 0) + 1);
    else counts.proxiedByOthers++;
    if (chain.length === 0) counts.silent++;
    else counts.shortest = Math.min(counts.shortest, chain.length);
    if (chain.length > 0 && hops !== undefined && chain.length < hops) counts.short++;
    if (scheme === undefined) counts.schemeless++;
    else if (scheme !== "https") counts.plain++;
  }

  /** The address that everybody comes from through a proxy, if they do. */
  function findOnlyPeer({ proxied, proxiedByOthers }: Counts): string | undefined {
    const [peer, ...others] = proxied.keys();
    return others.length === 0 && proxiedByOthers === 0 ? peer : undefined;
  }

  /** Whether everybody is taken for the proxy, or for whom they say they are. */
  function findAddressFault(counts: Counts, most: number): Finding | undefined {
    const address = findOnlyPeer(counts);
    if (address !== undefined && isPrivate(address)) {
      if (counts.silent >= most) return warn("proxy_silent", { address });
      if (!isTrusted(address, 0)) return warn("proxy_untrusted", { address });
    }
    if (hops === undefined || counts.short < most) return undefined;
    return warn("proxy_fewer", { trusted: hops, found: counts.shortest });
  }

  return {
    observe({ peer, headers }) {
      const counts = getCurrent();
      const chain = readParts(headers["x-forwarded-for"]);
      // Node speaks no TLS here: who asks for an https site came through something that does.
      if (chain.length > 0 || (isHttps && isPrivate(peer) && headers.host === publicHost))
        countProxied(counts, peer, chain, readParts(headers["x-forwarded-proto"]).at(-1));
      else if (hops && !isLoopback(peer)) counts.bypassing++;
    },
    check() {
      if (trustProxy === true) return warn("proxy_all");
      const counts = addCounts(before, getCurrent());
      const all =
        counts.proxiedByOthers + [...counts.proxied.values()].reduce((sum, count) => sum + count, 0);
      const most = Math.max(REQUESTS_MIN, all / 2);
      if (hops && counts.bypassing >= REQUESTS_MIN) return warn("proxy_bypassed", { trusted: hops });
      if (all < REQUESTS_MIN) return undefined;
      const fault = findAddressFault(counts, most);
      if (fault || trustsNone) return fault;
      return (isHttps && findSchemeFault(counts, most)) || HEALTHY;
    },
  };
}
