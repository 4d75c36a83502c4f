import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type KindBench, openKind } from "#test/kind.ts";

let bench: KindBench;

beforeAll(async () => {
  bench = await openKind("markdown");
  await bench.store(["## Title\n\n- one", null]);
});
afterAll(() => bench.close());

test("Markdown is kept and read as it was written, line breaks and all", async () => {
  const text = "## Title\n\n- one";
  expect(bench.check(text)).toBe(text);
  expect(await bench.read(1)).toEqual({ read: text, json: text, texts: { markdown: text } });
});

test("it is filtered and edited as Markdown", async () => {
  expect(bench.field.kind.control).toBe("markdown");
  expect(await bench.find("contains", "TİTLE")).toEqual([1]);
  expect(bench.check("a\u0000")).toBe("invalid_format");
});
