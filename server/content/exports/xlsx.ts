import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { ExportColumn } from "#server/models/model.ts";
import { cellsSql, type ExportFormat, RAW_LINES } from "./source.ts";
import {
  CLOSE_SHEET,
  CONTENT_TYPES,
  cellSql,
  openSheet,
  ROOT_RELATIONSHIPS,
  STYLE_SHEET,
  toSheetPath,
  toWorkbookParts,
} from "./xlsx-parts.ts";

const LINE_FEED = 10;

/** Where the line with a number ends in a chunk, or how many lines end in it when it has fewer. */
function findLineEnd(chunk: Buffer, count: number): { end: number } | { seen: number } {
  let at = -1;
  for (let seen = 0; seen < count; seen++) {
    at = chunk.indexOf(LINE_FEED, at + 1);
    if (at < 0) return { seen };
  }
  return { end: at + 1 };
}

/** Lines of a stream whose chunks are cut anywhere, so many at a time. */
interface LineReader {
  /** The next lines, at most `count`. */
  take(count: number): AsyncIterable<Buffer>;
  /** Whether lines are left; waits for the next chunk to know. */
  hasMore(): Promise<boolean>;
}

export function createLineReader(chunks: AsyncIterable<Buffer>): LineReader {
  const iterator = chunks[Symbol.asyncIterator]();
  let rest: Buffer | undefined;
  const hasMore = async () => {
    while (!rest?.length) {
      const next = await iterator.next();
      if (next.done) return false;
      rest = next.value;
    }
    return true;
  };
  return {
    hasMore,
    async *take(count) {
      let left = count;
      while (left > 0 && (await hasMore()) && rest) {
        const found = findLineEnd(rest, left);
        const chunk: Buffer = rest;
        const end = "end" in found ? found.end : chunk.length;
        rest = chunk.subarray(end);
        left = "end" in found ? 0 : left - found.seen;
        yield chunk.subarray(0, end);
      }
    },
  };
}

/** A sheet has 1,048,576 rows, the header among them; what is more goes to the next sheet. */
const SHEET_ROWS = 1_048_575;

/** Of zlib: with level 6 sheets of short texts, numbers and dates are an eighth smaller and take twice as long. */
const COMPRESSION_LEVEL = 3;

async function* toSheet(
  lines: LineReader,
  cells: readonly ExportColumn[],
  sheetRows: number,
): AsyncIterable<Buffer> {
  yield Buffer.from(openSheet(cells));
  yield* lines.take(sheetRows);
  yield Buffer.from(CLOSE_SHEET);
}

/** Puts sheets into the archive, one after the other, until no line is left. @returns how many. */
async function addSheets(
  zip: ZipFile,
  lines: LineReader,
  cells: readonly ExportColumn[],
  sheetRows: number,
): Promise<number> {
  let count = 0;
  do {
    count += 1;
    const sheet = Readable.from(toSheet(lines, cells, sheetRows), { objectMode: false });
    zip.addReadStream(sheet, toSheetPath(count), { compressionLevel: COMPRESSION_LEVEL });
    await new Promise((resolve, reject) => sheet.once("end", resolve).once("error", reject));
  } while (await lines.hasMore());
  return count;
}

function addText(zip: ZipFile, path: string, text: string): void {
  zip.addBuffer(Buffer.from(text), path);
}

async function fillBook(
  zip: ZipFile,
  book: { lines: LineReader; cells: readonly ExportColumn[]; title: string; sheetRows: number },
): Promise<void> {
  // First the parts that programs know a spreadsheet by.
  addText(zip, "[Content_Types].xml", CONTENT_TYPES);
  addText(zip, "_rels/.rels", ROOT_RELATIONSHIPS);
  addText(zip, "xl/styles.xml", STYLE_SHEET);
  const sheetCount = await addSheets(zip, book.lines, book.cells, book.sheetRows);
  const { workbook, relationships } = toWorkbookParts(book.title, sheetCount);
  addText(zip, "xl/workbook.xml", workbook);
  addText(zip, "xl/_rels/workbook.xml.rels", relationships);
  zip.end();
}

/** A spreadsheet (ECMA-376) of rows that are XML already. */
export async function* toBook(
  rows: AsyncIterable<Buffer>,
  cells: readonly ExportColumn[],
  title: string,
  sheetRows = SHEET_ROWS,
): AsyncIterable<Buffer> {
  const lines = createLineReader(rows);
  // A statement that fails at once does so before the first byte.
  await lines.hasMore();
  const zip = new ZipFile();
  // Typed as any stream; yazl makes a PassThrough.
  const out = zip.outputStream as Readable;
  zip.on("error", (error: Error) => out.destroy(error));
  fillBook(zip, { lines, cells, title, sheetRows }).catch((error: Error) => out.destroy(error));
  yield* out;
}

/** A sheet with real numbers, dates and booleans; texts are never formulas in it. */
export const xlsx: ExportFormat = {
  mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  hasRepr: false,
  copySql(source) {
    const cells = source.columns.flatMap((column) => column.cells);
    const row = cells.map((cell, place) => cellSql(cell, `c${place}`)).join(" || ");
    return `COPY (SELECT '<row>' || ${row} || '</row>' FROM (${cellsSql(source)}) cells) TO STDOUT ${RAW_LINES}`;
  },
  shape: (rows, source, { title }) =>
    toBook(
      rows,
      source.columns.flatMap((column) => column.cells),
      title,
    ),
};
