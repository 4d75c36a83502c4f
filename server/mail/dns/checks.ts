import type { DnsRecord, DomainFinding, Lookup } from "./lookup.ts";

/** RFC 7208, section 4.6.4: a receiver that needs more lets the record fail. */
const MAX_LOOKUPS = 10;
const IS_SPF = /^v=spf1(\s|$)/i;
/** Terms that make a receiver look something up. */
const ASKING = /^[+?~-]?(include:|a(?=[:/]|$)|mx(?=[:/]|$)|ptr(?=:|$)|exists:)|^redirect=/i;
const FOLLOWED = /^(?:[+?~-]?include:|redirect=)(.+)$/i;
const REDIRECT = /^redirect=/i;
const ALL = /^([+?~-]?)all$/i;

/** Relays whose servers an own domain's record has to include, by the end of the host that mail is handed to. */
const RELAY_INCLUDES: readonly (readonly [RegExp, string])[] = [
  [/^email-smtp\..+\.amazonaws\.com$/i, "amazonses.com"],
  [/(^|\.)mailgun\.org$/i, "mailgun.org"],
  [/(^|\.)mailjet\.com$/i, "spf.mailjet.com"],
  [/(^|\.)(gmail|google)\.com$/i, "_spf.google.com"],
  [/(^|\.)(office365|outlook)\.com$/i, "spf.protection.outlook.com"],
  [/(^|\.)(fastmail|messagingengine)\.com$/i, "spf.messagingengine.com"],
];

interface Walked {
  lookups: number;
  included: Set<string>;
  /** Includes without a record, or with several: a receiver lets the whole record fail. */
  broken: string[];
}

const toTerms = (record: string) => record.split(/\s+/).slice(1).filter(Boolean);

/**
 * Follows includes, until more look-ups are counted than a receiver makes, so that circles end too. Gives the sign before
 * the record's `all` (`-`, `~`, `?`, `+` or none), else that of its redirect; undefined: it has no end.
 */
async function walk(lookup: Lookup, record: string, walked: Walked): Promise<string | undefined> {
  const terms = toTerms(record);
  let end = terms.map((term) => ALL.exec(term)).find((match) => match !== null)?.[1];
  for (const term of terms) {
    const isRedirect = REDIRECT.test(term);
    if (!ASKING.test(term) || (isRedirect && end !== undefined)) continue;
    walked.lookups += 1;
    if (walked.lookups > MAX_LOOKUPS) break;
    const target = FOLLOWED.exec(term)?.[1]?.toLowerCase();
    // What depends on the mail at hand (`%{i}`) can't be followed.
    if (target === undefined || target.includes("%")) continue;
    walked.included.add(target);
    const [only, second] = await lookup.txt(target, IS_SPF);
    if (only === undefined || second !== undefined) {
      walked.broken.push(target);
      continue;
    }
    const itsEnd = await walk(lookup, only, walked);
    if (isRedirect) end = itsEnd;
  }
  return end;
}

/** What a domain without a record should say. */
function toFirstRecord(host: string, include: string | undefined, isLocal: boolean): string {
  if (include !== undefined) return `v=spf1 include:${include} ~all`;
  return isLocal ? "v=spf1 a mx ~all" : `v=spf1 mx a:${host} ~all`;
}

/** One record with the terms of all of them, and the include that is missing. */
function toMerged(records: readonly string[], include?: string): string {
  const terms = records.flatMap(toTerms).filter((term) => !ALL.test(term));
  const plain = new Set(terms.map((term) => term.replace(REDIRECT, "include:")));
  if (include !== undefined) plain.add(`include:${include}`);
  const isStrict = records.some((record) => /\s-all(\s|$)/i.test(record));
  return ["v=spf1", ...plain, isStrict ? "-all" : "~all"].join(" ");
}

/**
 * Whether receivers can find out who may send for the return path's domain: one record, no more look-ups than they make, an end,
 * and the relay in it where it is one that is known.
 */
