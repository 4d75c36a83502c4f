import { checkDkim, checkDmarc, checkMx, checkPtr, checkSpf, checkTls, type SmtpServer } from "./checks.ts";
import { createLookup, type DomainCheck, type DomainFinding, type DomainResolver } from "./lookup.ts";

const HOUR_MS = 60 * 60 * 1000;
const GOOD_MS = 6 * HOUR_MS;
/** What is missing or could not be asked is looked for sooner: somebody may be mending it. */
const OTHERWISE_MS = HOUR_MS;
/** Whoever is publishing a record may look again this often. */
const AGAIN_MS = 60_000;
const LOOKUP_TIMEOUT_MS = 5_000;

export interface SendingDomainDeps {
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
  /** Why something isn't known: for the log. Must not throw. */
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

function toChecks(deps: SendingDomainDeps): Check[] {
  const { domain, bounceDomain, selector, smtp, offersStartTls } = deps;
  const lookup = createLookup(deps.resolver, deps.lookupTimeoutMs ?? LOOKUP_TIMEOUT_MS);
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

/** What one look-up found, and when. */
interface DomainReport {
  checkedAt: Date;
  findings: DomainFinding[];
}

/** What receivers of the site's mail look up about its sending domain. Nothing here fails, and nothing found is worse than a warning. */
export interface SendingDomainCheck {
  domain: string;
  /** What was found last, at once. Where that is old, or nothing is known yet, a look-up begins behind it. */
  peek(): { report: DomainReport | undefined; isChecking: boolean };
  /** What is known and not old, else what a look-up finds. */
  check(): Promise<DomainReport>;
  /** Begins a look-up now. Undefined: it runs; else in how many seconds it may. */
  checkAgain(): number | undefined;
}

/**
 * Findings are cached for six hours, or for one where something is missing or could not be looked up; calls at one time share
 * the look-ups.
 */
export function createSendingDomainCheck(deps: SendingDomainDeps): SendingDomainCheck {
  const checks = toChecks(deps);
  let cached: { until: number; report: DomainReport } | undefined;
  let running: Promise<DomainReport> | undefined;

  async function runAll(): Promise<DomainReport> {
    const findings = await Promise.all(
      checks.map(([check, run]) =>
        run().catch((error: unknown) => {
          deps.onError(error);
          return toUnknown(check);
        }),
      ),
    );
    const report = { checkedAt: deps.now(), findings };
    const lifetimeMs = findings.every(isSettled) ? GOOD_MS : OTHERWISE_MS;
    cached = { until: report.checkedAt.getTime() + lifetimeMs, report };
    return report;
  }

  function run(): Promise<DomainReport> {
    running ??= runAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  /** What was looked up in the future is of a clock that went back. */
  const toAgeMs = ({ report }: NonNullable<typeof cached>) =>
    deps.now().getTime() - report.checkedAt.getTime();
  const isOld = () => !cached || toAgeMs(cached) < 0 || deps.now().getTime() >= cached.until;

  return {
    domain: deps.domain,
    peek() {
      if (isOld()) void run();
      return { report: cached?.report, isChecking: running !== undefined };
    },
    async check() {
      return cached && !isOld() ? cached.report : run();
    },
    checkAgain() {
      const agoMs = cached && toAgeMs(cached) >= 0 ? toAgeMs(cached) : AGAIN_MS;
      if (!running && agoMs < AGAIN_MS) return Math.ceil((AGAIN_MS - agoMs) / 1000);
      void run();
      return undefined;
    },
  };
}
