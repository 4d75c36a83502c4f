import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { readDatabaseName } from "#server/db/site-processes.ts";
import { type FileStores, findBucketOwner, findRemovalFault, openStores } from "#server/files/stores.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { startTestS3, type TestS3 } from "#test/s3.ts";
import { hashTables, makeSite, readFolder, toRestoreOptions, UPLOAD } from "./fixture.ts";
import type { RemoteStore, RemoteStores } from "./remote-stores.ts";
import { type RestoreOptions, restoreBackup } from "./restore-backup.ts";

const PORTRAIT = `people/cd/${"cd34".repeat(8)}.webp`;

let service: TestS3;
let stores: FileStores;
let site: Awaited<ReturnType<typeof makeSite>>;
let target: TestDatabase;
let folder: Awaited<ReturnType<typeof makeTestFolder>>;
let steady = 0;

const open = () =>
  openStores(
    { dataDir: "/nowhere", fileStore: { address: service.address, isRedirected: false } },
    { steadyMs: () => steady },
  );

beforeEach(async () => {
  service = await startTestS3();
  stores = open();
  site = await makeSite(stores.remote);
  target = await createTestDatabase();
  folder = await makeTestFolder();
});
afterEach(async () => {
  await site.close();
  await target.close();
  await folder.remove();
  await service.close();
});

async function put(path: string, content: string): Promise<void> {
  const [storage = "", , name = ""] = path.split("/");
  await stores.openStorage(storage).put(name, Buffer.from(content));
}

/** All that lies in the bucket, with its bytes as text. */
async function readBucket(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [storage, store] of stores.remote) {
    for await (const { name } of store.list()) {
      const file = await store.open(name);
      const parts: Buffer[] = [];
      for await (const part of file?.stream ?? []) parts.push(part as Buffer);
      found[`${storage}/${name.slice(0, 2)}/${name}`] = Buffer.concat(parts).toString();
    }
  }
  return found;
}

test("a backup holds the files of the bucket, and those that a move hasn't reached yet; a restore puts all into the bucket", async () => {
  const moved = `files/12/${"12".repeat(16)}.pdf`;
  await put(moved, "in the bucket alone");
  await put(UPLOAD, "the bucket's own");
  await put(`pictures/ab/${"ab12".repeat(8)}.png`, "a cache");
  const { file, fileCount, warnings } = await site.backUp();
  expect({ fileCount, warnings }).toEqual({ fileCount: 5, warnings: [] });

  const empty = await startTestS3();
  try {
    const there = openStores({
      dataDir: "/nowhere",
      fileStore: { address: empty.address, isRedirected: false },
    });
    const options = toRestoreOptions(file, folder.folder, target.connection);
    const report = await restoreBackup({ ...options, stores: there.remote });
    expect(report.fileCount).toBe(5);
    expect(Object.keys(await readFolder(folder.folder)).map((path) => path.split("/")[0])).toEqual([
      "keys",
      "mail",
    ]);
    stores = there;
    expect(await readBucket()).toEqual({
      [moved]: "in the bucket alone",
      [UPLOAD]: "the bucket's own",
      [PORTRAIT]: "picture",
    });
    expect(await hashTables(target.pool)).toEqual(await hashTables(site.pool));
  } finally {
    await empty.close();
  }
});

describe("a backup over a store", () => {
  const moved = `files/12/${"12".repeat(16)}.pdf`;
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  beforeEach(async () => {
    pauses.length = 0;
    await put(moved, "in the bucket alone");
  });

  /** The site's stores, of which `files` is opened otherwise. */
  function reopen(openFile: (name: string) => ReturnType<RemoteStore["open"]>): RemoteStores {
    const files = stores.openStorage("files");
    return new Map<string, RemoteStore>([...stores.remote, ["files", { ...files, open: openFile }]]);
  }
  const readBack = async (file: string) => {
    await restoreBackup(toRestoreOptions(file, folder.folder, target.connection));
    return Buffer.from((await readFolder(folder.folder))[moved] ?? "", "base64").toString();
  };

  test("reads a file again that couldn't be opened, or broke off", async () => {
    const faults = [
      () => Promise.reject(new Error("503")),
      async () => {
        const broken = new Readable({ read() {} });
        broken.push("in the bu");
        setImmediate(() => broken.destroy(new Error("it broke off")));
        return { stream: broken };
      },
    ];
    const flawed = reopen((name) => (faults.pop() ?? (() => stores.openStorage("files").open(name)))());
    const { file, warnings } = await site.backUp(undefined, undefined, { stores: flawed, pause });
    expect([warnings, pauses]).toEqual([[], [6_000, 20_000]]);
    expect(await readBack(file)).toBe("in the bucket alone");
  });

  test("is stopped in a pause too, with the reason", async () => {
    const away = reopen(() => Promise.reject(new Error("503")));
    const stop = new AbortController();
    const given = { stores: away, stop: stop.signal };
    const backup = site.backUp(
      undefined,
      (line) => line.startsWith("  files") && setImmediate(() => stop.abort(new Error("ended here"))),
      given,
    );
    await expect(backup).rejects.toThrow("ended here");
  });

  test("fails where that doesn't help, and leaves nothing", async () => {
    const away = reopen(() => Promise.reject(new Error("503")));
    const file = join(folder.folder, "none.zip");
    await expect(site.backUp(file, undefined, { stores: away, pause })).rejects.toThrow("503");
    expect(pauses).toEqual([6_000, 20_000, 60_000]);
    expect(await readFolder(folder.folder)).toEqual({});
  });

  test("has no snapshot open while it reads, and says what was deleted meanwhile", async () => {
    await put(UPLOAD, "deleted in the middle");
    const open: unknown[] = [];
    const watched = reopen(async (name) => {
      const { rows } = await site.pool.query(
        "SELECT application_name FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL",
      );
      open.push(rows);
      const files = stores.openStorage("files");
      if (UPLOAD.endsWith(name)) await files.delete(name);
      return files.open(name);
    });
    const { file, warnings } = await site.backUp(undefined, undefined, { stores: watched, pause });
    expect(open).toEqual([[], []]);
    expect(warnings).toEqual([
      `${UPLOAD} went away while the backup was made.`,
      `${UPLOAD} is named by stored_file, and the file isn't there.`,
    ]);
    expect(await readBack(file)).toBe("in the bucket alone");
  });
});

