import { Readable } from "node:stream";
import type { Language } from "#contract/languages.ts";
import { FORMULA_STARTS } from "../formula-starts.ts";
import type { FailureRow } from "./job-failures.ts";
import { toReasonText } from "./texts.ts";

const PAGE_ROWS = 1_000;

/** A cell; what people wrote is kept from being calculated. */
function toCell(text: string): string {
  const harmless = FORMULA_STARTS.has(text.charAt(0)) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function toLine(row: FailureRow, lang: Language): string {
  return `${[String(row.id), toCell(row.repr), row.reason, toCell(toReasonText(row.reason, lang))].join(",")}\n`;
}

/** All rows of a job's list as csv, read page by page. */
export function streamFailures(
  readPage: (after: number, limit: number) => Promise<FailureRow[]>,
  lang: Language,
): Readable {
  async function* lines() {
    yield "id,repr,reason,message\n";
    let after = Number.MIN_SAFE_INTEGER;
    for (;;) {
      const rows = await readPage(after, PAGE_ROWS);
      if (rows.length > 0) yield rows.map((row) => toLine(row, lang)).join("");
      const last = rows.at(-1);
      if (!last || rows.length < PAGE_ROWS) return;
      after = last.id;
    }
  }
  return Readable.from(lines(), { objectMode: false });
}