export async function checkSpf(
  lookup: Lookup,
  { domain, host, isLocal }: { domain: string; host: string; isLocal: boolean },
): Promise<DomainFinding> {
  const records = await lookup.txt(domain, IS_SPF);
  const include = RELAY_INCLUDES.find(([relay]) => relay.test(host))?.[1];
  const found = records.join("\n") || null;
  const publish = (value: string): { publish: DnsRecord } => ({
    publish: { name: domain, type: "TXT", value },
  });
  const warn = (reason: DomainFinding["reason"], more: Partial<DomainFinding> = {}): DomainFinding => ({
    check: "spf",
    state: "warning",
    found,
    reason,
    ...more,
  });

  const [record] = records;
  if (record === undefined) return warn("spf_none", publish(toFirstRecord(host, include, isLocal)));
  if (records.length > 1) return warn("spf_several", publish(toMerged(records)));

  const walked: Walked = { lookups: 0, included: new Set(), broken: [] };
  const end = await walk(lookup, record, walked);
  const [broken] = walked.broken;
  if (walked.lookups > MAX_LOOKUPS) return warn("spf_lookups", { vars: { max: MAX_LOOKUPS } });
  if (broken !== undefined) return warn("spf_broken", { vars: { include: broken } });
  if (include !== undefined && !walked.included.has(include))
    return warn("spf_relay", { vars: { include, host }, ...publish(toMerged([record], include)) });
  if (end !== "-" && end !== "~") return warn("spf_open", publish(toMerged([record])));
  return { check: "spf", state: "good", found, reason: "spf_good", vars: { lookups: walked.lookups } };
}

/** Where mail is handed over, as the SMTP address says it. */
export interface SmtpServer {
  host: string;
  port: number;
  /** `smtps://`: encrypted from the first byte. */
  isSecure: boolean;
}

/** `v=DMARC1; p=none` → a map; names in lower case. */
function toTags(record: string): Map<string, string> {
  const pairs = record.split(";").map((part) => part.split("="));
  return new Map(pairs.map(([name = "", ...value]) => [name.trim().toLowerCase(), value.join("=").trim()]));
}

/** A key is found by its `p`; some leave `v=DKIM1` out, which RFC 6376 allows. */
const IS_DKIM = /(^|;)\s*p\s*=/i;

export async function checkDkim(
  lookup: Lookup,
  { domain, selector }: { domain: string; selector: string | undefined },
): Promise<DomainFinding> {
  if (selector === undefined)
    return { check: "dkim", state: "unknown", found: null, reason: "dkim_selector", vars: { domain } };
  const name = `${selector}._domainkey.${domain}`;
  const [record] = await lookup.txt(name, IS_DKIM);
  if (record === undefined)
    return { check: "dkim", state: "warning", found: null, reason: "dkim_none", vars: { name } };
  // An empty key says that it was withdrawn.
  const isGood = Boolean(toTags(record).get("p"));
  const reason = isGood ? "dkim_good" : "dkim_withdrawn";
  return { check: "dkim", state: isGood ? "good" : "warning", found: record, reason, vars: { name } };
}

const IS_DMARC = /^v\s*=\s*DMARC1\s*(;|$)/i;
const POLICIES: ReadonlySet<string> = new Set(["none", "quarantine", "reject"]);
/** Of a domain in many parts the shortest ones are asked: somebody owns one of them. */
const MAX_PARENTS = 3;

/** The domain, then those above it that somebody can own: `a.b.example` → `a.b.example`, `b.example`. */
function toOwners(domain: string): string[] {
  const labels = domain.split(".");
  const parents = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join("."));
  return [domain, ...parents.slice(-MAX_PARENTS)];
}

/** The domain's own record, else that of the domain above it, which counts for it too. */
async function findDmarc(lookup: Lookup, domain: string): Promise<{ name: string; records: string[] }> {
  for (const owner of toOwners(domain)) {
    const name = `_dmarc.${owner}`;
    const records = await lookup.txt(name, IS_DMARC);
    if (records.length > 0) return { name, records };
  }
  return { name: `_dmarc.${domain}`, records: [] };
}

