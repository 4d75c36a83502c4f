import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { Command } from "commander";
import type { Queryable } from "#server/db/pool.ts";
import { startTestS3, type TestS3 } from "#test/s3.ts";
import { type FileCommandDeps, registerFileCommands } from "./cli.ts";
import { type MoveOptions, moveFiles } from "./move.ts";
import { openS3Files } from "./s3.ts";
import { createLocalStorage, type FileStorage } from "./store.ts";

let service: TestS3;
let folder: string;

beforeEach(async () => {
  service = await startTestS3();
  folder = await mkdtemp(join(tmpdir(), "foyer-move-"));
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const openFolder = (name = "files") => createLocalStorage(join(folder, name));
const openBucket = (name = "files") => openS3Files(service.address).openStorage(name);
const toKey = (content: Buffer) => `${createHash("sha256").update(content).digest("hex").slice(0, 32)}.bin`;

/** Stores so many contents under their hashes. */
async function fill(storage: FileStorage, count: number): Promise<Map<string, Buffer>> {
  const all = new Map<string, Buffer>();
  for (let n = 0; n < count; n++) {
    const content = randomBytes(200 + n);
    all.set(toKey(content), content);
    await storage.put(toKey(content), content);
  }
  return all;
}

async function readAll(storage: FileStorage): Promise<Map<string, Buffer>> {
  const all = new Map<string, Buffer>();
  for await (const { name } of storage.list()) {
    const parts: Buffer[] = [];
    for await (const part of (await storage.open(name))?.stream ?? []) parts.push(part as Buffer);
    all.set(name, Buffer.concat(parts));
  }
  return all;
}

const sorted = (all: Map<string, Buffer>) =>
  [...all].map(([name, content]) => `${name} ${content.toString("hex")}`).sort();

function toOptions(from: FileStorage, to: FileStorage, given: Partial<MoveOptions> = {}): MoveOptions {
  return {
    storages: [{ name: "files", from, to, isNamedByHash: true }],
    removes: false,
    onProgress: () => {},
    stop: new AbortController().signal,
    pause: async () => undefined,
    ...given,
  };
}

/** A storage that says what it is asked to store. */
function watch(storage: FileStorage, onPut: (key: string) => void): FileStorage {
  return {
    ...storage,
    async put(key, content) {
      onPut(key);
      await storage.put(key, content);
    },
  };
}

test("all objects come there and back with their bytes; a second run copies what came since, and nothing else", async () => {
  const all = await fill(openFolder(), 30);
  expect(await moveFiles(toOptions(openFolder(), openBucket()))).toMatchObject({
    copied: 30,
    known: 0,
    removed: 0,
    faults: [],
  });
  expect(sorted(await readAll(openBucket()))).toEqual(sorted(all));

  const more = await fill(openFolder(), 3);
  const put: string[] = [];
  const second = await moveFiles(
    toOptions(
      openFolder(),
      watch(openBucket(), (key) => put.push(key)),
    ),
  );
  expect(second).toMatchObject({ copied: 3, known: 30 });
  expect(put.sort()).toEqual([...more.keys()].sort());

  await rm(join(folder, "files"), { recursive: true });
  expect(await moveFiles(toOptions(openBucket(), openFolder()))).toMatchObject({ copied: 33, known: 0 });
  expect(sorted(await readAll(openFolder()))).toEqual(sorted(new Map([...all, ...more])));
  expect(await moveFiles(toOptions(openBucket(), openFolder()))).toMatchObject({ copied: 0, known: 33 });
});

test.each([
  ["to the bucket", () => [openFolder(), openBucket()] as const],
  ["to the folder", () => [openBucket(), openFolder()] as const],
])("a move %s that is interrupted again and again goes on where it was", async (_direction, open) => {
  const [from, to] = open();
  const all = await fill(from, 100);
  const put = new Map<string, number>();
  for (const count of [3, 9, 1, 12, 5]) {
    const stop = new AbortController();
    let left = count;
    const watched = watch(to, (key) => {
      put.set(key, (put.get(key) ?? 0) + 1);
      left -= 1;
      if (left === 0) stop.abort(new Error("interrupted"));
    });
    await expect(moveFiles(toOptions(from, watched, { stop: stop.signal }))).rejects.toThrow("interrupted");
  }
  const before = put.size;
  expect(before).toBeGreaterThanOrEqual(30);
  expect(before).toBeLessThan(100);
  const last = await moveFiles(toOptions(from, to));
  expect([last.copied, last.known, last.faults]).toEqual([100 - before, before, []]);
  // What was put came to its end: nothing was sent twice.
  expect(Math.max(...put.values())).toBe(1);
  expect(sorted(await readAll(to))).toEqual(sorted(all));
});

test("one that lies there with other bytes, or half of them, is copied again", async () => {
  const all = await fill(openFolder(), 4);
  const [first = "", second = ""] = all.keys();
  const size = all.get(first)?.length ?? 0;
  await openBucket().put(first, Buffer.alloc(size, 7));
  await openBucket().put(second, Buffer.alloc(5));
  expect(await moveFiles(toOptions(openFolder(), openBucket()))).toMatchObject({
    copied: 4,
    known: 0,
    faults: [],
  });
  expect(sorted(await readAll(openBucket()))).toEqual(sorted(all));
});

test("an object that isn't what its name says is told of and left where it is; the others are moved", async () => {
  const all = await fill(openFolder(), 5);
  const [damaged = ""] = all.keys();
  await openFolder().put(damaged, Buffer.from("something else"));
  await writeFile(join(folder, "files", damaged.slice(0, 2), `${damaged}.0123abcd.part`), "a draft");
  const report = await moveFiles(toOptions(openFolder(), openBucket(), { removes: true }));
  expect(report).toMatchObject({ copied: 4, removed: 4 });
  expect(report.faults).toEqual([
    `files/${damaged}: it is damaged where it is: its bytes aren't those of its name.`,
  ]);
  expect([...(await readAll(openFolder())).keys()].filter((name) => !name.endsWith(".part"))).toEqual([
    damaged,
  ]);
});

test("nothing is removed that can't be read back as it was", async () => {
  const all = await fill(openFolder(), 5);
  const [spoilt = ""] = all.keys();
  const bucket = openBucket();
  const spoiling: FileStorage = {
    ...bucket,
    put: (key, content) => bucket.put(key, key === spoilt ? Buffer.from("spoilt") : content),
  };
  const report = await moveFiles(toOptions(openFolder(), spoiling, { removes: true }));
  expect(report.faults).toEqual([
    `files/${spoilt}: what was read back at the new place differs from what was written.`,
  ]);
  expect([...(await readAll(openFolder())).keys()]).toEqual([spoilt]);
  expect(await moveFiles(toOptions(openFolder(), bucket, { removes: true }))).toMatchObject({
    copied: 1,
    removed: 1,
  });
  expect(sorted(await readAll(bucket))).toEqual(sorted(all));
});

test("a fault that passes is waited for; one that stays ends the move, and what was copied stays", async () => {
  const all = await fill(openFolder(), 6);
  const bucket = openBucket();
  const pauses: number[] = [];
  let faults = 2;
  const failing: FileStorage = {
    ...bucket,
    async put(key, content) {
      if (faults-- > 0) throw new Error("503");
      await bucket.put(key, content);
    },
  };
  const pause = async (ms: number) => void pauses.push(ms);
  expect(await moveFiles(toOptions(openFolder(), failing, { pause }))).toMatchObject({
    copied: 6,
    faults: [],
  });
  expect(pauses).toEqual([6_000, 6_000]);
  expect(sorted(await readAll(bucket))).toEqual(sorted(all));

  await fill(openFolder(), 1);
  faults = Number.POSITIVE_INFINITY;
  await expect(moveFiles(toOptions(openFolder(), failing, { pause }))).rejects.toThrow("503");
  expect((await readAll(bucket)).size).toBe(6);
});

test("an object that fails before the list is at its end ends the move as well", async () => {
  const [name = ""] = (await fill(openFolder(), 1)).keys();
  const failed = Promise.withResolvers<void>();
  const from: FileStorage = {
    ...openFolder(),
    async *list() {
      yield* openFolder().list();
      await failed.promise;
    },
  };
  const failing: FileStorage = {
    ...openBucket(),
    async put() {
      // The list goes on once this one has failed for good.
      setImmediate(failed.resolve);
      throw new Error("refused");
    },
  };
  const pause = () => Promise.reject(new Error("no more"));
  await expect(moveFiles(toOptions(from, failing, { pause }))).rejects.toThrow("no more");
  expect(await openBucket().stat(name)).toBeUndefined();
});

/** A database that is called so. */
const ownDatabase = { query: async () => ({ rows: [{ name: "own" }] }) } as unknown as Queryable; // the name alone is asked

describe("the command", () => {
  async function run(args: string[], given: Partial<FileCommandDeps> = {}) {
    const result = { out: "", error: "", exitCode: 0 };
    const program = new Command().exitOverride().configureOutput({
      writeOut: (text) => {
        result.out += text;
      },
      writeErr: (text) => {
        result.error += text;
      },
    });
    registerFileCommands(program, {
      dataDir: folder,
      fileStore: { address: service.address, isRedirected: false },
      withStop: (work) => work(new AbortController().signal),
      whileStopped: (work) => work(ownDatabase, undefined),
      onProgress: () => {},
      pause: async () => undefined,
      ...given,
    });
    try {
      await program.parseAsync(["node", "foyer", "move-files", ...args]);
    } catch (error) {
      result.exitCode = (error as { exitCode?: number }).exitCode ?? 99;
    }
    result.exitCode ||= Number(process.exitCode ?? 0);
    process.exitCode = undefined;
    return result;
  }

  test("moves files, people's pictures and drawn ones, says how many, and goes back", async () => {
    await fill(openFolder("files"), 2);
    await openFolder("people").put(`${"ab".repeat(16)}.webp`, Buffer.from("a person, under a random name"));
    await openFolder("pictures").put(`${"cd".repeat(16)}.webp`, Buffer.from("drawn"));
    const there = await run(["to-s3"]);
    expect(there).toMatchObject({ exitCode: 0, error: "" });
    expect(there.out).toContain(
      `Copied 4 objects (0.0 MB) to ${service.address.title}; 0 were there already.`,
    );
    expect(there.out).toContain(`Nothing was removed from ${folder}.`);
    const again = await run(["to-s3", "--remove"]);
    expect(again.out).toContain("Copied 0 objects (0.0 MB)");
    expect(again.out).toContain(`Removed 4 objects from ${folder}.`);
    const left = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile())).toEqual([]);
    const back = await run(["to-folder", "--remove"]);
    expect([back.exitCode, back.error]).toEqual([0, ""]);
    expect(back.out).toContain("Take S3_URL out of .env before the site starts again.");
    expect((await readAll(openFolder("people"))).size + (await readAll(openFolder("pictures"))).size).toBe(2);
    expect((await readAll(openBucket("people"))).size).toBe(0);
  });

  test.each(["to-s3", "to-folder"])(
    "%s --remove is refused where the bucket is another database's, until its mark is gone",
    async (direction) => {
      const { mark } = openS3Files(service.address);
      for (const storage of [openFolder(), openBucket()]) await fill(storage, 1);
      const before = [await readAll(openFolder()), await readAll(openBucket())].map(sorted);
      const refused = async () => {
        const { exitCode, error } = await run([direction, "--remove"]);
        expect([await readAll(openFolder()), await readAll(openBucket())].map(sorted)).toEqual(before);
        expect([exitCode, error]).toEqual([1, expect.stringContaining("Nothing was moved or removed: ")]);
        return error;
      };
      await mark.write("another");
      expect(await refused()).toMatch(/another database's\..*delete the object `site`.*run this again\./);
      await mark.write("own");
      expect(await run([direction, "--remove"])).toMatchObject({ exitCode: 0 });
    },
  );

  test("nothing is removed where the mark can't be read", async () => {
    await fill(openFolder(), 1);
    const query = () => Promise.reject(new Error("no right to ask"));
    const whileStopped: FileCommandDeps["whileStopped"] = (work) =>
      work({ query } as unknown as Queryable, undefined);
    const { exitCode, error } = await run(["to-s3", "--remove"], { whileStopped });
    expect([exitCode, error]).toEqual([1, expect.stringMatching(/can't be read \(no right to ask\)/)]);
    expect((await readAll(openFolder())).size).toBe(1);
  });

  test("nothing more is removed once the site may start meanwhile", async () => {
    await fill(openFolder(), 1);
    const lost = AbortSignal.abort(new Error("the gate is open"));
    const removal = run(["to-s3", "--remove"], { whileStopped: (work) => work(ownDatabase, lost) });
    expect(await removal).toMatchObject({ exitCode: 99 });
    expect((await readAll(openFolder())).size).toBe(1);
  });

  test("ends with 1 where an object isn't moved", async () => {
    const [damaged = ""] = (await fill(openFolder(), 1)).keys();
    await openFolder().put(damaged, Buffer.from("x"));
    const { exitCode, out } = await run(["to-s3"]);
    expect(exitCode).toBe(1);
    expect(out).toContain(`NOT moved: files/${damaged}`);
    expect(out).toContain("Not at the new place: 1.");
  });

  test("refuses what makes no sense, in words", async () => {
    expect(await run(["to-s3"], { fileStore: undefined })).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining("S3_URL isn't set"),
    });
    expect(await run(["sideways"])).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining("to-s3, to-folder"),
    });
    const runs = () => Promise.reject(Object.assign(new Error("A Foyer uses this database."), { code: "X" }));
    await fill(openFolder(), 1);
    const removal = await run(["to-s3", "--remove"], { whileStopped: runs });
    expect(removal).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining("A Foyer uses this database."),
    });
    expect((await readAll(openFolder())).size).toBe(1);
    await service.stop();
    const away = await run(["to-s3"]);
    expect(away).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining(`${service.address.title} (S3_URL): `),
    });
    expect(away.error).toContain("the same command goes on from there");
    expect(away.error).not.toContain("S3RVER:");
  });
});
