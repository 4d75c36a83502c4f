import type { ExportFormat } from "#contract/exports.ts";

const NEWLINE = 10;
const QUOTE = 34;

/** Counts the rows of a file while it arrives; undefined for formats that don't tell before their end. */
export interface RowCounter {
  add(chunk: Uint8Array): void;
  count(): number;
}

/** Lines that are no row: the header of csv, the closing bracket of json. */
const OTHER_LINES: Partial<Record<ExportFormat, number>> = { csv: 1, json: 1, ndjson: 0 };

/** A newline inside of quotes belongs to a value of csv; a doubled quote inside of them changes nothing in the end. */
export function createRowCounter(format: ExportFormat): RowCounter | undefined {
  const others = OTHER_LINES[format];
  if (others === undefined) return undefined;
  const hasQuotes = format === "csv";
  let lines = 0;
  let isQuoted = false;
  return {
    add(chunk) {
      for (const byte of chunk) {
        if (byte === NEWLINE && !isQuoted) lines += 1;
        else if (hasQuotes && byte === QUOTE) isQuoted = !isQuoted;
      }
    },
    count: () => Math.max(0, lines - others),
  };
}
