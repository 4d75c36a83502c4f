import type { Language } from "#contract/languages.ts";
import { getNumberFormat } from "./kinds/cell-value.ts";

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
