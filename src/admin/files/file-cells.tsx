import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import type { RowCells } from "../views/list/columns/columns.ts";

const UNITS = ["byte", "kilobyte", "megabyte"] as const;
const STEP = 1000;

/** `1.4 MB`, as people say it. */
function formatBytes(bytes: number, lang: string): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  return new Intl.NumberFormat(lang, {
    style: "unit",
    unit: UNITS[step],
    unitDisplay: "short",
    maximumFractionDigits: step === 2 ? 1 : 0,
  }).format(bytes / STEP ** step);
}

function SizeCell({ value }: { value: unknown }) {
  const lang = toLanguage(useTranslation().i18n.language);
  return typeof value === "number" ? formatBytes(value, lang) : null;
}

export const FILE_CELLS: RowCells = { byte_size: SizeCell };
