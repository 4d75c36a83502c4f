import { mkdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type Account, getAccount, isRoot } from "./account.ts";
import { choosePlace, linkCluster } from "./cluster.ts";
import { makeTestFolder } from "./test-folder.ts";

const whenRoot = isRoot() ? test : test.skip;

let dataDir: string;
let shared: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  const made = await makeTestFolder();
  remove = made.remove;
  dataDir = join(made.folder, "closed", "data");
  shared = join(made.folder, "shared");
  await mkdir(join(made.folder, "closed"), { mode: 0o700 });
  await mkdir(dataDir);
});
afterEach(() => remove());

async function requireNobody(): Promise<Account> {
  const account = await getAccount("nobody");
  if (!account) throw new Error("this system has no user nobody");
  return account;
}

test("an ordinary user's cluster stays in the data folder", async () => {
  const place = await choosePlace(dataDir, undefined, shared);
  expect(place).toEqual({
    cluster: join(dataDir, "postgres"),
    home: dataDir,
    visible: join(dataDir, "postgres"),
  });
});

test("a link to a cluster elsewhere is followed, and a broken one refused", async () => {
  await symlink(join(dataDir, "..", "disk"), join(dataDir, "postgres"));
  await expect(choosePlace(dataDir, undefined, shared)).rejects.toThrow("a folder that is gone");
  await mkdir(join(dataDir, "..", "disk"));
  expect((await choosePlace(dataDir, undefined, shared)).cluster).toBe(join(dataDir, "..", "disk"));
});

whenRoot(
  "a data folder closed to the account keeps its cluster below the shared root, with a link",
  async () => {
    const place = await choosePlace(dataDir, await requireNobody(), shared);
    expect(place.cluster).toMatch(new RegExp(`^${shared}/data-[0-9a-f]{12}/postgres$`));
    await mkdir(place.cluster);
    await linkCluster(place);
    expect(await readlink(join(dataDir, "postgres"))).toBe(place.cluster);
    expect(await choosePlace(dataDir, await requireNobody(), shared)).toEqual(place);
  },
);

whenRoot("a cluster that came to lie in a closed folder moves out of it", async () => {
  await mkdir(join(dataDir, "postgres"));
  await writeFile(join(dataDir, "postgres", "PG_VERSION"), "18\n");
  const { cluster } = await choosePlace(dataDir, await requireNobody(), shared);
  expect(await readFile(join(cluster, "PG_VERSION"), "utf8")).toBe("18\n");
});
