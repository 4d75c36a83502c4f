import { checkDkim, checkDmarc, checkMx, checkPtr, checkTls, type SmtpServer } from "./checks.ts";
import type { DomainCheck, DomainFinding } from "./finding.ts";
import { createLookup, type DomainResolver } from "./lookup.ts";
import { checkSpf } from "./spf.ts";

const HOUR_MS = 60 * 60 * 1000;
const GOOD_MS = 6 * HOUR_MS;
/** What is missing or could not be asked is looked for sooner: somebody may be mending it. */
const OTHERWISE_MS = HOUR_MS;
const LOOKUP_TIMEOUT_MS = 5_000;

export interface SendingDomainParts {
  /** Of MAIL_FROM's address. */
  domain: string;
  /** Of the return path, MAIL_BOUNCES' address. */
  bounceDomain: string;
  /** Of the key that the relay signs with; undefined: nobody has named it. */
  selector: string | undefined;
  smtp: SmtpServer;
  resolver: DomainResolver;
  /** Whether the server offers STARTTLS; fails where it can't be asked. Has a time limit of its own. */
  offersStartTls: (host: string, port: number) => Promise<boolean>;
  now: () => Date;
  /** Why something isn't known: for the log. */
  onError: (error: unknown) => void;
  lookupTimeoutMs?: number;
}

const isLoopback = (host: string) => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host);

/** A server of the domain's own sends by itself: its address is what receivers judge. */
function isOwnServer(host: string, domain: string): boolean {
  const [name, own] = [host.toLowerCase(), domain.toLowerCase()];
  return name === own || name.endsWith(`.${own}`);
}

/** From inside the machine nobody sees under which address it sends. */
const UNSEEN_PTR: DomainFinding = { check: "ptr", state: "unknown", found: null, reason: "ptr_unseen" };

type Check = readonly [check: DomainCheck, run: () => Promise<DomainFinding>];

function toChecks(parts: SendingDomainParts): Check[] {
  const { domain, bounceDomain, selector, smtp, offersStartTls } = parts;
  const lookup = createLookup(parts.resolver, parts.lookupTimeoutMs ?? LOOKUP_TIMEOUT_MS);
  const { host } = smtp;
  const isLocal = isLoopback(host);
  const isOwn = isOwnServer(host, domain) || isOwnServer(host, bounceDomain);
  return [
    ["spf", () => checkSpf(lookup, { domain: bounceDomain, host, isLocal })],
    ["dkim", () => checkDkim(lookup, { domain, selector })],
    ["dmarc", () => checkDmarc(lookup, { domain })],
    ["mx", () => checkMx(lookup, { domain: bounceDomain, host, isOwn })],
    ...(isLocal ? [["ptr", async () => UNSEEN_PTR] as const] : []),
    ...(isOwn ? [["ptr", () => checkPtr(lookup, { host })] as const] : []),
    ["tls", () => checkTls(smtp, isLocal, offersStartTls)],
  ];
}

/** Another look-up would hardly say anything else. */
const isSettled = ({ state, reason }: DomainFinding) =>
  state === "good" || reason === "dkim_selector" || reason === "ptr_unseen";

const toUnknown = (check: DomainCheck): DomainFinding => ({
  check,
  state: "unknown",
  found: null,
  reason: `${check}_unknown`,
});

/**
 * What receivers of the site's mail look up about its sending domain. Findings are kept for six hours, or for one where
 * something is missing or could not be looked up; calls at one time share the look-ups. It never fails, and nothing it finds is worse than a warning.
 */
export function createSendingDomainCheck(parts: SendingDomainParts): () => Promise<DomainFinding[]> {
  const checks = toChecks(parts);
  let kept: { until: number; findings: DomainFinding[] } | undefined;
  let running: Promise<DomainFinding[]> | undefined;

  async function runAll(): Promise<DomainFinding[]> {
    const findings = await Promise.all(
      checks.map(([check, run]) =>
        run().catch((error: unknown) => {
          parts.onError(error);
          return toUnknown(check);
        }),
      ),
    );
    const lifetimeMs = findings.every(isSettled) ? GOOD_MS : OTHERWISE_MS;
    kept = { until: parts.now().getTime() + lifetimeMs, findings };
    return findings;
  }

  return async () => {
    if (kept && parts.now().getTime() < kept.until) return kept.findings;
    running ??= runAll().finally(() => {
      running = undefined;
    });
    return running;
  };
}
