import type { Refusal } from "#contract/content/bulk.ts";
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

/** An answer names so many rows of a reason, and counts all. */
export const NAMED_IDS_MAX = 100;

/** Rows by the state that they came to. */
export type Tally = ReadonlyMap<string, { count: number; ids: readonly number[] }>;

/** Reason that people read for a state; rows that were made since the preview are a kind of change. */
export function toReason(state: string): string {
  if (state === "new_since") return "changed_since";
  return state === "forbidden" ? "row_rule" : state;
}

export function tally(outcomes: readonly { id: number; state: string }[]): Tally {
  const byState = new Map<string, { count: number; ids: number[] }>();
  for (const { id, state } of outcomes) {
    const entry = byState.get(state) ?? { count: 0, ids: [] };
    entry.count += 1;
    if (entry.ids.length < NAMED_IDS_MAX) entry.ids.push(id);
    byState.set(state, entry);
  }
  return byState;
}

export function countOf(states: Tally, ...names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (states.get(name)?.count ?? 0), 0);
}

/** Rows that would be written if nothing had changed since the preview: what its count is compared with. */
export function countExpected(states: Tally): number {
  return countOf(states, "written", "changed_since");
}

/** Everything that isn't written, by reason. */
export function toRefusals(states: Tally, lang: Language): Refusal[] {
  const byReason = new Map<string, { count: number; ids: number[] }>();
  for (const [state, { count, ids }] of states) {
    if (state === "written" || count === 0) continue;
    const reason = toReason(state);
    const entry = byReason.get(reason) ?? { count: 0, ids: [] };
    byReason.set(reason, { count: entry.count + count, ids: [...entry.ids, ...ids].slice(0, NAMED_IDS_MAX) });
  }
  return [...byReason]
    .map(([reason, { count, ids }]) => ({ reason, message: toReasonText(reason, lang), count, ids }))
    .sort((a, b) => (a.reason < b.reason ? -1 : 1));
}

/** Adds the ids that no row was seen of. */
export function withMissing(states: Tally, asked: readonly number[], met: ReadonlySet<number>): Tally {
  const missing = asked.filter((id) => !met.has(id));
  if (missing.length === 0) return states;
  return new Map([
    ...states,
    ["object_not_found", { count: missing.length, ids: missing.slice(0, NAMED_IDS_MAX) }],
  ]);
}

/** Rows that a task goes through, written or not. */
export function countTargets(states: Tally): number {
  return (
    [...states.values()].reduce((sum, { count }) => sum + count, 0) - countOf(states, "object_not_found")
  );
}
