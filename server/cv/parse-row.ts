import { NO_SIDES, type Row, type Sides, type Value } from "./item.ts";
import { isJsonObject, type JsonValue } from "./json.ts";
import type { MappedField, Section } from "./sections.ts";

/** A text trimmed, null when nothing is left. */
export function toText(value: unknown): string | null {
  return typeof value === "string" ? value.trim() || null : null;
}

/** The texts of a list that say something, null when there are none. */
export function toList(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const texts = value.map(toText).filter((text) => text !== null);
  return texts.length > 0 ? texts : null;
}

function toValue(field: MappedField, value: unknown): Value {
  return field.field.kind.name === "localized_list" ? toList(value) : toText(value);
}

function toSides(field: MappedField, value: unknown): Sides {
  return isJsonObject(value) ? { en: toValue(field, value.en), tr: toValue(field, value.tr) } : NO_SIDES;
}

/** A row as the store reads it → its meaning. Whatever a door let through before is tolerated: odd shapes count as empty. */
export function parseRow(section: Section, row: Readonly<Record<string, JsonValue>>): Row {
  const entries = <Part>(isLocalized: boolean, parse: (field: MappedField, value: unknown) => Part) =>
    Object.fromEntries(
      section.fields
        .filter((field) => field.isLocalized === isLocalized)
        .map((field) => [field.column, parse(field, row[field.column])]),
    );
  return {
    id: Number(row.id),
    position: Number(row.position ?? 0),
    isHidden: row.is_hidden === true,
    neutral: entries(false, toValue),
    localized: entries(true, toSides),
    extra: isJsonObject(row.extra) ? row.extra : {},
  };
}
