import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "@jest/globals";
import { createTestApp } from "#test/app.ts";
import { createLocalStorage } from "./store.ts";

const KEY = `${"a".repeat(32)}.txt`;

const folder = mkdtempSync(join(tmpdir(), "foyer-storage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("what is open stays readable when the file is deleted, and fails nowhere else", async () => {
  const storage = createLocalStorage(folder);
  await storage.put(KEY, Buffer.from("content"));
  const file = await storage.open(KEY);
  rmSync(join(folder, "aa"), { recursive: true });
  expect(file?.byteSize).toBe(7);
  expect(file && (await text(file.stream))).toBe("content");
  expect(await storage.open(KEY)).toBeUndefined();
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("no other account of the machine reads a file", async () => {
  const made = join(folder, "made");
  await createLocalStorage(made).put(KEY, Buffer.from("content"));
  expect([made, join(made, "aa"), join(made, "aa", KEY)].map(modeOf)).toEqual(["700", "700", "600"]);
});

test("a start closes the folders that an older version left open", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "foyer-open-"));
  const [files, people] = [join(dataDir, "files"), join(dataDir, "people")];
  for (const path of [files, people]) {
    mkdirSync(path);
    chmodSync(path, 0o755);
  }
  const site = await createTestApp({ dataDir });
  const modes = [files, people].map(modeOf);
  await site.close();
  expect(modes).toEqual(["700", "700"]);
});
