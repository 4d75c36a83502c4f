import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { writeWhole } from "./write-whole.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "foyer-whole-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a file takes the place of the older one, with the rights that were asked for", async () => {
  const path = join(folder, "a");
  await writeWhole(path, Buffer.from("older and longer"), 0o644);
  await writeWhole(path, Buffer.from("newer"), 0o600);
  expect(await readFile(path, "utf8")).toBe("newer");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["a"]);
});

test("where it can't be put there, no draft stays", async () => {
  await mkdir(join(folder, "a"));
  await expect(writeWhole(join(folder, "a"), Buffer.from("x"), 0o600)).rejects.toThrow();
  expect(await readdir(folder)).toEqual(["a"]);
});
