import type { Language } from "#contract/languages.ts";
import { LIMITS } from "#contract/limits.ts";
import { VOICE_CHANNEL_LIMITS } from "#contract/voice/room-channel.ts";
import { CLAIM_LIFETIME_MS } from "./accounts/claims/store.ts";
import { CODE_KEPT_MS, SESSION_KEPT_MS } from "./accounts/housekeeping.ts";
import { DEVICE_COOKIE_LIFETIME_S } from "./accounts/sessions/devices.ts";
import { FILE_COOKIE_LIFETIME_S } from "./accounts/sessions/file-pass.ts";
import { toSessionRules } from "./accounts/sessions/store.ts";
import type { Config } from "./config.ts";
import { JOB_KEPT_DAYS } from "./content/bulk/jobs.ts";
import { EXPORT_RETENTION_MS } from "./content/exports/service.ts";
import { SAMPLE_RETENTION_MS } from "./health/sampler.ts";
import { MAIL_RETENTION_DAYS, REPORT_RETENTION_DAYS } from "./mail/retention.ts";
import { LOG_FACTS, type LogScope, type PageFact } from "./models/declared/page-facts.ts";
import type { PageFacts } from "./site/service.ts";
import { REPORTS_KEPT_DAYS } from "./voice/service.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

type FactConfig = Pick<Config, "auditRetentionMonths"> &
  Partial<Pick<Config, "logLevel" | "logRequests" | "sessionDays">>;
/** A failed log-in is a warning; a request is logged where it is asked for, and for who looks for faults. */
const WARNS = /^(warn|info|debug|trace)$/;
const DEBUGS = /^(debug|trace)$/;

function toLogScope({ logLevel = "info", logRequests = false }: FactConfig): LogScope {
  if (DEBUGS.test(logLevel) || (logRequests && logLevel === "info")) return "requests";
  return WARNS.test(logLevel) ? "log-ins" : "faults";
}

type Unit = "minute" | "hour" | "day" | "month";

/** What holds on this site, of which pages of text speak: from the very constants and settings that the work is done by. */
function toFacts(
  config: FactConfig,
): Record<Exclude<PageFact, keyof (typeof LOG_FACTS)[LogScope]>, readonly [number, Unit?]> {
  return {
    audit_retention: [config.auditRetentionMonths, "month"],
    session_lifetime: [toSessionRules(config).lifetimeMs / DAY_MS, "day"],
    session_records: [SESSION_KEPT_MS / DAY_MS, "day"],
    device_cookie: [(DEVICE_COOKIE_LIFETIME_S * 1000) / DAY_MS, "day"],
    file_cookie: [(FILE_COOKIE_LIFETIME_S * 1000) / HOUR_MS, "hour"],
    code_lifetime: [LIMITS.codeLifetimeS / 60, "minute"],
    code_records: [CODE_KEPT_MS / DAY_MS, "day"],
    unproven_accounts: [CLAIM_LIFETIME_MS / HOUR_MS, "hour"],
    mail_log: [MAIL_RETENTION_DAYS, "day"],
    mail_reports: [REPORT_RETENTION_DAYS, "day"],
    export_records: [EXPORT_RETENTION_MS / DAY_MS, "day"],
    job_records: [JOB_KEPT_DAYS, "day"],
    health_records: [SAMPLE_RETENTION_MS / DAY_MS, "day"],
    voice_lines: [VOICE_CHANNEL_LIMITS.textsKept],
    voice_reports: [REPORTS_KEPT_DAYS, "day"],
  };
}

/** Texts of the facts by name, in each language with its own plural: `24 months`, `1 month`, `24 ay`; sentences of what is logged. */
export function createPageFacts(config: FactConfig): PageFacts {
  const facts = Object.entries(toFacts(config));
  const words = Object.entries(LOG_FACTS[toLogScope(config)]);
  const write = (lang: Language) =>
    new Map([
      ...facts.map(([name, [count, unit]]): [string, string] => {
        const style = unit ? ({ style: "unit", unit, unitDisplay: "long" } as const) : {};
        return [name, new Intl.NumberFormat(lang, style).format(count)];
      }),
      ...words.map(([name, labels]): [string, string] => [name, labels[lang]]),
    ]);
  return { en: write("en"), tr: write("tr") };
}
