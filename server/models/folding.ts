import { ADMIN_LIMITS } from "#contract/admin-limits.ts";
import type { Condition } from "./model.ts";

/** What `foyer_fold` takes away after NFKD. */
const MARKS = /[\u0300-\u036f]/g;

/**
 * Whether folding leaves nothing of a text that isn't blank, such as the accent of a dead key alone. Its pattern would find
 * every row, where whoever typed it looked for something.
 */
export function isFoldedAway(text: string): boolean {
  return text.trim() !== "" && text.normalize("NFKD").replace(MARKS, "").trim() === "";
}

/** As `foyer_fold` does. */
function fold(text: string): string {
  return text.normalize("NFKD").replace(MARKS, "").replaceAll("ı", "i").toLowerCase();
}

/** A search in which a phrase that stands for another is replaced by it, however it is written. */
export function withPhrases(search: string, phrases: Readonly<Record<string, string>>): string {
  const folded = fold(search);
  const [phrase, stored] = Object.entries(phrases).find(([known]) => folded.includes(fold(known))) ?? [];
  return phrase === undefined || stored === undefined ? search : folded.replace(fold(phrase), stored);
}

/** Operators that fold each row's value: no index helps, and folding is what makes them slow. */
const FOLDING: ReadonlySet<string> = new Set(["contains", "startswith", "iexact"]);

/** Only texts are folded: `contains` of a list looks for one of its values. */
function isFolding({ field, operator }: Extract<Condition, { type: "field" }>): boolean {
  return FOLDING.has(operator) && field.kind.operators.includes("iexact");
}

function countFolding(condition: Condition): number {
  switch (condition.type) {
    case "and":
    case "or":
      return condition.of.reduce((sum, part) => sum + countFolding(part), 0);
    case "not":
      return countFolding(condition.of);
    case "field":
      return isFolding(condition) ? 1 : 0;
    default:
      return 0;
  }
}

/** Whether a query folds more than a list has time for. */
export function foldsTooMuch(condition: Condition): boolean {
  return countFolding(condition) > ADMIN_LIMITS.foldingConditionsMax;
}
