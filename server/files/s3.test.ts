import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { s3Address } from "#server/base/s3.ts";
import { startTestS3, type TestS3 } from "#test/s3.ts";
import { moveFiles } from "./move.ts";
import { FilesUnavailableError, openS3Files, type S3Options } from "./s3.ts";
import { createLocalStorage, type FileStorage, type StoredEntry } from "./store.ts";

const toKey = (start: string) => `${start.padEnd(32, "0")}.png`;
const md5 = (content: Uint8Array) => createHash("md5").update(content).digest("hex");

async function collect(entries: AsyncIterable<StoredEntry>): Promise<StoredEntry[]> {
  const all: StoredEntry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

async function read(storage: FileStorage, key: string): Promise<string | undefined> {
  const file = await storage.open(key);
  return file && (await buffer(file.stream)).toString();
}

let service: TestS3;
let folder: string;

beforeAll(async () => {
  service = await startTestS3();
  folder = await mkdtemp(join(tmpdir(), "foyer-storages-"));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const open = (options?: S3Options) => openS3Files(service.address, options).openStorage("files");

describe.each<[string, (name: string) => FileStorage]>([
  ["a folder", (name) => createLocalStorage(join(folder, name))],
  ["a bucket", (name) => openS3Files(service.address).openStorage(name)],
])("a storage in %s", (_place, openStorage) => {
  test("gives back what was put, by its size and bytes, until it is deleted", async () => {
    const storage = openStorage("one");
    const [first, second] = [toKey("ab"), toKey("cd")];
    await storage.put(first, Buffer.from("first"));
    await storage.put(second, Buffer.alloc(0));
    await storage.put(first, Buffer.from("again"));
    expect([await storage.stat(first), await storage.stat(second)]).toEqual([
      { byteSize: 5 },
      { byteSize: 0 },
    ]);
    const opened = await storage.open(first);
    opened?.stream.destroy();
    expect(opened?.byteSize).toBe(5);
    expect([await read(storage, first), await read(storage, second)]).toEqual(["again", ""]);
    await storage.delete(first);
    await storage.delete(first);
    expect([await storage.stat(first), await storage.open(first)]).toEqual([undefined, undefined]);
  });

  test("knows no names but keys, and puts nothing elsewhere", async () => {
    const storage = openStorage("two");
    for (const name of ["../../etc/passwd", "x.png", `${toKey("ab")}/y`, ""]) {
      expect([await storage.open(name), await storage.stat(name)]).toEqual([undefined, undefined]);
      await expect(storage.put(name, Buffer.from("x"))).rejects.toThrow("not a file key");
      await expect(storage.delete(name)).rejects.toThrow("not a file key");
    }
    expect(await collect(storage.list())).toEqual([]);
  });

  test("lists what it holds in the order of the names, and nothing of another storage", async () => {
    const [storage, other] = [openStorage("three"), openStorage("three-more")];
    const keys = ["00", "0f", "7a", "ff"].map(toKey);
    for (const key of [...keys].reverse()) await storage.put(key, Buffer.from(key));
    await other.put(toKey("aa"), Buffer.from("x"));
    const entries = await collect(storage.list());
    expect(entries.map(({ name, byteSize }) => [name, byteSize])).toEqual(keys.map((key) => [key, 36]));
    for (const { writtenAt, md5: known, name } of entries) {
      expect(writtenAt.getTime()).toBeGreaterThan(Date.parse("2020-01-01"));
      expect([undefined, md5(Buffer.from(name))]).toContain(known);
    }
  });

  test("leaves an opened file that nobody reads without a trace", async () => {
    const storage = openStorage("four");
    await storage.put(toKey("ab"), Buffer.alloc(3_000_000, 1));
    for (let round = 0; round < 5; round++) (await storage.open(toKey("ab")))?.stream.destroy();
    const opened = await storage.open(toKey("ab"));
    expect(opened && (await buffer(opened.stream)).length).toBe(3_000_000);
  });
});

test("a list longer than a page of the service is whole", async () => {
  const files = openS3Files(service.address).openStorage("pages");
  const keys = Array.from({ length: 1_005 }, (_, n) => toKey(n.toString(16).padStart(4, "0")));
  for (let at = 0; at < keys.length; at += 50)
    await Promise.all(keys.slice(at, at + 50).map((key) => files.put(key, Buffer.from("x"))));
  expect((await collect(files.list())).map(({ name }) => name)).toEqual(keys);
});

test("bytes that arrive changed are refused, and nothing stays of them", async () => {
  const spoiling = open({
    fetch: (input, init) =>
      fetch(input, init?.method === "PUT" ? { ...init, body: Buffer.from("other") } : init),
  });
  await expect(spoiling.put(toKey("ee"), Buffer.from("bytes"))).rejects.toThrow("differs from what was sent");
  expect(await open().stat(toKey("ee"))).toBeUndefined();
});

const NO_MD5 = "0123456789abcdef".repeat(2);

/** Answers and lists with ETags that have the shape of an MD5 and are none, as a bucket that encrypts with keys of its own. */
function encrypt(headers: Record<string, string>, asked: string[] = []): S3Options {
  return {
    async fetch(input, init) {
      const answer = await fetch(input, init);
      asked.push(init?.method ?? "GET");
      const isList = String(input).includes("list-type");
      const body = isList
        ? (await answer.text()).replaceAll(/(?<=ETag>(&quot;|"))[0-9a-f]{32}/g, NO_MD5)
        : answer.body;
      const told = new Headers(answer.headers);
      if (isList) told.delete("content-length");
      if (init?.method === "PUT") {
        told.set("etag", `"${NO_MD5}"`);
        for (const [name, value] of Object.entries(headers)) told.set(name, value);
      }
      return new Response(answer.status === 204 ? null : body, { status: answer.status, headers: told });
    },
  };
}

describe.each([
  ["keys of AWS KMS", { "x-amz-server-side-encryption": "aws:kms" }, ["PUT"]],
  ["such keys, twice", { "x-amz-server-side-encryption": "aws:kms:dsse" }, ["PUT"]],
  ["the owner's keys", { "x-amz-server-side-encryption-customer-algorithm": "AES256" }, ["PUT"]],
  ["keys of which its answers say nothing", {}, ["PUT", "GET"]],
])("a bucket that encrypts with %s", (_whose, headers, calls) => {
  const key = toKey("e5");

  test("takes files, also those that are there already, and nothing is deleted", async () => {
    for (const _round of ["new", "there already"]) {
      const asked: string[] = [];
      await open(encrypt(headers, asked)).put(key, Buffer.from("bytes"));
      expect(asked).toEqual(calls);
      expect(await read(open(), key)).toBe("bytes");
    }
  });

  test("a second move reads its objects, and finds nothing damaged", async () => {
    const content = Buffer.from("a file under its hash");
    const name = `${createHash("sha256").update(content).digest("hex").slice(0, 32)}.bin`;
    const local = createLocalStorage(join(folder, `moved-${Object.values(headers).join()}`));
    const there = openS3Files(service.address, encrypt(headers)).openStorage(`moved-${calls.length}`);
    await local.put(name, content);
    const move = (from: FileStorage, to: FileStorage) =>
      moveFiles({
        storages: [{ name: "files", from, to, isNamedByHash: true }],
        ...{ removes: false, onProgress: () => {}, stop: new AbortController().signal },
      });
    await move(local, there);
    expect((await collect(there.list())).map(({ md5: said }) => said)).toEqual([NO_MD5]);
    for (const [from, to] of [[local, there] as const, [there, local] as const])
      expect(await move(from, to)).toMatchObject({ copied: 0, known: 1, faults: [] });
  });
});

test("a signed address answers with type and name that were signed, in parts too", async () => {
  await open().put(toKey("5a"), Buffer.from("0123456789"));
  const headers = { mediaType: "image/png", disposition: `inline; filename="${toKey("5a")}"` };
  const address = await openS3Files(service.address).sign("files", toKey("5a"), headers);
  const answer = await fetch(address, { headers: { range: "bytes=2-4" } });
  expect([answer.status, await answer.text()]).toEqual([206, "234"]);
  expect([answer.headers.get("content-type"), answer.headers.get("content-disposition")]).toEqual([
    headers.mediaType,
    headers.disposition,
  ]);
  const { searchParams } = new URL(address);
  expect(searchParams.get("X-Amz-Expires")).toBe("300");
  expect(address).not.toContain(encodeURIComponent("S3RVER:S3RVER"));
});

describe("a service that is away", () => {
  const stops: (() => void)[] = [];
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });

  test("is told of in words; then nobody asks it for five seconds, and one call tries", async () => {
    let [now, asked] = [0, 0];
    let isThere = false;
    const storage = open({
      steadyMs: () => now,
      fetch: (input, init) => {
        asked++;
        return isThere ? fetch(input, init) : Promise.reject(new Error("connect ECONNREFUSED 10.0.0.9:443"));
      },
    });
    const calls = () =>
      [storage.stat(toKey("ab")), storage.open(toKey("ab")), collect(storage.list())].map((call) =>
        call.then(
          () => "done",
          (error: Error) => error,
        ),
      );
    const [first] = await Promise.all(calls());
    expect(first).toBeInstanceOf(FilesUnavailableError);
    expect(first).toMatchObject({ code: "files_unavailable", status: 503, retryAfterS: 5 });
    expect((first as Error).message).toBe(
      `${service.address.title} (S3_URL): Finding a file failed: connect ECONNREFUSED 10.0.0.9:443`,
    );
    asked = 0;
    await Promise.all(calls());
    expect(asked).toBe(0);

    now = 5_000;
    await Promise.all(calls());
    expect(asked).toBe(1);
    isThere = true;
    now = 10_000;
    expect((await Promise.all(calls())).filter((said) => said === "done")).toHaveLength(1);
    expect(await Promise.all(calls())).toEqual(["done", "done", "done"]);
  });

  test("and takes a connection without a word isn't waited for", async () => {
    const silent = createServer(() => {});
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    stops.push(() => {
      silent.closeAllConnections();
      silent.close();
    });
    const { port } = silent.address() as AddressInfo;
    const address = s3Address.parse(`s3://K:S@127.0.0.1:${port}/site?tls=false`);
    const storage = openS3Files(address, { answerLimitMs: 50 }).openStorage("files");
    await expect(storage.put(toKey("ab"), Buffer.from("x"))).rejects.toThrow(
      "No answer came within 0 seconds.",
    );
  });

  describe("in the middle of a file", () => {
    const [first, rest] = [Buffer.alloc(200_000, 1), Buffer.alloc(100, 2)];
    /** A service that sends a part of a file; `end` gives what comes then. */
    function openPart(end: (controller: ReadableStreamDefaultController) => void, stallLimitMs: number) {
      let isCancelled = false;
      const files = openS3Files(service.address, {
        stallLimitMs,
        fetch: async () => {
          const chunks = [first];
          const body = new ReadableStream({
            pull(controller) {
              const chunk = chunks.shift();
              if (chunk) controller.enqueue(chunk);
              else end(controller);
              // What isn't ended here never says a word again.
            },
            cancel() {
              isCancelled = true;
            },
          });
          return new Response(body, { headers: { "content-length": "200100" } });
        },
      });
      return { files, isCancelled: () => isCancelled };
    }
    const openFile = async (files: ReturnType<typeof openS3Files>) =>
      (await files.openStorage("files").open(toKey("ab")))?.stream ?? Readable.from([]);

    test("and sends nothing more is cut off, in words", async () => {
      const { files, isCancelled } = openPart(() => {}, 30);
      await expect(buffer(await openFile(files))).rejects.toMatchObject({
        code: "files_unavailable",
        message: `${service.address.title} (S3_URL): Reading a file failed: Nothing more came within 0 seconds.`,
      });
      expect([isCancelled(), files.countFaults()]).toEqual([true, 1]);
    });

    test("and breaks off says so too", async () => {
      const { files } = openPart((controller) => controller.error(new Error("terminated")), 10_000);
      await expect(buffer(await openFile(files))).rejects.toThrow("Reading a file failed: terminated");
    });

    test("isn't taken for stalled while somebody reads slowly", async () => {
      const { files } = openPart((controller) => {
        controller.enqueue(rest);
        controller.close();
      }, 30);
      const stream = await openFile(files);
      const parts: Buffer[] = [];
      for await (const part of stream) {
        parts.push(part);
        // Longer than the limit, however long that takes here.
        await sleep(60);
      }
      expect(Buffer.concat(parts)).toEqual(Buffer.concat([first, rest]));
    });
  });

  test("or lacks the bucket, or refuses the key, says so and isn't taken for one without the file", async () => {
    const missing = s3Address.parse(service.url.replace("/site/", "/other/"));
    const files = openS3Files(missing).openStorage("files");
    await expect(files.open(toKey("ab"))).rejects.toThrow(
      "Make the bucket first, or correct its name in S3_URL.",
    );
    await expect(collect(files.list())).rejects.toThrow("NoSuchBucket");
    const stranger = openS3Files({ ...service.address, accessKeyId: "OTHER" }).openStorage("files");
    await expect(stranger.stat(toKey("ab"))).rejects.toThrow("403");
    await expect(stranger.open(toKey("ab"))).rejects.toThrow("Is the key in S3_URL right?");
  });
});

test("whose files the bucket's folder holds is said there, and is no file of the site", async () => {
  const bucket = openS3Files({ ...service.address, prefix: `${service.address.prefix}marked/` });
  expect(await bucket.mark.read()).toBeUndefined();
  await bucket.mark.write("a database");
  await bucket.mark.write("another one");
  expect(await bucket.mark.read()).toBe("another one");
  for (const name of ["files", "people", "pictures"])
    for await (const entry of bucket.openStorage(name).list()) expect(entry).toBeUndefined();
});
