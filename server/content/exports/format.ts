import type { Labels } from "#server/models/declare.ts";
import type { ExportSource } from "./source.ts";

/** What a file is called inside, where a format has such a thing. */
interface FileAbout {
  /** Plural name of the model in the reader's language. */
  title: Labels["en"];
}

/**
 * One kind of file: PostgreSQL writes a line for each row, and `shape` puts around the lines what makes a file of them. No
 * row passes through JavaScript by itself.
 */
export interface ExportFormat {
  mediaType: string;
  /** Records have the name of their row beside its id, as lists have. */
  hasRepr: boolean;
  /** `COPY (…) TO STDOUT`. */
  copySql(source: ExportSource): string;
  /** The file from PostgreSQL's bytes, which are cut anywhere. */
  shape(rows: AsyncIterable<Buffer>, source: ExportSource, about: FileAbout): AsyncIterable<Buffer>;
}

/**
 * Lines as they are: csv with quotes and delimiters that neither JSON nor XML can hold. The text must have no line breaks of
 * its own.
 */
export const RAW_LINES = String.raw`WITH (FORMAT csv, DELIMITER E'\x01', QUOTE E'\x02', ESCAPE E'\x02')`;

/** `SELECT` of the cells as `c0`, `c1` …: what is done with a cell then computes it once. */
export function cellsSql(source: ExportSource): string {
  const cells = source.columns.flatMap((column) => column.cells);
  return `SELECT ${cells.map((cell, place) => `${cell.sql} AS c${place}`).join(", ")} ${source.rest}`;
}