test("a backup of files in the bucket goes back into a data folder, and the other way round", async () => {
  await put(UPLOAD, "one");
  const { file } = await site.backUp();
  await restoreBackup(toRestoreOptions(file, folder.folder, target.connection));
  const files = await readFolder(folder.folder);
  expect(Buffer.from(files[UPLOAD] ?? "", "base64").toString()).toBe("one");
  expect(Buffer.from(files[PORTRAIT] ?? "", "base64").toString()).toBe("picture");
});

test("a restore over another site takes away what isn't in the backup; what no backup keeps is put aside", async () => {
  const { file } = await site.backUp();
  const foreign = `files/99/${"99".repeat(16)}.pdf`;
  await put(foreign, "of nobody");
  const report = await restoreBackup({
    ...toRestoreOptions(file, folder.folder, target.connection),
    stores: stores.remote,
  });
  expect(Object.keys(await readBucket()).sort()).toEqual([UPLOAD, PORTRAIT].sort());
  const kept = join("before-restore-20261120T120000Z", foreign);
  expect(report.notes).toEqual([
    expect.stringContaining(`1 file that is not in the backup, for instance ${foreign}`),
  ]);
  expect(Buffer.from((await readFolder(folder.folder))[kept] ?? "", "base64").toString()).toBe("of nobody");
});

describe("where the bucket is another database's, as by copied settings", () => {
  const newer = `files/99/${"99".repeat(16)}.pdf`;
  const options = (file: string): RestoreOptions => ({
    ...toRestoreOptions(file, folder.folder, target.connection),
    stores: stores.remote,
    findRemovalFault: (db) => findRemovalFault(stores, db, "start the site"),
  });

  test("a restore takes nothing away, says so, and how the bucket is claimed; one of the owner takes it away", async () => {
    const { file } = await site.backUp();
    await put(newer, "newer than the backup");
    await stores.mark?.write(await readDatabaseName(site.pool));
    const { notes } = await restoreBackup(options(file));
    expect(notes).toEqual([
      expect.stringMatching(
        /^What the backup doesn't hold was left .* delete the object `site` in the bucket/,
      ),
    ]);
    expect(Object.keys(await readBucket()).sort()).toEqual([newer, UPLOAD, PORTRAIT].sort());

    await stores.mark?.write(await readDatabaseName(target.pool));
    const again = { ...options(file), keepFormer: async () => undefined };
    expect((await restoreBackup(again)).notes).toEqual([]);
    expect(Object.keys(await readBucket()).sort()).toEqual([UPLOAD, PORTRAIT].sort());
    // It is the one that housekeeping expects.
    expect(await findBucketOwner(stores, target.pool)).toBe("own");
  });

  test("a restore that fails leaves there what it put: the other site may have put it too", async () => {
    const { file } = await site.backUp();
    await stores.mark?.write("another");
    const stop = new AbortController();
    const onProgress = (line: string) => line.startsWith("Loading") && stop.abort(new Error("ended here"));
    await expect(restoreBackup({ ...options(file), stop: stop.signal, onProgress })).rejects.toThrow(
      "ended here",
    );
    expect(Object.keys(await readBucket()).sort()).toEqual([UPLOAD, PORTRAIT].sort());
  });

  test("a mark that can't be read is like another one's", async () => {
    const { file } = await site.backUp();
    await put(newer, "newer than the backup");
    const mark = { read: () => Promise.reject(new Error("refused")), write: async () => undefined };
    const { notes } = await restoreBackup({
      ...options(file),
      findRemovalFault: (db) => findRemovalFault({ mark }, db, "start the site"),
    });
    expect(notes).toEqual([expect.stringContaining("can't be read (refused)")]);
    expect(Object.keys(await readBucket())).toContain(newer);
  });
});

test("a restore that fails after the files were put leaves the bucket as it was", async () => {
  const { file } = await site.backUp();
  const own = `files/77/${"77".repeat(16)}.pdf`;
  await put(own, "was there");
  const stop = new AbortController();
  await expect(
    restoreBackup({
      ...toRestoreOptions(file, folder.folder, target.connection),
      stores: stores.remote,
      stop: stop.signal,
      onProgress: (line) => line.startsWith("Loading") && stop.abort(new Error("ended here")),
    }),
  ).rejects.toThrow("ended here");
  expect(await readBucket()).toEqual({ [own]: "was there" });
});

test("a bucket that is away stops backup and restore in words, before anything is changed", async () => {
  await put(UPLOAD, "one");
  const { file } = await site.backUp();
  await service.stop();
  steady += 60_000;
  const pause = async () => {
    steady += 60_000;
  };
  await expect(site.backUp(join(folder.folder, "other.zip"), undefined, { pause })).rejects.toThrow(
    `${service.address.title} (S3_URL): Listing the bucket failed: `,
  );
  expect(Object.keys(await readFolder(folder.folder))).toEqual([]);
  await expect(
    restoreBackup({ ...toRestoreOptions(file, folder.folder, target.connection), stores: stores.remote }),
  ).rejects.toThrow("(S3_URL)");
  expect((await target.pool.query("SELECT FROM stored_file")).rowCount).toBe(0);
});
