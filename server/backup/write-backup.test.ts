import { mkdir, readdir, rm, stat, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { openArchive } from "./archive.ts";
import { makeSite, NOW, UPLOAD, writeDataFile } from "./fixture.ts";
import { parseManifest } from "./manifest.ts";
import { writeBackup } from "./write-backup.ts";

let site: Awaited<ReturnType<typeof makeSite>>;
beforeEach(async () => {
  site = await makeSite();
  await mkdir(join(site.dataDir, "out"));
});
afterEach(() => site.close());

const out = () => join(site.dataDir, "out", "backup.zip");
const listOut = () => readdir(join(site.dataDir, "out"));

test("a backup is one file that only its owner reads", async () => {
  const report = await site.backUp(out());
  expect(report).toMatchObject({ fileCount: 4, warnings: [] });
  expect([await listOut(), ((await stat(out())).mode & 0o777).toString(8)]).toEqual([["backup.zip"], "600"]);
});

test("files that rows name and that aren't there are reported", async () => {
  await unlink(join(site.dataDir, UPLOAD));
  await site.pool.query("UPDATE account_user SET avatar = 'ffee.webp' WHERE id = 1");
  const { warnings } = await site.backUp(out());
  expect(warnings).toEqual([
    `${UPLOAD} is named by stored_file, and the file isn't there.`,
    "people/ff/ffee.webp is named by account_user, and the file isn't there.",
  ]);
});

test("a file of a name that Foyer gives none is left out and reported", async () => {
  await writeDataFile(site.dataDir, "files/ab/hello world.txt", "");
  const { warnings, fileCount } = await site.backUp(out());
  expect([warnings, fileCount]).toEqual([
    [expect.stringContaining("files/ab/hello world.txt was left out")],
    4,
  ]);
});

test("a table without columns is left out and reported, and all else is there", async () => {
  await site.pool.query("CREATE TABLE nothing ()");
  const { warnings, fileCount } = await site.backUp(out());
  expect([warnings, fileCount]).toEqual([["The table nothing was left out: it has no columns to copy."], 4]);
});

test("a link is left out and reported", async () => {
  await symlink("/etc/hostname", join(site.dataDir, "files/ab/link.png"));
  expect((await site.backUp(out())).warnings).toEqual([
    "files/ab/link.png was left out: it is a link, or has a name that Foyer doesn't give.",
  ]);
});

test("what is written while a backup is made is not in it", async () => {
  const writer = await site.pool.connect();
  await writer.query("BEGIN; LOCK TABLE cv_certificate");
  // The backup waits for the table, with its snapshot taken.
  const begun = Promise.withResolvers<string>();
  const backup = site.backUp(out(), begun.resolve);
  await begun.promise;
  await writer.query("DELETE FROM cv_certificate; COMMIT");
  writer.release();
  await backup;
  const archive = await openArchive(out());
  const { tables } = parseManifest(await archive.readManifest());
  archive.close();
  expect(tables.find(({ name }) => name === "cv_certificate")?.row_count).toBe(1);
});

test("a backup that fails leaves nothing", async () => {
  await rm(join(site.dataDir, "out"), { recursive: true });
  await expect(site.backUp(out())).rejects.toMatchObject({ code: "ENOENT" });
  await mkdir(join(site.dataDir, "out"));
  const stop = AbortSignal.abort(new Error("Stopped."));
  const { pool, dataDir } = site;
  const options = { pool, dataDir, file: out(), appVersion: "0.1.0", now: NOW, onProgress: () => {}, stop };
  await expect(writeBackup(options)).rejects.toThrow("Stopped.");
  expect(await listOut()).toEqual([]);
});
