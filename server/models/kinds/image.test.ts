import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type KindBench, openKind } from "#test/kind.ts";

let bench: KindBench;

beforeAll(async () => {
  bench = await openKind("image");
});
afterAll(() => bench.close());

const ADDRESS = "/files/0123456789abcdef0123456789abcdef.png";

test.each<[unknown, unknown]>([
  [ADDRESS, ADDRESS],
  ["", null],
  ["/files/../secret.png", "invalid_file"],
  ["https://example.org/a.png", "invalid_file"],
])("%j is checked to %j", (given, checked) => expect(bench.check(given)).toBe(checked));

test("a picture is read as its address", async () => {
  await bench.store([ADDRESS, null]);
  expect(await bench.read(1)).toEqual({ read: ADDRESS, json: ADDRESS, texts: { image: ADDRESS } });
  expect(await bench.find("isnull", "true")).toEqual([2]);
});

test("a declaration that accepts more than pictures is refused", () => {
  const declaration = {
    kind: "image",
    labels: { en: "x", tr: "x" },
    accept: ["image/png", "application/pdf"],
  };
  expect(bench.field.kind.findFault?.(declaration, {})).toMatch(/pictures alone/);
});
