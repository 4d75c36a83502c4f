import type { DomainFindingAnswer, SendingDomainAnswer } from "#contract/health.ts";
import type { Language } from "#contract/languages.ts";
import { type Finding, HEALTHY } from "./finding.ts";
import { type FindingText, toFindingText } from "./texts.ts";

/** What was found of one thing that receivers look up. */
interface DomainFinding {
  check: DomainFindingAnswer["check"];
  state: DomainFindingAnswer["state"];
  found: string | null;
  publish?: NonNullable<DomainFindingAnswer["publish"]>;
  reason: FindingText;
  vars?: Record<string, string | number>;
}

/** The domain that mail is sent from. Neither call waits for a look-up. */
export interface SendingDomain {
  domain: string;
  peek(): { report: { checkedAt: Date; findings: DomainFinding[] } | undefined; isChecking: boolean };
  /** Undefined: a look-up runs; else in how many seconds it may be asked for. */
  checkAgain(): number | undefined;
}

/** Never worse than a warning: a record that is missing stops no mail here. */
export function checkSendingDomain({ peek }: SendingDomain): Finding {
  const findings = peek().report?.findings ?? [];
  const wrong = findings.filter(({ state }) => state === "warning").map(({ check }) => check.toUpperCase());
  if (wrong.length > 0)
    return { status: "warning", reason: "domain_wrong", vars: { checks: wrong.join(", ") } };
  if (findings.length === 0) return { status: "unknown", reason: "domain_waits" };
  return findings.some(({ state }) => state === "good")
    ? HEALTHY
    : { status: "unknown", reason: "domain_unknown" };
}

export function toDomainAnswer({ domain, peek }: SendingDomain, lang: Language): SendingDomainAnswer {
  const { report, isChecking } = peek();
  return {
    domain,
    checked_at: report?.checkedAt.toISOString() ?? null,
    is_checking: isChecking,
    findings: (report?.findings ?? []).map((finding) => ({
      check: finding.check,
      state: finding.state,
      message: toFindingText(finding, lang),
      found: finding.found,
      publish: finding.publish ?? null,
    })),
  };
}
