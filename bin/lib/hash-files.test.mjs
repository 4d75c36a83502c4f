import { utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { hashFiles } from "./hash-files.mjs";
import { makeTestFolder } from "./test-folder.mjs";

let folder;
let before;
const hash = () =>
  hashFiles(folder.root, ["src", "missing", "index.html"], (file) => file.endsWith(".test.ts"));

beforeEach(() => {
  folder = makeTestFolder({ "src/a/one.ts": "1", "index.html": "<p>" });
  before = hash();
});
afterEach(() => folder.remove());

test("a new time alone changes nothing", () => {
  utimesSync(join(folder.root, "src/a/one.ts"), 1, 1);
  expect(hash()).toBe(before);
});

test("other content of the same size changes the hash", () => {
  folder.write("src/a/one.ts", "2");
  expect(hash()).not.toBe(before);
});

test("a new file changes the hash, a skipped one does not", () => {
  folder.write("src/a/one.test.ts", "1");
  expect(hash()).toBe(before);
  folder.write("missing/two.ts", "");
  expect(hash()).not.toBe(before);
});
