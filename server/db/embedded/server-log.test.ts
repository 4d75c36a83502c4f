import { readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { openServerLog } from "./server-log.ts";
import { makeTestFolder } from "./test-folder.ts";

let path: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  const made = await makeTestFolder();
  path = join(made.folder, "postgres.log");
  remove = made.remove;
});
afterEach(() => remove());

test("a log above 10 MB is put aside, a smaller one continued", async () => {
  await writeFile(path, "old");
  await (await openServerLog(path)).close();
  expect(await readFile(path, "utf8")).toBe("old");
  await truncate(path, 10 * 1024 * 1024 + 1);
  await (await openServerLog(path)).close();
  expect((await stat(path)).size).toBe(0);
  expect((await stat(`${path}.1`)).size).toBe(10 * 1024 * 1024 + 1);
});

test("the tail holds the last lines written after a mark", async () => {
  await writeFile(path, "before\n");
  const log = await openServerLog(path);
  const mark = await log.measureBytes();
  await writeFile(path, Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join(""), { flag: "a" });
  const lines = (await log.readTail(mark)).split("\n");
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([15, "line 25", "line 39"]);
  await log.close();
});
