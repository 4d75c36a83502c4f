import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { parseConfig } from "#server/config.ts";
import { fetchCopy, listCopies, openPlace } from "../daily/copy.ts";
import type { WatchProgress } from "./progress.ts";
import { openS3 } from "./s3.ts";
import { startS3 } from "./test-s3.ts";
import { createTestWatch, MINUTE_MS } from "./test-sftp.ts";

const NAME = "daily-20261126T033000Z.zip";
const SECRET = "se/cr+et";
/** Two parts, the second one not full. */
const BYTES = randomBytes(17 * 1024 * 1024);

let service: Awaited<ReturnType<typeof startS3>>;
let folder: string;
let file: string;
const never = new AbortController().signal;

beforeEach(async () => {
  service = await startS3({ bucket: "site", accessKeyId: "KEY" });
  folder = await mkdtemp(join(tmpdir(), "foyer-s3-"));
  file = join(folder, NAME);
  await writeFile(file, BYTES);
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** As the process opens it by BACKUP_TO. */
function open({ bucket = "site", key = "KEY", host = service.host } = {}) {
  const BACKUP_TO = `s3://${key}:${encodeURIComponent(SECRET)}@${host}/${bucket}/my/foyer?tls=false`;
  const { remote } = parseConfig({ BACKUP_TO }).dailyBackup;
  if (!remote) throw new Error("no address");
  return openPlace(remote);
}

test("a file arrives in parts, whole, once; it is listed, fetched back and removed; others' are left alone", async () => {
  service.files.set("my/foyer-of-another/x.zip", Buffer.from("x"));
  service.files.set("my/foyer/deeper/x.zip", Buffer.from("x"));
  const place = open();
  expect(place.title).toBe(`s3://${service.host}/site/my/foyer`);
  await place.put(file, NAME, never);
  expect(service.state.partCount).toBe(2);
  expect(service.files.get(`my/foyer/${NAME}`)?.equals(BYTES)).toBe(true);
  await place.put(file, NAME, never);
  expect(service.state.partCount).toBe(2);
  expect(await place.list()).toEqual([NAME]);

  await rm(file);
  expect(await fetchCopy(place, { wanted: undefined, folder, stop: never })).toBe(file);
  expect((await readFile(file)).equals(BYTES)).toBe(true);
  await expect(fetchCopy(place, { wanted: NAME, folder, stop: never })).rejects.toThrow("is there already");
  await expect(fetchCopy(place, { wanted: "none.zip", folder, stop: never })).rejects.toThrow(
    "There is no none.zip.",
  );

  await place.remove(NAME);
  await place.check();
  expect(await listCopies(place)).toEqual([]);
  expect([...service.files.keys()]).toEqual(["my/foyer-of-another/x.zip", "my/foyer/deeper/x.zip"]);
});

test("a part that a fault stopped is sent again; one that arrives changed is refused, and leaves nothing", async () => {
  service.state.failParts = 2;
  await open().put(file, NAME, never);
  expect(service.files.get(`my/foyer/${NAME}`)?.equals(BYTES)).toBe(true);

  service.state.spoil = (bytes) => Buffer.from(bytes).fill(0, 0, 10);
  const other = "daily-20261127T033000Z.zip";
  await expect(open().put(file, other, never)).rejects.toThrow("The copy was refused (400 BadDigest).");
  expect([...service.files.keys()]).toEqual([`my/foyer/${NAME}`]);
  expect(service.uploads.size).toBe(0);
});

test("an upload that was cut off is listed as a draft and can be removed; a file of another site isn't written over", async () => {
  service.uploads.set("u1", { key: `my/foyer/${NAME}`, parts: new Map() });
  service.uploads.set("u2", { key: "elsewhere/x.zip", parts: new Map() });
  const place = open();
  expect(await place.list()).toEqual([`${NAME}.part`]);
  await place.remove(`${NAME}.part`);
  expect([...service.uploads.keys()]).toEqual(["u2"]);

  service.files.set(`my/foyer/${NAME}`, Buffer.from("of another site"));
  await expect(place.put(file, NAME, never)).rejects.toThrow("Give each site a folder of its own.");
  expect(service.files.get(`my/foyer/${NAME}`)?.toString()).toBe("of another site");
});

test("a stop ends it", async () => {
  const stop = new AbortController();
  service.state.spoil = (bytes) => {
    stop.abort();
    return bytes;
  };
  await expect(open().put(file, NAME, stop.signal)).rejects.toThrow("It was stopped.");
  expect(service.uploads.size).toBe(0);
});

test("each fault is told in words, without the secret", async () => {
  const faults = [
    [open({ key: "OTHER" }), /was refused \(403 InvalidAccessKeyId\)\. Is the key in BACKUP_TO right\?/],
    [open({ bucket: "other" }), /no such bucket|NoSuchBucket/i],
    [open({ host: "127.0.0.1:1" }), /failed: .*(ECONNREFUSED|bad port|fetch failed)/],
  ] as const;
  for (const [place, message] of faults) {
    for (const work of [() => place.check(), () => place.put(file, NAME, never), () => place.list()]) {
      const error = await work().then(
        () => undefined,
        (reason: Error) => reason,
      );
      expect(error?.message).toMatch(message);
      expect(error?.message).not.toContain(SECRET);
    }
  }
});

/** As `open`, with a clock that the test moves. `onPiece`: before each piece that the line takes. */
function openByClock(onPiece: (clock: ReturnType<typeof createTestWatch>) => void = () => {}) {
  const clock = createTestWatch();
  const watch: WatchProgress = (limitMs) => {
    const opened = clock.watch(limitMs);
    return {
      ...opened,
      moved() {
        onPiece(clock);
        opened.moved();
      },
    };
  };
  const BACKUP_TO = `s3://KEY:secret@${service.host}/site/my/foyer?tls=false`;
  const { remote } = parseConfig({ BACKUP_TO }).dailyBackup;
  if (remote?.kind !== "s3") throw new Error("no address");
  return { place: openS3(remote, watch), pass: clock.pass };
}

test("a service that takes nothing of a part and keeps the connection is tried thrice, then the copy ends", async () => {
  const parts = [1, 2, 3].map(() => Promise.withResolvers<void>());
  let count = 0;
  service.state.onPart = () => {
    parts[count]?.resolve();
    count += 1;
    return false;
  };
  const { place, pass } = openByClock();
  const copy = expect(place.put(file, NAME, never)).rejects.toThrow("failed: Nothing moved for 5 minutes");
  for (const part of parts) {
    await part.promise;
    pass(5 * MINUTE_MS);
  }
  await copy;
  expect(count).toBe(3);
  expect(service.uploads.size).toBe(0);
});

test("a slow line isn't given up, however long a part takes", async () => {
  let pieces = 0;
  const { place } = openByClock((clock) => {
    pieces += 1;
    clock.pass(4 * MINUTE_MS);
  });
  await place.put(file, NAME, never);
  // Three pieces take longer than the time in which something has to move; there are two parts.
  expect(pieces).toBeGreaterThan(4);
  expect(service.state.partCount).toBe(2);
  expect(service.files.get(`my/foyer/${NAME}`)?.equals(BYTES)).toBe(true);
});
