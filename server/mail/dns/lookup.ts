import type en from "#locales/en/health.json";

export type DomainCheck = "spf" | "dkim" | "dmarc" | "ptr" | "tls" | "mx";

/** Names of texts in `locales/{en,tr}/health.json`: `spf_none`, `dkim_good` … */
export type DomainReason = Extract<keyof typeof en, `${DomainCheck}_${string}`>;

/** A record to publish: to be pasted as it stands. */
export interface DnsRecord {
  name: string;
  type: "TXT" | "MX";
  value: string;
}

/** What a check of the sending domain found. */
export interface DomainFinding {
  check: DomainCheck;
  state: "good" | "warning" | "unknown";
  /** What stands in DNS now, or the server says; null: nothing, or it isn't known. */
  found: string | null;
  publish?: DnsRecord;
  reason: DomainReason;
  /** What the reason's text speaks of. */
  vars?: Record<string, string | number>;
}
