import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import type { ReadableStream } from "node:stream/web";
import type { S3mini } from "s3mini";
import { AppError } from "#server/base/errors.ts";
import { findRefusal, type S3Address, sayS3Fault, toS3Advice } from "#server/base/s3.ts";
import { type FileStorage, isFileKey, type StoredEntry, toStoredPath } from "./store.ts";

/** The bucket of the site's files can't be used now. The message is for the owner, without secrets; clients get the text of the code. */
export class FilesUnavailableError extends AppError {
  override name = "FilesUnavailableError";
  constructor(title: string, reason: string, cause?: unknown) {
    super("files_unavailable", { retryAfterS: PAUSE_MS / 1000, vars: { place: title, reason }, cause });
    this.message = `${title} (S3_URL): ${reason}`;
  }
}

class DamagedError extends Error {}

/** Until the answer begins. A file has 20 MB at most: what is sent has time by its size besides. */
const ANSWER_LIMIT_MS = 10_000;
const SLOWEST_BYTES_PER_MS = 64;
/** Between two parts of a file, while somebody waits for the next one. */
const STALL_LIMIT_MS = 30_000;
/** Once the service was away nobody waits for it, and nobody asks it, for so long; then one call tries. */
const PAUSE_MS = 5_000;
const PAGE = 1_000;
const SIGNED_S = 5 * 60;
const MD5 = /^[0-9a-f]{32}$/;

/** Refuses calls while the service is known to be away, so that requests neither pile up nor beat on it. */
function createGate(steadyMs: () => number) {
  let failed: { at: number; reason: string } | undefined;
  let isTrying = false;
  return {
    /** Undefined: go on. */
    findRefusal(): string | undefined {
      if (!failed) return undefined;
      if (isTrying || steadyMs() - failed.at < PAUSE_MS) return failed.reason;
      isTrying = true;
      return undefined;
    },
    noteAnswer(): void {
      failed = undefined;
      isTrying = false;
    },
    noteFailure(reason: string): void {
      failed = { at: steadyMs(), reason };
      isTrying = false;
    },
  };
}

/** How a bucket answers, as a test may change it. */
export interface S3Options {
  steadyMs?: () => number;
  fetch?: typeof fetch;
  answerLimitMs?: number;
  stallLimitMs?: number;
}

/** A bucket with the site's files, each storage below a name of its own. */
export interface S3Files {
  openStorage(name: string): FileStorage;
  /** How many calls failed so far. */
  countFaults(): number;
  /** An address for five minutes, at which the service answers with that type and that name. */
  sign(name: string, key: string, headers: { mediaType: string; disposition: string }): Promise<string>;
  mark: BucketMark;
}

/** Says whose files are in the bucket's folder: an object `site` in it. */
export interface BucketMark {
  /** Undefined: nobody has said so yet. */
  read(): Promise<string | undefined>;
  write(owner: string): Promise<void>;
}

const toHex = (content: Uint8Array) => createHash("md5").update(content).digest("hex");
/** With keys of AWS KMS or of the owner: such an ETag has the shape of an MD5 and is none. */
const isEncrypted = ({ headers }: Response) =>
  headers.get("x-amz-server-side-encryption")?.startsWith("aws:kms") ||
  headers.has("x-amz-server-side-encryption-customer-algorithm");
const stripQuotes = (text: string) => text.replaceAll(/^"|"$|&quot;/g, "");

/**
 * The body of an answer, whose faults are what `toFault` makes of them. A service that sends nothing for `limitMs` while it is read is cut
 * off; who reads slowly isn't, because nothing is asked of it meanwhile.
 */
function readBody(body: ReadableStream, limitMs: number, toFault: (error: unknown) => Error): Readable {
  const reader = body.getReader();
  let timer: NodeJS.Timeout | undefined;
  return new Readable({
    read() {
      timer = setTimeout(() => {
        const seconds = Math.round(limitMs / 1000);
        this.destroy(toFault(new Error(`Nothing more came within ${seconds} seconds.`)));
      }, limitMs);
      reader
        .read()
        .finally(() => clearTimeout(timer))
        .then(
          ({ done, value }) => this.push(done ? null : value),
          (error: unknown) => this.destroy(toFault(error)),
        );
    },
    destroy(error, done) {
      clearTimeout(timer);
      // It is given up: whether the service hears of it is its matter.
      reader.cancel().catch(() => undefined);
      done(error);
    },
  });
}

