import { NO_SIDES, type Row } from "./item.ts";
import type { Section } from "./sections.ts";

/** A row's columns as they are stored: NULL where nothing is said, an empty value where the column can't be NULL. */
export function toColumns(section: Section, row: Row): Record<string, unknown> {
  const entries = section.fields.map(({ column, isLocalized, field }) => {
    if (!isLocalized) return [column, row.neutral[column] ?? (field.isNullable ? null : "")];
    const sides = row.localized[column] ?? NO_SIDES;
    const isEmpty = sides.en === null && sides.tr === null;
    return [column, isEmpty && field.isNullable ? null : sides];
  });
  return {
    ...Object.fromEntries(entries),
    ...(section.listAt ? { position: row.position } : {}),
    extra: Object.keys(row.extra).length > 0 ? row.extra : null,
  };
}
