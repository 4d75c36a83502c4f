import type { Language } from "#contract/languages.ts";

const SIZE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
const SIZE_STEP = 1000;

/** A number of bytes as people read it: `12.4 MB`. */
export function toSizeText(bytes: number, lang: Language): string {
  const power = bytes < SIZE_STEP ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), SIZE_UNITS.length - 1);
  const format = new Intl.NumberFormat(lang, {
    style: "unit",
    unit: SIZE_UNITS[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power === 0 ? 0 : 1,
  });
  return format.format(bytes / SIZE_STEP ** power);
}
