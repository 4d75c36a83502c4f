import type { Lookup } from "../reports/dns/lookup.ts";
import type { DnsRecord, DomainFinding } from "./lookup.ts";

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
 * Whether receivers can tell who may send for the return path's domain: one record, no more look-ups than they make, an end,
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
