import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "@jest/globals";
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