export async function checkDmarc(lookup: Lookup, { domain }: { domain: string }): Promise<DomainFinding> {
  const { name, records } = await findDmarc(lookup, domain);
  const rua = `rua=mailto:postmaster@${domain}`;
  const first = { name, type: "TXT", value: `v=DMARC1; p=none; ${rua}` } as const;
  const [record, second] = records;
  if (record === undefined)
    return { check: "dmarc", state: "warning", found: null, reason: "dmarc_none", publish: first };
  const found = records.join("\n");
  const tags = toTags(record);
  const policy = tags.get("p")?.toLowerCase() ?? "";
  if (second !== undefined || !POLICIES.has(policy))
    return { check: "dmarc", state: "warning", found, reason: "dmarc_broken", publish: first };
  if (tags.get("rua"))
    return { check: "dmarc", state: "good", found, reason: "dmarc_good", vars: { policy } };
  const value = `${record.replace(/[;\s]+$/, "")}; ${rua}`;
  return {
    check: "dmarc",
    state: "good",
    found,
    reason: "dmarc_no_reports",
    vars: { policy },
    publish: { name, type: "TXT", value },
  };
}

/** Without a host that takes mail for the return path's domain nothing comes back, and nobody learns of it. */
export async function checkMx(
  lookup: Lookup,
  { domain, host, isOwn }: { domain: string; host: string; isOwn: boolean },
): Promise<DomainFinding> {
  const hosts = await lookup.mx(domain);
  const found = hosts.join("\n") || null;
  if (hosts.length > 0 && hosts.every((name) => name !== "" && name !== "."))
    return { check: "mx", state: "good", found, reason: "mx_good" };
  // RFC 5321, section 5.1: without an MX record a domain's own address takes its mail.
  const addresses = hosts.length === 0 ? await lookup.addresses(domain) : [];
  if (addresses.length > 0)
    return { check: "mx", state: "good", found: addresses.join("\n"), reason: "mx_address" };
  const publish = isOwn && ({ name: domain, type: "MX", value: `10 ${host}.` } as const);
  return {
    check: "mx",
    state: "warning",
    found,
    reason: "mx_none",
    vars: { domain },
    ...(publish && { publish }),
  };
}

/** Large receivers refuse servers whose address has no name, or one that doesn't lead back to it. */
export async function checkPtr(lookup: Lookup, { host }: { host: string }): Promise<DomainFinding> {
  const addresses = await lookup.addresses(host);
  if (addresses.length === 0)
    return { check: "ptr", state: "warning", found: null, reason: "ptr_no_address", vars: { host } };
  const found: string[] = [];
  for (const address of addresses) {
    const names = await lookup.names(address);
    const back = await Promise.all(names.slice(0, 3).map((name) => lookup.addresses(name)));
    if (names.length === 0 || !back.some((own) => own.includes(address))) {
      const reason = names.length === 0 ? "ptr_none" : "ptr_elsewhere";
      const vars = { address, host, name: names[0] ?? "" };
      return { check: "ptr", state: "warning", found: names.join("\n") || null, reason, vars };
    }
    found.push(`${address} ${names[0]}`);
  }
  return { check: "ptr", state: "good", found: found.join("\n"), reason: "ptr_good" };
}

/** Whether mail leaves the machine encrypted. `offersStartTls` asks the server; it fails where the server can't be asked. */
export async function checkTls(
  smtp: SmtpServer,
  isLocal: boolean,
  offersStartTls: (host: string, port: number) => Promise<boolean>,
): Promise<DomainFinding> {
  const { host, port, isSecure } = smtp;
  if (isSecure) return { check: "tls", state: "good", found: "smtps", reason: "tls_always", vars: { host } };
  if (isLocal) return { check: "tls", state: "good", found: null, reason: "tls_local" };
  const isOffered = await offersStartTls(host, port);
  return isOffered
    ? { check: "tls", state: "good", found: "STARTTLS", reason: "tls_offered", vars: { host } }
    : { check: "tls", state: "warning", found: null, reason: "tls_none", vars: { host } };
}
