import { cp, mkdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { getAccount, isRoot } from "./account.ts";
import { ensureLibraryLinks, findPackagedBinaries, prepareBinaries } from "./binaries.ts";
import { makeTestFolder } from "./test-folder.ts";

let folder: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await makeTestFolder());
});
afterEach(() => remove());

async function writeLinkList(): Promise<string> {
  const native = join(folder, "native");
  await mkdir(join(native, "lib"), { recursive: true });
  await writeFile(join(native, "lib", "libx.so.60.2"), "library");
  const list = ["libx.so", "libx.so.60"].map((name) => ({
    source: "native/lib/libx.so.60.2",
    target: `native/lib/${name}`,
  }));
  await writeFile(join(native, "pg-symlinks.json"), JSON.stringify(list));
  return native;
}

test("a platform without a package is pointed to DATABASE_URL", () => {
  expect(() => findPackagedBinaries("linux", "riscv64")).toThrow(
    /linux-riscv64 is missing[\s\S]*DATABASE_URL/,
  );
});

test("library links that install scripts did not create are created, and existing ones kept", async () => {
  const native = await writeLinkList();
  await symlink("libx.so.60.2", join(native, "lib", "libx.so"));
  await ensureLibraryLinks(native);
  await ensureLibraryLinks(native);
  expect(await readlink(join(native, "lib", "libx.so.60"))).toBe("libx.so.60.2");
  expect(await readFile(join(native, "lib", "libx.so"), "utf8")).toBe("library");
});

test("a link that cannot be created is named, with what to do", async () => {
  const native = await writeLinkList();
  await writeFile(join(native, "pg-symlinks.json"), '[{"source":"native/no/a","target":"native/no/b"}]');
  await expect(ensureLibraryLinks(native)).rejects.toThrow(/native\/no\/b is missing and cannot be created/);
});

test("the package's binaries run here", async () => {
  const { version, major, directory } = await prepareBinaries(undefined, () => undefined);
  expect(version).toMatch(/^18\.\d+$/);
  expect(major).toBe("18");
  expect(directory).toBe(findPackagedBinaries().directory);
});

test("the binaries are copied once for an account that cannot reach the package", async () => {
  if (!isRoot()) return;
  const nobody = await getAccount("nobody");
  const hidden = join(folder, "hidden");
  await mkdir(hidden, { mode: 0o700 });
  const packaged = { ...findPackagedBinaries(), directory: join(hidden, "native") };
  await cp(findPackagedBinaries().directory, packaged.directory, { recursive: true, verbatimSymlinks: true });
  const copies: string[] = [];
  const shared = join(folder, "shared");
  const first = await prepareBinaries(nobody, (target) => copies.push(target), {
    sharedRoot: shared,
    packaged,
  });
  const second = await prepareBinaries(nobody, (target) => copies.push(target), {
    sharedRoot: shared,
    packaged,
  });
  expect(copies).toEqual([join(shared, `postgresql-${packaged.packageVersion}`)]);
  expect(second).toEqual(first);
  expect((await stat(first.directory)).mode & 0o777).toBe(0o755);
});
