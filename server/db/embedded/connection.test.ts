import { chown, lstat, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { isRoot } from "./account.ts";
import { createSocketFolder, toSocketFolder } from "./connection.ts";
import { makeTestFolder } from "./test-folder.ts";

let folder: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await makeTestFolder());
});
afterEach(() => remove());

test("it stands in the data folder while the socket's path is short enough", () => {
  expect(toSocketFolder("/srv/foyer/data", 1000)).toBe("/srv/foyer/data/run");
});

test("it moves below the temporary folder when letters make the path longer than a socket may have", () => {
  const long = `/srv/${"ş".repeat(45)}`;
  expect(toSocketFolder(long, 1000)).toMatch(/\/foyer-1000-[0-9a-f]{24}$/);
  expect(toSocketFolder(long, 1001)).not.toBe(toSocketFolder(long, 1000));
});

test("it is made anew, closed to others", async () => {
  await mkdir(join(folder, "run"), { mode: 0o777 });
  await writeFile(join(folder, "run", ".s.PGSQL.5432"), "stale");
  const made = await createSocketFolder(folder, undefined);
  expect(made).toBe(join(folder, "run"));
  expect((await lstat(made)).mode & 0o777).toBe(0o700);
});

test("a link in its place is refused", async () => {
  await symlink("/tmp", join(folder, "run"));
  await expect(createSocketFolder(folder, undefined)).rejects.toThrow("not a folder of ours");
});

(isRoot() ? test : test.skip)("somebody else's folder in its place is refused", async () => {
  await mkdir(join(folder, "run"));
  await chown(join(folder, "run"), 4242, 4242);
  await expect(createSocketFolder(folder, undefined)).rejects.toThrow("belongs to user id 4242");
});
