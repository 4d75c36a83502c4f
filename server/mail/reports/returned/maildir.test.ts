import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { until } from "#test/until.ts";
import { createMaildirReader, type MaildirOptions } from "./maildir.ts";
import { RETURNED_LIMITS } from "./returned-mail.ts";

let folder: string;
let taken: string[];
let logged: string[];
let time: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "foyer-maildir-"));
  for (const room of ["new", "cur", "tmp"]) await mkdir(join(folder, room));
  taken = [];
  logged = [];
  time = Date.parse("2026-11-20T12:00:00Z");
});
afterEach(() => rm(folder, { recursive: true }));

const note = (_: object, message: string) => void logged.push(message);

const openReader = (options: Partial<MaildirOptions> = {}) =>
  createMaildirReader({
    folder,
    take: async (_, name) => void taken.push(name),
    log: { warn: note, error: note },
    everyMs: 5,
    now: () => new Date(time),
    ...options,
  });

const put = (name: string, content: string | Buffer = "a mail") =>
  writeFile(join(folder, "new", name), content);
const list = async (room: string) => (await readdir(join(folder, room))).sort();

test("a mail is handed over with its bytes, then it has been seen", async () => {
  await put("1.host", "From: x\n\nbody");
  const bytes: string[] = [];
  const reader = openReader({ take: async (raw) => void bytes.push(raw.toString()) });
  expect(await reader.readOnce()).toBe(1);
  expect(bytes).toEqual(["From: x\n\nbody"]);
  expect([await list("new"), await list("tmp"), await list("cur")]).toEqual([[], [], ["1.host:2,S"]]);
});

test("it is not moved before it is stored", async () => {
  await put("1.host");
  const seen: string[][] = [];
  await openReader({ take: async () => void seen.push(await list("cur")) }).readOnce();
  expect(seen).toEqual([[]]);
});

test("one that can't be taken stays, holds up no other and comes again", async () => {
  await put("1.bad");
  await put("2.good");
  let isDown = true;
  const reader = openReader({
    async take(_, name) {
      if (isDown && name === "1.bad") throw new Error("no database");
      taken.push(name);
    },
  });
  expect(await reader.readOnce()).toBe(1);
  expect([await list("new"), await list("tmp"), await list("cur")]).toEqual([["1.bad"], [], ["2.good:2,S"]]);
  expect(logged).toEqual(["a returned mail could not be taken yet"]);
  isDown = false;
  await reader.readOnce();
  expect(taken).toEqual(["2.good", "1.bad"]);
});

test("one that is too large is put aside unread", async () => {
  await put("1.huge", Buffer.alloc(RETURNED_LIMITS.mailBytes + 1));
  await openReader().readOnce();
  expect([taken, await list("cur")]).toEqual([[], ["1.huge:2,S"]]);
  expect(logged).toEqual(["a returned mail is too large and was not read"]);
});

test("links, folders and hidden files are left alone", async () => {
  const outside = await mkdtemp(join(tmpdir(), "foyer-outside-"));
  await writeFile(join(outside, "secret"), "secret");
  await symlink(join(outside, "secret"), join(folder, "new", "link"));
  await symlink(join(folder, "nowhere"), join(folder, "new", "dangling"));
  await mkdir(join(folder, "new", "folder"));
  await put(".draft");
  expect(await openReader().readOnce()).toBe(0);
  expect(taken).toEqual([]);
  expect(await list("new")).toEqual([".draft", "dangling", "folder", "link"]);
  await rm(join(folder, "new"), { recursive: true });
  await symlink(outside, join(folder, "new"));
  await expect(openReader().readOnce()).rejects.toThrow("is not a folder");
  await rm(outside, { recursive: true });
});

test("several readers hand each file over once", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `${index}.host`).sort();
  for (const name of names) await put(name);
  await Promise.all(Array.from({ length: 4 }, () => openReader().readOnce()));
  expect(taken.sort()).toEqual(names);
  expect(await list("cur")).toHaveLength(40);
});

test("what a crash left half read is read again after 20 seconds, and others' drafts never", async () => {
  await put("1.host");
  await writeFile(join(folder, "tmp", "draft.of.the.server"), "half a mai");
  // A reader that never comes back from its work.
  void openReader({ take: () => new Promise(() => undefined) }).readOnce();
  await until(async () => (await list("new")).length === 0);
  time += 19_000;
  expect(await openReader().readOnce()).toBe(0);
  time += 2_000;
  expect(await openReader().readOnce()).toBe(1);
  expect([taken, await list("tmp")]).toEqual([["1.host"], ["draft.of.the.server"]]);
});

test("a started reader finds what comes later, outlives a folder that is away, and ends what it does", async () => {
  await rename(join(folder, "new"), join(folder, "away"));
  const reader = openReader();
  reader.start();
  await until(() => logged.length > 0);
  await rename(join(folder, "away"), join(folder, "new"));
  await put("1.host");
  await until(() => taken.length === 1);
  await reader.close();
  expect(await list("cur")).toEqual(["1.host:2,S"]);
});
