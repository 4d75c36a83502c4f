import type { Refusal } from "#contract/content/bulk.ts";
import type { Language } from "#contract/languages.ts";
import en from "#locales/en/bulk.json" with { type: "json" };
import tr from "#locales/tr/bulk.json" with { type: "json" };
import { type AppError, toErrorText } from "#server/base/errors.ts";
import type { Verdict } from "../write/judge-sql.ts";
import type { BulkTask } from "./task.ts";

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

/** Why rows are left alone, or a job stops, where `locales/` has a text of `bulk` for it. */
export type OwnReason = keyof typeof en.reasons;

/** Why rows were left alone, or a job stopped: a reason of ours, or the code of an error. */
export function toReasonText(reason: string, lang: Language): string {
  const own: Record<string, string> = TEXTS[lang].reasons;
  return own[reason] ?? toErrorText(reason, lang);
}

/** An answer names so many rows of a reason, and counts all. */
export const NAMED_IDS_MAX = 100;

/** Written since the task's snapshot. `new_since`: the row was not there at all, and so doesn't count as drift. */
export type SnapshotRefusal = { type: "changed_since" } | { type: "new_since" };

/** What becomes of a row among many. `refused`: by a rule of its subject; `fault`: by a constraint of the database. */
export type RowVerdict = Verdict<SnapshotRefusal | { type: "refused" | "fault"; code: string }>;

/** Rows with one verdict; `missing`: asked for by id, but nobody met them. */
interface Group {
  verdict: RowVerdict | { type: "missing" };
  count: number;
  ids: readonly number[];
}

export type Tally = readonly Group[];

/** The code of the field at fault, where an error names one. */
export function toCode({ fields, code }: AppError): string {
  return fields[0]?.code ?? code;
}

/** The reason that is stored and sent; rows that were made since the preview are a kind of change. */
export function toReason(verdict: Exclude<Group["verdict"], { type: "written" }>): string {
  switch (verdict.type) {
    case "unchanged":
    case "changed_since":
      return verdict.type satisfies OwnReason;
    case "new_since":
      return "changed_since" satisfies OwnReason;
    case "forbidden":
      return "row_rule" satisfies OwnReason;
    case "missing":
      return "object_not_found" satisfies OwnReason;
    case "refused":
    case "fault":
      return verdict.code;
  }
}

export function tally(outcomes: readonly { id: number; verdict: RowVerdict }[]): Tally {
  const groups = new Map<string, Group & { ids: number[] }>();
  for (const { id, verdict } of outcomes) {
    const key = "code" in verdict ? `${verdict.type} ${verdict.code}` : verdict.type;
    const group = groups.get(key) ?? { verdict, count: 0, ids: [] };
    group.count += 1;
    if (group.ids.length < NAMED_IDS_MAX) group.ids.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

export function countOf(groups: Tally, ...types: readonly Group["verdict"]["type"][]): number {
  return groups.reduce((sum, { verdict, count }) => sum + (types.includes(verdict.type) ? count : 0), 0);
}

/** Everything that isn't written, by reason. */
export function toRefusals(groups: Tally, lang: Language): Refusal[] {
  const byReason = new Map<string, { count: number; ids: number[] }>();
  for (const { verdict, count, ids } of groups) {
    if (verdict.type === "written") continue;
    const reason = toReason(verdict);
    const entry = byReason.get(reason) ?? { count: 0, ids: [] };
    byReason.set(reason, { count: entry.count + count, ids: [...entry.ids, ...ids].slice(0, NAMED_IDS_MAX) });
  }
  return [...byReason]
    .map(([reason, { count, ids }]) => ({ reason, message: toReasonText(reason, lang), count, ids }))
    .sort((a, b) => (a.reason < b.reason ? -1 : 1));
}

/** Adds the ids that a task names, but no row was met of. */
export function withMissing(groups: Tally, { rows }: BulkTask, met: readonly { id: number }[]): Tally {
  if (!("ids" in rows)) return groups;
  const known = new Set(met.map(({ id }) => id));
  const missing = rows.ids.filter((id) => !known.has(id));
  if (missing.length === 0) return groups;
  const ids = missing.slice(0, NAMED_IDS_MAX);
  return [...groups, { verdict: { type: "missing" }, count: missing.length, ids }];
}

/** Rows that a task goes through, written or not. */
export function countTargets(groups: Tally): number {
  return groups.reduce((sum, { count }) => sum + count, 0) - countOf(groups, "missing");
}
