import * as z from "zod/mini";
import type { FieldInfo } from "#contract/content/models.ts";
import { LANGUAGES, type Language } from "#contract/languages.ts";

/** Making a formatter costs more than a hundred uses of it; a page of a list needs a thousand texts. */
function remembered<Options, Format>(make: (lang: Language, options: Options) => Format) {
  const made = new Map<string, Format>();
  return (lang: Language, options: Options): Format => {
    const key = `${lang}${JSON.stringify(options)}`;
    const known = made.get(key) ?? make(lang, options);
    made.set(key, known);
    return known;
  };
}

const getDateFormat = remembered(
  (lang, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(lang, options),
);
const getNumberFormat = remembered(
  (lang, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(lang, options),
);

/** What stands between the whole and the rest of a number in a language. */
export function decimalSeparator(lang: Language): string {
  const part = new Intl.NumberFormat(lang).formatToParts(0.5).find(({ type }) => type === "decimal");
  return part?.value ?? ".";
}

function isNumeric(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text);
}

/** A decimal of the wire with every digit that it has, grouped from five digits on; text that is none stays as it is. */
export function formatDecimal(text: string, lang: Language): string {
  if (!isNumeric(text)) return text;
  const digits = text.split(".")[1]?.length ?? 0;
  const options = {
    useGrouping: "min2",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  } as const;
  return getNumberFormat(lang, options).format(text);
}

/** Longest text of a cell (specification B section 9). */
const CELL_TEXT_MAX_CHARS = 50;

/** A related row as lists and records give it. */
export const relatedValue = z.object({ id: z.number(), repr: z.string() });

/** `full` is set where `text` was cut. */
export interface TextCell {
  kind: "text";
  text: string;
  full?: string;
  isNumber?: boolean;
  lang?: Language;
  related?: number;
}

/** What cells of every kind can be. */
export type SharedCell = { kind: "empty" } | { kind: "yes" | "no" } | TextCell;

/** What a kind draws by itself, under a name that no other has. */
export interface OwnCell {
  kind: string;
}

const SHARED: readonly string[] = ["empty", "yes", "no", "text"] satisfies SharedCell["kind"][];

export function isShared(cell: SharedCell | OwnCell): cell is SharedCell {
  return SHARED.includes(cell.kind);
}

function cutText(text: string): string {
  // By code points, so that no emoji is cut in two.
  const characters = [...text];
  if (characters.length <= CELL_TEXT_MAX_CHARS) return text;
  return `${characters.slice(0, CELL_TEXT_MAX_CHARS).join("").trimEnd()}…`;
}

export function textCell(full: string, extra: Omit<TextCell, "kind" | "text" | "full"> = {}): SharedCell {
  if (full === "") return { kind: "empty" };
  const text = cutText(full);
  return { kind: "text", text, ...(text === full ? {} : { full }), ...extra };
}

/** The admin language's side; the other one, named by its tag, when that side is empty. */
export function localizedCell(value: Record<Language, string>, lang: Language): SharedCell {
  const own = value[lang];
  if (own !== "") return textCell(own);
  const other = LANGUAGES.find((side) => side !== lang && value[side] !== "");
  return other ? textCell(value[other], { lang: other }) : { kind: "empty" };
}

/** A moment in the reader's own time zone. */
export function formatDateTime(value: string, lang: Language): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return value;
  return getDateFormat(lang, { dateStyle: "medium", timeStyle: "short" }).format(date);
}

/** What people call a choice; a value that is none any more stays as it is. */
export function toChoiceLabel(field: FieldInfo, value: string): string {
  return field.choices.find((choice) => choice.value === value)?.label ?? value;
}

/** A number in groups from five digits on: a year stays a year. */
export function formatNumber(value: number, lang: Language): string {
  return getNumberFormat(lang, { useGrouping: "min2" }).format(value);
}

/** Several choices or related rows. */
function arrayCell(items: readonly unknown[], field: FieldInfo): SharedCell {
  const texts = items.map((item) => {
    const related = relatedValue.safeParse(item);
    if (related.success) return related.data.repr;
    return typeof item === "string" ? toChoiceLabel(field, item) : JSON.stringify(item);
  });
  return textCell(texts.join(", "));
}

/** A value as what it is, whatever its field says: the log has values of fields that were of another kind then. */
export function toPlainCell(value: unknown, field: FieldInfo, lang: Language): SharedCell {
  if (typeof value === "boolean") return { kind: value ? "yes" : "no" };
  if (typeof value === "number") {
    if (field.choices.length > 0) return textCell(toChoiceLabel(field, String(value)));
    return textCell(formatNumber(value, lang), { isNumber: true });
  }
  if (Array.isArray(value)) return arrayCell(value, field);
  if (typeof value === "object") return textCell(JSON.stringify(value));
  return textCell(toChoiceLabel(field, String(value)));
}

/** Texts and lists of them, to be compared word by word; undefined for anything else. */
export function toProse(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join("\n");
  return undefined;
}
