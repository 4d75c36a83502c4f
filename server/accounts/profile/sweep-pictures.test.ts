import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { insertAccount } from "../store.ts";
import { sweepPictures } from "./sweep-pictures.ts";

const NOW = new Date("2026-05-10T00:00:00Z");
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "foyer-sweep-"));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

async function write(name: string, hoursOld: number): Promise<void> {
  const path = join(folder, name.slice(0, 2), name);
  await mkdir(join(folder, name.slice(0, 2)), { recursive: true });
  await writeFile(path, "x");
  const at = new Date(NOW.getTime() - hoursOld * 60 * 60 * 1000);
  await utimes(path, at, at);
}

test("what isn't the storage's own is left alone", async () => {
  const other = await mkdtemp(join(tmpdir(), "foyer-sweep-"));
  await writeFile(join(other, ".DS_Store"), "x");
  await mkdir(join(other, "ab", "cd"), { recursive: true });
  await mkdir(join(other, "notes"));
  await writeFile(join(other, "notes", "a.txt"), "x");
  expect(await sweepPictures(database.pool, other, new Date("2999-01-01"))).toBe(0);
  expect((await readdir(other, { recursive: true })).sort()).toEqual([
    ".DS_Store",
    "ab",
    "ab/cd",
    "notes",
    "notes/a.txt",
  ]);
  await rm(other, { recursive: true });
});

test("where nobody has uploaded anything there is nothing to remove", async () => {
  expect(await sweepPictures(database.pool, join(folder, "none"), NOW)).toBe(0);
});

test("old files that no account names go; used and young ones stay", async () => {
  const account = { username: "ada", email: "ada@example.org", passwordHash: "x", level: 1 };
  const { id } = await insertAccount(database.pool, account);
  await database.pool.query("UPDATE account_user SET avatar = 'aa1.webp', cover = 'bb1.webp' WHERE id = $1", [
    id,
  ]);
  for (const name of ["aa1.webp", "aa2.webp", "aa3.webp.1.part", "bb1.webp", "cc1.webp"])
    await write(name, 48);
  await write("cc2.webp", 1);
  expect(await sweepPictures(database.pool, folder, NOW)).toBe(3);
  const left = await readdir(folder, { recursive: true });
  expect(left.filter((name) => name.includes("/")).sort()).toEqual([
    "aa/aa1.webp",
    "bb/bb1.webp",
    "cc/cc2.webp",
  ]);
});
