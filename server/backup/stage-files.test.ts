import { createHash } from "node:crypto";
import { chown, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { readFolder, writeDataFile } from "./fixture.ts";
import type { Manifest } from "./manifest.ts";
import { stageFiles } from "./stage-files.ts";

let folder: Awaited<ReturnType<typeof makeTestFolder>>;
beforeEach(async () => {
  folder = await makeTestFolder();
});
afterEach(() => folder.remove());

const CONTENT = Buffer.from("new");
const measure = { byte_size: 3, sha256: createHash("sha256").update(CONTENT).digest("hex") };
const paths = [`files/ab/${"ab".repeat(16)}.png`, "keys/access-token.json"];
const manifest = { files: paths.map((path) => ({ path, ...measure })) } as Manifest;
const archive = {
  readManifest: async () => "",
  readSigner: async () => undefined,
  open: async () => Readable.from([CONTENT]),
  close() {},
};
const stage = () => stageFiles(archive, manifest, folder.folder);

test("files come to their places together, in place of all that was there", async () => {
  await writeDataFile(folder.folder, "keys/access-token.json", "old");
  await writeDataFile(folder.folder, "mail/old.eml", "old");
  const staged = await stage();
  await staged.swapIn();
  await staged.cleanUp();
  const text = CONTENT.toString("base64");
  expect(await readFolder(folder.folder)).toEqual(Object.fromEntries(paths.map((path) => [path, text])));
});

test("folders are the site's own, whatever the umask leaves", async () => {
  const former = process.umask(0);
  try {
    const staged = await stage();
    await staged.swapIn();
    await staged.cleanUp();
  } finally {
    process.umask(former);
  }
  const modeOf = async (path: string) => ((await stat(join(folder.folder, path))).mode & 0o777).toString(8);
  expect([await modeOf("files"), await modeOf("files/ab"), await modeOf("keys")]).toEqual([
    "700",
    "700",
    "700",
  ]);
});

const isRoot = process.getuid?.() === 0;
(isRoot ? test : test.skip)("what root restores belongs to whom the data folder belongs to", async () => {
  await chown(folder.folder, 12345, 23456);
  const staged = await stage();
  await staged.swapIn();
  await staged.cleanUp();
  for (const path of ["files", "files/ab", ...paths])
    expect(await stat(join(folder.folder, path))).toMatchObject({ uid: 12345, gid: 23456 });
});

test("a folder that can't be moved brings back those that were", async () => {
  await writeDataFile(folder.folder, "files/aa/old.png", "old");
  await writeDataFile(folder.folder, "keys/access-token.json", "old");
  const before = await readFolder(folder.folder);
  const staged = await stage();
  // Where the former keys are to go, there is something already.
  await writeDataFile(folder.folder, join("restore.part", "old", "keys", "taken"), "");
  await expect(staged.swapIn()).rejects.toMatchObject({ code: "ENOTEMPTY" });
  await staged.cleanUp();
  expect(await readFolder(folder.folder)).toEqual(before);
});

test("what a restore that was killed left is no hindrance", async () => {
  await writeDataFile(folder.folder, `restore.part/new/${paths[0]}`, "half");
  const staged = await stage();
  await staged.swapIn();
  await staged.cleanUp();
  expect(Object.keys(await readFolder(folder.folder))).toEqual(paths);
});
