import { buffer, text } from "node:stream/consumers";
import { expect, test } from "@jest/globals";
import { readBook, readZip } from "./test-read-files.ts";
import { createLineReader, toBook } from "./xlsx.ts";

const CELLS = [{ header: 'number "&"', sql: "", free: false, cell: "number" as const }];

/** Rows of numbers in chunks of so many bytes. */
async function* toRows(count: number, chunkBytes: number): AsyncIterable<Buffer> {
  const all = Buffer.from(
    Array.from({ length: count }, (_, i) => `<row><c><v>${i + 1}</v></c></row>\n`).join(""),
  );
  for (let at = 0; at < all.length; at += chunkBytes) yield all.subarray(at, at + chunkBytes);
}

test.each([1, 7, 64, 10_000])("lines are taken whole from chunks of %d bytes", async (chunkBytes) => {
  const lines = createLineReader(toRows(10, chunkBytes));
  const sizes: number[] = [];
  while (await lines.hasMore()) sizes.push((await text(lines.take(4))).split("\n").length - 1);
  expect(sizes).toEqual([4, 4, 2]);
});

test.each<[number, number[]]>([
  [0, [0]],
  [4, [4]],
  [5, [5]],
  [6, [5, 1]],
  [15, [5, 5, 5]],
])("%d rows with five to a sheet make sheets of %j, each with a header", async (count, sizes) => {
  const book = await readBook(await buffer(toBook(toRows(count, 50), CELLS, "Makaleler", 5)));
  expect(book.map(({ name }) => name)).toEqual(
    sizes.map((_, i) => (i === 0 ? "Makaleler" : `Makaleler ${i + 1}`)),
  );
  expect(book.map(({ rows }) => rows.length - 1)).toEqual(sizes);
  expect(book.flatMap(({ rows }) => rows.slice(1).map(([cell]) => cell?.value))).toEqual(
    Array.from({ length: count }, (_, i) => i + 1),
  );
  for (const { rows } of book) expect(rows[0]).toEqual([{ style: 1, value: 'number "&"' }]);
});

test("the header is bold and stays in sight, columns have widths, and programs find every part", async () => {
  const file = await buffer(toBook(toRows(6, 50), CELLS, "A", 5));
  const parts = await readZip(file);
  expect([...parts.keys()]).toEqual([
    "[Content_Types].xml",
    "_rels/.rels",
    "xl/styles.xml",
    "xl/worksheets/sheet1.xml",
    "xl/worksheets/sheet2.xml",
    "xl/workbook.xml",
    "xl/_rels/workbook.xml.rels",
  ]);
  const sheet = parts.get("xl/worksheets/sheet1.xml") ?? "";
  expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
  expect(sheet).toContain('<col min="1" max="1" width="12" customWidth="1"/>');
  expect(parts.get("xl/styles.xml")).toContain("<font><b/>");
});

test.each([
  ["a/b\\c:d*e?[f]", "a b c d e  f"],
  ["'quoted'", "quoted"],
  ["x".repeat(40), "x".repeat(31)],
  ["/", "1"],
])("a sheet of %j is called %j", async (title, name) => {
  const [first, second] = await readBook(await buffer(toBook(toRows(6, 50), CELLS, title, 5)));
  expect(first?.name).toBe(name);
  expect(second?.name).toBe(`${name.slice(0, 29)} 2`);
});

test("rows that break off break the book", async () => {
  const breaking = async function* () {
    yield* toRows(3, 10);
    throw new Error("lost");
  };
  await expect(buffer(toBook(breaking(), CELLS, "A"))).rejects.toThrow("lost");
});
