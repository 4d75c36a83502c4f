import "#test/browser-globals.ts";
import { expect, test } from "@jest/globals";
import type { ExportFormat } from "#contract/exports.ts";
import { createRowCounter } from "./row-counter.ts";

function count(format: ExportFormat, chunks: readonly string[]): number | undefined {
  const counter = createRowCounter(format);
  for (const chunk of chunks) counter?.add(new TextEncoder().encode(chunk));
  return counter?.count();
}

test.each<[string, ExportFormat, string[], number | undefined]>([
  ["lines of csv without its header", "csv", ["id,a\n1,x\n2,y\n"], 2],
  ["a line break inside of quotes as part of a value", "csv", ['id,a\n1,"x', '\ny"\n2,"""\n"""\n'], 2],
  ["nothing before the header has come", "csv", ["id"], 0],
  ["objects of json without its last bracket", "json", ['[{"a":1}\n', ',{"a":2}\n', "]\n"], 2],
  ["an empty array as no row", "json", ["[]\n"], 0],
  ["lines of ndjson", "ndjson", ['{"a":1}\n{"a":2}\n'], 2],
  ["nothing of a packed format", "xlsx", ["PK\n\n"], undefined],
])("counts %s", (_what, format, chunks, rows) => {
  expect(count(format, chunks)).toBe(rows);
});
