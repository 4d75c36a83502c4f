import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type KindBench, openKind } from "#test/kind.ts";

let bench: KindBench;

beforeAll(async () => {
  bench = await openKind("localized_markdown");
  await bench.store([{ en: "**a**", tr: "**ş**" }, null]);
});
afterAll(() => bench.close());

test("Markdown of both languages is kept and read as it was written", async () => {
  const value = { en: "**a**", tr: "**ş**" };
  expect(bench.check(value)).toEqual(value);
  expect(await bench.read(1)).toEqual({
    read: value,
    json: value,
    texts: { localized_markdown_en: "**a**", localized_markdown_tr: "**ş**" },
  });
  expect(bench.field.kind.control).toBe("localized-markdown");
});

test("a filter matches in either language, and a third language is refused", async () => {
  expect(await bench.find("contains", "S")).toEqual([1]);
  expect(bench.check({ de: "x" })).toBe("unknown_field");
});
