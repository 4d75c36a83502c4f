import type { Language } from "#contract/languages.ts";
import en from "#locales/en/bulk.json" with { type: "json" };
import tr from "#locales/tr/bulk.json" with { type: "json" };
import { toErrorText } from "#server/base/errors.ts";

const TEXTS: Record<Language, typeof en> = { en, tr };
const PLURALS = { en: new Intl.PluralRules("en"), tr: new Intl.PluralRules("tr") };
const NUMBERS = { en: new Intl.NumberFormat("en"), tr: new Intl.NumberFormat("tr") };

type Counted = "updated" | "deleted" | "skipped" | "failed";
type Plain = "queued" | "running" | "cancelling" | "cancelled" | "stopped" | "accepted";

/** A text of `bulk` in `locales/`; numbers are written as the language writes them. */
export function toBulkText(
  name: Plain,
  lang: Language,
  vars: Readonly<Record<string, string | number>> = {},
): string {
  return TEXTS[lang][name].replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const value = vars[key] ?? "";
    return typeof value === "number" ? NUMBERS[lang].format(value) : value;
  });
}

/** A number of objects and what became of them: "25 objects updated". */
function toCountText(name: Counted, count: number, lang: Language): string {
  const form = PLURALS[lang].select(count) === "one" ? "one" : "other";
  return TEXTS[lang][`${name}_${form}`].replace("{{count}}", NUMBERS[lang].format(count));
}

/** What was done, and where there is any: what was left alone, and what could not be written. */
export function toSummary(
  operation: "delete" | "update",
  counts: { affected: number; skipped: number; failed: number },
  lang: Language,
): string {
  const parts = [toCountText(operation === "delete" ? "deleted" : "updated", counts.affected, lang)];
  if (counts.skipped > 0) parts.push(toCountText("skipped", counts.skipped, lang));
  if (counts.failed > 0) parts.push(toCountText("failed", counts.failed, lang));
  return parts.join(", ");
}

/** Why rows were left alone, or a job stopped: a reason of ours, or the code of an error. */
export function toReasonText(reason: string, lang: Language): string {
  const own: Record<string, string> = TEXTS[lang].reasons;
  return own[reason] ?? toErrorText(reason, lang);
}
