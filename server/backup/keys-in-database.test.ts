import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { loadSigningKeys } from "#server/accounts/tokens/key-ring.ts";
import { readSigningKeys, type SigningKeys } from "#server/accounts/tokens/keys.ts";
import { loadChainKey, readChainKey } from "#server/audit/chain/signature.ts";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { openKeyPlace } from "#server/db/keys/open-keys.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { makeSite, NOW, openPool, readFolder, toRestoreOptions } from "./fixture.ts";
import { restoreBackup } from "./restore-backup.ts";
import { openSigner, requireTrusted } from "./signature.ts";
import { writeBackup } from "./write-backup.ts";

const SECRET = "a-secret-of-at-least-32-characters";
const OTHER_SECRET = "another-secret-of-32-characters!";
const log = { warn: () => undefined };

let site: Awaited<ReturnType<typeof makeSite>>;
let target: TestDatabase;
let folder: Awaited<ReturnType<typeof makeTestFolder>>;
let keys: SigningKeys;
let chainKey: Buffer;
beforeEach(async () => {
  site = await makeSite();
  target = await createTestDatabase({ isEmpty: true });
  folder = await makeTestFolder();
  await rm(join(site.dataDir, "keys"), { recursive: true });
  await loadSigningKeys(site.dataDir);
  await loadChainKey(site.dataDir);
  const place = await openKeyPlace(site.pool, { dataDir: site.dataDir, keysSecret: SECRET }, log);
  ({ keys } = await readSigningKeys(place));
  chainKey = await readChainKey(place);
});
afterEach(async () => {
  await site.close();
  await target.close();
  await folder.remove();
});

async function backUp(keysSecret: string | undefined): Promise<string> {
  const file = join(site.dataDir, "backup.zip");
  const { pool, dataDir } = site;
  await writeBackup({ pool, dataDir, keysSecret, file, appVersion: "0", now: NOW, onProgress: () => {} });
  return file;
}
const restore = async (file: string, keysSecret?: string) =>
  restoreBackup({ ...toRestoreOptions(file, folder.folder, target.connection), keysSecret });

test("a backup holds the keys that are in the database as files: a site without KEYS_SECRET takes them", async () => {
  await restore(await backUp(SECRET));
  expect(await loadSigningKeys(folder.folder)).toEqual(keys);
  expect(await loadChainKey(folder.folder)).toEqual(chainKey);
  expect((await target.pool.query("SELECT FROM site_key")).rowCount).toBe(0);
});

test("a site with another secret takes them into its database with the rows, for a process that has not the folder", async () => {
  const file = await backUp(SECRET);
  await restore(file, OTHER_SECRET);
  const elsewhere = await makeTestFolder();
  const settings = { dataDir: elsewhere.folder, keysSecret: OTHER_SECRET };
  const place = await openKeyPlace(target.pool, settings, log);
  expect((await readSigningKeys(place)).keys).toEqual(keys);
  expect(await readChainKey(place)).toEqual(chainKey);
  await elsewhere.remove();
  // The next start of the process that has it takes them out of there.
  await openKeyPlace(target.pool, { dataDir: folder.folder, keysSecret: OTHER_SECRET }, log);
  expect(Object.keys(await readFolder(join(folder.folder, "keys")))).toEqual([]);
});

test("a restore over keys of another site puts those of the backup in their place", async () => {
  const file = await backUp(SECRET);
  await restore(file, OTHER_SECRET);
  await target.pool.query("UPDATE site_key SET sealed = 'x'");
  await restoreBackup({
    ...toRestoreOptions(file, folder.folder, target.connection),
    keysSecret: SECRET,
    keepFormer: async () => undefined,
  });
  const place = await openKeyPlace(target.pool, { dataDir: folder.folder, keysSecret: SECRET }, log);
  expect((await readSigningKeys(place)).keys).toEqual(keys);
});

test("without the secret, or with another one, no backup is made that lacks the keys", async () => {
  await expect(backUp(undefined)).rejects.toThrow("KEYS_SECRET, which isn't set");
  await expect(backUp(OTHER_SECRET)).rejects.toThrow("KEYS_SECRET isn't the one");
});

test("what any process of the site signs, each other one trusts, whatever its folder; one without the secret doesn't", async () => {
  const { publicKey } = await openSigner({ dataDir: site.dataDir, keysSecret: SECRET });
  const none = { allowsUnsigned: false };
  await requireTrusted(publicKey, { dataDir: folder.folder, keysSecret: SECRET }, none);
  await expect(requireTrusted(publicKey, { dataDir: folder.folder }, none)).rejects.toThrow(publicKey);
  // What the folder signed before the site had a secret is good still.
  const { publicKey: former } = await openSigner({ dataDir: folder.folder });
  expect(former).not.toBe(publicKey);
  await requireTrusted(former, { dataDir: folder.folder, keysSecret: SECRET }, none);
});

test("the trial restore of a backup touches no keys", async () => {
  const file = await backUp(SECRET);
  const options = toRestoreOptions(file, folder.folder, target.connection);
  await restoreBackup({ ...options, keysSecret: SECRET, isRehearsal: true });
  const pool = openPool(target.connection);
  expect((await pool.query("SELECT FROM site_key")).rowCount).toBe(0);
  await pool.end();
});
