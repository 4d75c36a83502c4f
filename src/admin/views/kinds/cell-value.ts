import * as z from "zod/mini";
import type { FieldInfo } from "#contract/content/models.ts";
import { LANGUAGES, type Language } from "#contract/languages.ts";
import { localizedText } from "#contract/values.ts";
import type { ShownField } from "#resources/record-source.ts";

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

/** `2026-11-20T13:05:09` in the reader's time zone, which is what a `datetime-local` input holds; "" for no moment. */
export function toLocalTime(value: unknown): string {
  const date = new Date(String(value ?? ""));
  if (Number.isNaN(date.getTime())) return "";
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** The moment that such an input names, as it travels; "" for none. */
export function toMoment(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

/** Longest text of a cell (specification B section 9). */
const CELL_TEXT_MAX_CHARS = 50;

/** The only form of a colour that may become a style. */
export const COLOUR = /^#[0-9a-f]{6}$/i;

/** The server stores files under the hash of what is in them, which says nothing to people. */
const HASHED_NAME = /^[0-9a-f]{32}\.[a-z0-9]{1,5}$/;

const IMAGE_ENDING = /\.(png|jpe?g|webp|gif|avif|svg)$/i;

/** A related row as lists and records give it. */
export const relatedValue = z.object({ id: z.number(), repr: z.string() });
const localizedList = z.object({
  en: z.nullish(z.array(z.string())),
  tr: z.nullish(z.array(z.string())),
});

/** What a cell draws. `full` is set where `text` was cut. */
export type CellValue =
  | { kind: "empty" }
  | { kind: "yes" | "no" }
  | { kind: "text"; text: string; full?: string; isNumber?: boolean; lang?: Language; related?: number }
  | { kind: "colour"; colour: string }
  /** `name` is "" where the address has none that people gave. */
  | { kind: "image" | "file"; address: string; name: string };

function cutText(text: string): string {
  // By code points, so that no emoji is cut in two.
  const characters = [...text];
  if (characters.length <= CELL_TEXT_MAX_CHARS) return text;
  return `${characters.slice(0, CELL_TEXT_MAX_CHARS).join("").trimEnd()}…`;
}

type TextExtra = { isNumber?: boolean; lang?: Language; related?: number };

function textCell(full: string, extra: TextExtra = {}): CellValue {
  if (full === "") return { kind: "empty" };
  const text = cutText(full);
  return { kind: "text", text, ...(text === full ? {} : { full }), ...extra };
}

/** The admin language's side; the other one, named by its tag, when that side is empty. */
function localizedCell(value: Record<Language, string>, lang: Language): CellValue {
  const own = value[lang];
  if (own !== "") return textCell(own);
  const other = LANGUAGES.find((side) => side !== lang && value[side] !== "");
  return other ? textCell(value[other], { lang: other }) : { kind: "empty" };
}

/** A date as exact as it is known: `2021`, `May 2021`, `May 3, 2021`. Text that is none stays as it is. */
export function formatPartialDate(value: string, lang: Language): string {
  const [year, month, day] = value.split("-");
  const date = new Date(`${year}-${month ?? "01"}-${day ?? "01"}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return value;
  const options: Intl.DateTimeFormatOptions = day
    ? { dateStyle: "medium" }
    : month
      ? { year: "numeric", month: "short" }
      : { year: "numeric" };
  return getDateFormat(lang, { ...options, timeZone: "UTC" }).format(date);
}

/** A moment in the reader's own time zone. */
export function formatDateTime(value: string, lang: Language): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return value;
  return getDateFormat(lang, { dateStyle: "medium", timeStyle: "short" }).format(date);
}

/** The last part of a file's address. */
function fileName(address: string): string {
  return address.split(/[/?#]/).findLast((part) => part !== "") ?? address;
}

/** `pdf` of a file's address; "" where it has none. */
export function fileEnding(address: string): string {
  return /\.([^.]+)$/.exec(fileName(address))?.[1] ?? "";
}

/** As people named the file; "" for the name that storing gave it. */
function givenName(address: string): string {
  const name = fileName(address);
  return HASHED_NAME.test(name) ? "" : name;
}

export function isImageAddress(address: string): boolean {
  return IMAGE_ENDING.test(address.split(/[?#]/)[0] ?? "");
}

/** What people call a choice; a value that is none any more stays as it is. */
export function toChoiceLabel(field: FieldInfo, value: string): string {
  return field.choices.find((choice) => choice.value === value)?.label ?? value;
}

/** Several choices or related rows. */
function arrayCell(field: FieldInfo, items: readonly unknown[]): CellValue {
  const texts = items.map((item) => {
    const related = relatedValue.safeParse(item);
    if (related.success) return related.data.repr;
    return typeof item === "string" ? toChoiceLabel(field, item) : JSON.stringify(item);
  });
  return textCell(texts.join(", "));
}

function objectCell(field: FieldInfo, value: object, lang: Language): CellValue {
  if (Array.isArray(value) && field.type !== "JSONField") return arrayCell(field, value);
  const text = field.type.startsWith("Localized") ? localizedText.safeParse(value) : undefined;
  if (text?.success) return localizedCell({ en: text.data.en ?? "", tr: text.data.tr ?? "" }, lang);
  const list = field.type === "LocalizedListField" ? localizedList.safeParse(value) : undefined;
  if (list?.success) {
    return localizedCell({ en: list.data.en?.join(", ") ?? "", tr: list.data.tr?.join(", ") ?? "" }, lang);
  }
  const related = field.type === "ForeignKey" ? relatedValue.safeParse(value) : undefined;
  if (related?.success) return textCell(related.data.repr, { related: related.data.id });
  return textCell(JSON.stringify(value));
}

function stringCell(field: FieldInfo, value: string, lang: Language): CellValue {
  switch (field.type) {
    case "FileField":
    case "ImageField":
      if (value === "") return { kind: "empty" };
      return { kind: isImageAddress(value) ? "image" : "file", address: value, name: givenName(value) };
    case "DateField":
    case "PartialDateField":
      return textCell(formatPartialDate(value, lang));
    case "DateTimeField":
      return textCell(formatDateTime(value, lang));
    case "DecimalField":
      return textCell(formatDecimal(value, lang), { isNumber: true });
    case "ColorField":
      return COLOUR.test(value) ? { kind: "colour", colour: value } : textCell(value);
    default:
      return textCell(toChoiceLabel(field, value));
  }
}

/** How a value of a record shows in a list (specification B section 2, model detail). */
export function toCellValue(field: ShownField, value: unknown, lang: Language): CellValue {
  if (value === null || value === undefined) return { kind: "empty" };
  if (typeof value === "boolean") return { kind: value ? "yes" : "no" };
  if (typeof value === "number") {
    if (field.choices.length > 0) return textCell(toChoiceLabel(field, String(value)));
    // Groups from five digits on: a year stays a year.
    const text = getNumberFormat(lang, { useGrouping: "min2" }).format(value);
    return textCell(text, { isNumber: field.type !== "ForeignKey" });
  }
  if (typeof value === "object") return objectCell(field, value, lang);
  const text = String(value);
  return stringCell(field, field.toText?.(text) ?? text, lang);
}
