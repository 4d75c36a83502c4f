import type * as z from "zod/mini";
import { LANGUAGES, type Language } from "#contract/languages.ts";
import type { FieldInfo, fieldChanges } from "#contract/models.ts";

export type FieldChanges = z.infer<typeof fieldChanges>;

/** One line of a table of changes: a field, or one language of it. */
export interface ChangeRow {
  key: string;
  field: FieldInfo;
  /** The side of a localized field. */
  lang?: Language;
  before: unknown;
  after: unknown;
}

/** Stands in audit entries for a value that they must not keep. */
export const SECRET = "•••";

/** A field that the model no longer has, or that its reader's model doesn't tell of: by the name that was written down. */
function toUnknownField(name: string): FieldInfo {
  return {
    name,
    verbose_name: name,
    type: "CharField",
    help_text: "",
    control: "read-only",
    required: false,
    read_only: true,
    sortable: false,
    operators: [],
    max_length: null,
    accept: [],
    related_model: null,
    choices: [],
    digits: null,
  };
}

function getSide(value: unknown, lang: Language): unknown {
  const side =
    typeof value === "object" && value !== null
      ? Object.entries(value).find(([name]) => name === lang)
      : undefined;
  return side?.[1] ?? null;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

/** The lines of an entry's changes in the order of the model's fields; of a localized field the languages that changed. */
export function toChangeRows(changes: FieldChanges, fields: readonly FieldInfo[]): ChangeRow[] {
  const names = Object.keys(changes);
  const known = fields.filter(({ name }) => names.includes(name));
  const unknown = names.filter((name) => !known.some((field) => field.name === name)).map(toUnknownField);
  return [...known, ...unknown].flatMap((field): ChangeRow[] => {
    const { before, after } = changes[field.name] ?? {};
    const whole = { key: field.name, field, before: before ?? null, after: after ?? null };
    if (!field.type.startsWith("Localized") || before === SECRET || after === SECRET) return [whole];
    const sides = LANGUAGES.map((lang) => ({
      key: `${field.name}.${lang}`,
      field,
      lang,
      before: getSide(before, lang),
      after: getSide(after, lang),
    }));
    return sides.filter((side) => !isSame(side.before, side.after));
  });
}
