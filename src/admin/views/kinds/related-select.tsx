import { relatedValue } from "../cell-value.ts";

/** A row of another model, by its id and what people call it. */
export interface Related {
  id: number;
  repr: string;
}

/** Written as the row's id, read as `{ id, repr }`; a back end that gives the id alone is understood too. */
export function toRelated(value: unknown): Related | null {
  if (typeof value === "number") return { id: value, repr: `#${value}` };
  const parsed = relatedValue.safeParse(value);
  return parsed.success ? { id: parsed.data.id, repr: parsed.data.repr } : null;
}

/** Several of them in the order of their ids, so that the same rows are always the same value. */
export function toRelatedRows(value: unknown): Related[] {
  const rows = Array.isArray(value) ? value.flatMap((row) => toRelated(row) ?? []) : [];
  return rows.sort((a, b) => a.id - b.id);
}