/** Its library is loaded with the first call. All calls reject with FilesUnavailableError. */
export function openS3Files(address: S3Address, options: S3Options = {}): S3Files {
  const { steadyMs = () => performance.now(), answerLimitMs = ANSWER_LIMIT_MS } = options;
  const { stallLimitMs = STALL_LIMIT_MS } = options;
  const { title, endpoint, region, accessKeyId, secretAccessKey, prefix } = address;
  const gate = createGate(steadyMs);
  const markPath = `${prefix}site`;
  let faults = 0;

  async function send(input: unknown, init: RequestInit | undefined): Promise<Response> {
    const bytes = init?.body instanceof Uint8Array ? init.body.byteLength : 0;
    const limitMs = answerLimitMs + bytes / SLOWEST_BYTES_PER_MS;
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new Error(`No answer came within ${Math.round(limitMs / 1000)} seconds.`)),
      limitMs,
    );
    try {
      // Not signed: a proxy may change it. Packed on the way a file would have another length than is said of it.
      const headers = { ...init?.headers, "accept-encoding": "identity" };
      const given = { ...init, headers, signal: late.signal };
      return await (options.fetch ?? fetch)(input as string, given);
    } finally {
      clearTimeout(timer);
    }
  }

  async function connect(): Promise<S3mini> {
    const library = await import("s3mini");
    const keys = { accessKeyId, secretAccessKey, endpoint, region };
    return new library.S3mini({
      ...keys,
      async fetch(input, init) {
        const response = await send(input, init);
        // The library takes every 404 for a file that isn't there.
        if (response.status !== 404 || init?.method !== "GET") return response;
        if (!(await response.clone().text()).includes("<Code>NoSuchBucket<")) return response;
        throw new library.S3ServiceError("no bucket", 404, "NoSuchBucket", "");
      },
    });
  }
  let connecting: Promise<S3mini> | undefined;

  async function attempt<Answer>(doing: string, work: (client: S3mini) => Promise<Answer>): Promise<Answer> {
    const away = gate.findRefusal();
    if (away !== undefined) {
      faults++;
      throw new FilesUnavailableError(title, away);
    }
    try {
      connecting ??= connect();
      const answer = await work(await connecting);
      gate.noteAnswer();
      return answer;
    } catch (error) {
      faults++;
      const reason = sayS3Fault(doing, error, "S3_URL");
      const refused = findRefusal(error);
      // Who refuses one call in words is there for the next one.
      if ((refused && refused.status < 500) || error instanceof DamagedError) gate.noteAnswer();
      else gate.noteFailure(reason);
      throw new FilesUnavailableError(title, reason, error);
    }
  }

  /**
   * The service compares what arrives with the MD5; one that doesn't shows by its ETag what arrived. An ETag may be something else though: so
   * nothing is called damaged, and taken away, that wasn't read back. What was there before under that name is gone by then.
   */
  async function putChecked(client: S3mini, path: string, content: Uint8Array): Promise<void> {
    const md5 = toHex(content);
    // The type knows x-amz-… alone; all that is given is signed and sent.
    const headers = { "content-md5": Buffer.from(md5, "hex").toString("base64") } as never;
    const response = await client.putObject(path, content, undefined, undefined, headers);
    await response.body?.cancel();
    const etag = stripQuotes(response.headers.get("etag") ?? "");
    if (!MD5.test(etag) || etag === md5 || isEncrypted(response)) return;
    const arrived = await openObject(client, path);
    if (arrived && toHex(await buffer(arrived.stream)) === md5) return;
    await client.deleteObject(path);
    throw new DamagedError("What arrived differs from what was sent.");
  }

  async function openObject(client: S3mini, path: string) {
    const response = await client.getObjectResponse(path);
    if (!response?.body) return undefined;
    const byteSize = Number(response.headers.get("content-length") ?? Number.NaN);
    if (Number.isNaN(byteSize)) {
      await response.body.cancel();
      throw new Error("The answer doesn't say how long it is.");
    }
    const toFault = (error: unknown) => {
      faults++;
      return new FilesUnavailableError(title, sayS3Fault("Reading a file", error, "S3_URL"), error);
    };
    // The global type and Node's describe one thing.
    return { stream: readBody(response.body as ReadableStream, stallLimitMs, toFault), byteSize };
  }

  async function statObject(client: S3mini, path: string): Promise<{ byteSize: number } | undefined> {
    try {
      return { byteSize: await client.getContentLength(path) };
    } catch (error) {
      const { cause = error } = error as Error; // the library wraps what it got
      if (findRefusal(cause)?.status === 404) return undefined;
      throw cause;
    }
  }

  async function* list(start: string): AsyncGenerator<StoredEntry> {
    let token: string | undefined;
    do {
      const from = token;
      const page = await attempt("Listing the bucket", async (client) => {
        const found = await client.listObjectsPaged("/", start, PAGE, from);
        if (!found) throw new Error(`There is no such bucket. ${toS3Advice("NoSuchBucket", "S3_URL")}`);
        return found;
      });
      for (const { Key, Size, LastModified, ETag } of page.objects ?? []) {
        const name = Key.slice(Key.lastIndexOf("/") + 1);
        // What else lies there is somebody else's.
        if (!isFileKey(name) || Key !== `${start}${toStoredPath(name)}`) continue;
        const md5 = stripQuotes(ETag);
        yield {
          name,
          byteSize: Number(Size),
          writtenAt: new Date(LastModified),
          md5: MD5.test(md5) ? md5 : undefined,
        };
      }
      token = page.nextContinuationToken;
    } while (token);
  }

  return {
    openStorage(name) {
      const start = `${prefix}${name}/`;
      const toPath = (key: string) => `${start}${toStoredPath(key)}`;
      return {
        async put(key, content) {
          const path = toPath(key);
          await attempt("Storing a file", (client) => putChecked(client, path, content));
        },
        open: async (key) =>
          isFileKey(key) ? attempt("Reading a file", (client) => openObject(client, toPath(key))) : undefined,
        stat: async (key) =>
          isFileKey(key) ? attempt("Finding a file", (client) => statObject(client, toPath(key))) : undefined,
        async delete(key) {
          const path = toPath(key);
          await attempt("Deleting a file", (client) => client.deleteObject(path));
        },
        list: () => list(start),
      };
    },
    countFaults: () => faults,
    mark: {
      async read() {
        const found = await attempt("Reading whose files they are", (client) => openObject(client, markPath));
        return found && text(found.stream);
      },
      write: (owner) =>
        attempt("Saying whose files they are", (client) => putChecked(client, markPath, Buffer.from(owner))),
    },
    sign: (name, key, { mediaType, disposition }) =>
      attempt("Signing an address", (client) =>
        client.getPresignedUrl("GET", `${prefix}${name}/${toStoredPath(key)}`, SIGNED_S, {
          "response-content-type": mediaType,
          "response-content-disposition": disposition,
          "response-cache-control": "private, no-store",
        }),
      ),
  };
}
