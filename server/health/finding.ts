import type { HealthStatus } from "#contract/health.ts";
import type { Language } from "#contract/languages.ts";
import en from "#locales/en/health.json" with { type: "json" };
import tr from "#locales/tr/health.json" with { type: "json" };

/** What a check found. `reason` names a text of `health` in `locales/`; a healthy part needs none. */
export interface Finding {
  status: HealthStatus;
  reason?: FindingText;
  vars?: Record<string, string | number>;
}

export const HEALTHY: Finding = { status: "healthy" };

const SEVERITY: Readonly<Record<HealthStatus, number>> = { healthy: 0, unknown: 1, warning: 2, critical: 3 };

/** The worst of several; healthy where there are none. */
export function toWorst(findings: readonly Finding[]): Finding {
  return findings.reduce(
    (worst, finding) => (SEVERITY[finding.status] > SEVERITY[worst.status] ? finding : worst),
    HEALTHY,
  );
}

/** Runs a check within a time limit. One that fails gives `failed`; one that takes longer is unknown. */
export async function runCheck(
  check: () => Promise<Finding>,
  failed: Finding,
  limitMs: number,
  onError: (error: unknown) => void,
): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(
      () => resolve({ status: "unknown", reason: "too_slow", vars: { seconds: limitMs / 1000 } }),
      limitMs,
    );
  });
  try {
    return await Promise.race([check(), late]);
  } catch (error) {
    onError(error);
    return failed;
  } finally {
    clearTimeout(timer);
  }
}

/** Name of a text of `health` in `locales/`. */
export type FindingText = keyof typeof en;

const TEXTS: Record<Language, Record<FindingText, string>> = { en, tr };

/** A moment or a day on the server's clock, and a measured number, as checks write them. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(?<time> \d{2}:\d{2})?$/;
const DECIMAL = /^\d+\.\d+$/;

/** Moments and numbers as people write them in the language; anything else as it is. A number may be that of a port: it isn't grouped. */
function toWords(value: string | number, lang: Language): string {
  if (typeof value === "number" || DECIMAL.test(value))
    return Number(value).toLocaleString(lang, { useGrouping: false, maximumFractionDigits: 3 });
  const found = MOMENT.exec(value);
  if (!found) return value;
  // Parsed and written in the same zone: the clock that is shown stays the server's.
  const moment = new Date(`${value.replace(" ", "T")}${found.groups?.time ? "Z" : ""}`);
  if (Number.isNaN(moment.getTime())) return value;
  return new Intl.DateTimeFormat(lang, {
    dateStyle: "medium",
    ...(found.groups?.time && { timeStyle: "short", hourCycle: "h23" }),
    timeZone: "UTC",
  }).format(moment);
}

/** Why a part of the site isn't healthy; empty where it is. */
export function toFindingText(
  { reason, vars = {} }: { reason?: FindingText; vars?: Record<string, string | number> },
  lang: Language,
): string {
  if (!reason) return "";
  return TEXTS[lang][reason].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) =>
    toWords(vars[name] ?? "", lang),
  );
}
