import type { ChangeRow } from "../views/history/change-value.tsx";

/** From so many characters on, two texts side by side hide what changed in them. */
const DIFF_FROM_CHARS = 40;

/** Types whose values are prose or code, so that words of them can be compared. */
const PROSE = /^(Localized|CharField|TextField|MarkdownField|JSONField|URLField|EmailField|SlugField)/;

/** A value as text that may be compared word by word; undefined for what is no text. */
export function toComparableText(
  { field, before, after }: ChangeRow,
  side: "before" | "after",
): string | undefined {
  const value = side === "before" ? before : after;
  if (value === null || value === undefined) return undefined;
  if (!PROSE.test(field.type) || field.choices.length > 0) return undefined;
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join("\n");
  return field.type === "JSONField" ? JSON.stringify(value, null, 2) : undefined;
}

/** Both texts, where a diff says more than the two of them. */
export function getComparable(row: ChangeRow): { before: string; after: string } | undefined {
  const before = toComparableText(row, "before");
  const after = toComparableText(row, "after");
  if (before === undefined || after === undefined) return undefined;
  return Math.max(before.length, after.length) > DIFF_FROM_CHARS ? { before, after } : undefined;
}
