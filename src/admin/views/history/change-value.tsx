import { useTranslation } from "react-i18next";
import type * as z from "zod/mini";
import type { FieldInfo } from "#contract/content/models.ts";
import type { fieldChanges } from "#contract/content/objects.ts";
import { LANGUAGES, type Language, toLanguage } from "#contract/languages.ts";
import { Cell, toCellWords } from "../kinds/cell.tsx";
import { isLocalized, kindOf } from "../kinds/registry.ts";
import { diffWords } from "./word-diff.ts";

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
const SECRET = "•••";

/** A field that the model no longer has, or that is hidden from its reader: by the name that was written down. */
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
    if (!isLocalized(field) || before === SECRET || after === SECRET) return [whole];
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

/** From so many characters on, two texts side by side hide what changed in them. */
const DIFF_FROM_CHARS = 40;

/** A value as text that may be compared word by word; undefined for what is no text. */
function toComparableText({ field, before, after }: ChangeRow, side: "before" | "after"): string | undefined {
  const value = side === "before" ? before : after;
  if (value === null || value === undefined) return undefined;
  return field.choices.length > 0 ? undefined : kindOf(field).toProse?.(value);
}

/** Both texts, where a diff says more than the two of them. */
export function getComparable(row: ChangeRow): { before: string; after: string } | undefined {
  const before = toComparableText(row, "before");
  const after = toComparableText(row, "after");
  if (before === undefined || after === undefined) return undefined;
  return Math.max(before.length, after.length) > DIFF_FROM_CHARS ? { before, after } : undefined;
}

/** One side of a change, uncut: here it is read, not scanned. */
export function ChangeValue({ row, side }: { row: ChangeRow; side: "before" | "after" }) {
  const { t, i18n } = useTranslation();
  const value = row[side];
  if (value === SECRET) return <span className="cell-empty">{t("history.secret")}</span>;
  const text = toComparableText(row, side);
  if (text !== undefined && text !== "")
    return (
      <span className="change-text" lang={row.lang}>
        {text}
      </span>
    );
  const words = toCellWords(row.field, value, toLanguage(i18n.language));
  return words !== "" ? (
    <span className="change-text">{words}</span>
  ) : (
    <Cell field={row.field} value={value} />
  );
}

/** Two versions of a text as one: what went struck through, what came underlined, both announced to screen readers. */
export function TextDiff({
  before,
  after,
  lang,
}: {
  before: string;
  after: string;
  lang: string | undefined;
}) {
  const { t } = useTranslation();
  return (
    <span className="change-text" lang={lang}>
      {diffWords(before, after).map(({ kind, text }, at) => {
        // The parts of a diff have no names; it is drawn once.
        const key = `${at}`;
        if (kind === "same") return <span key={key}>{text}</span>;
        const Mark = kind === "removed" ? "del" : "ins";
        return (
          <Mark key={key}>
            <span className="visually-hidden">{t(`history.${kind}`)} </span>
            {text}
          </Mark>
        );
      })}
    </span>
  );
}
