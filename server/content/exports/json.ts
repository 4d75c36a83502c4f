import { quoteName } from "../../db/sql.ts";
import { type ExportFormat, type ExportSource, RAW_LINES } from "./source.ts";

/** No field has such a name: one that has the alias's would be taken for the row. */
const ROW = quoteName("the row");

function recordsSql(source: ExportSource, text: string): string {
  const values = source.columns.map((column) => `${column.json} AS ${quoteName(column.name)}`);
  return `COPY (SELECT ${text} FROM (SELECT ${values.join(", ")} ${source.rest}) ${ROW}) TO STDOUT ${RAW_LINES}`;
}

/** Each line begins with a comma; the first one becomes the bracket. */
async function* toArray(rows: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let isEmpty = true;
  for await (const chunk of rows) {
    yield isEmpty ? Buffer.concat([Buffer.from("["), chunk.subarray(1)]) : chunk;
    isEmpty = false;
  }
  yield Buffer.from(isEmpty ? "[]\n" : "]\n");
}

/** One array of the records that a list answers. */
export const json: ExportFormat = {
  mediaType: "application/json; charset=utf-8",
  hasRepr: true,
  copySql: (source) => recordsSql(source, `',' || row_to_json(${ROW})::text`),
  shape: toArray,
};

/** A record on each line. */
export const ndjson: ExportFormat = {
  mediaType: "application/x-ndjson; charset=utf-8",
  hasRepr: true,
  copySql: (source) => recordsSql(source, `row_to_json(${ROW})`),
  shape: (rows) => rows,
};
