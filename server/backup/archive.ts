import { createHash, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { pipeline as connect, type Readable, Transform } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { type Entry, openPromise } from "yauzl";
import { ZipFile } from "yazl";
import { BackupError, MANIFEST_NAME } from "./manifest.ts";
import { readSigner, SIGNATURE_NAME } from "./signature.ts";

/** What went through a meter. */
export interface Measure {
  byte_size: number;
  sha256: string;
}

interface Watch {
  /** Gets how many bytes there are so far. */
  onBytes?(byteSize: number): void;
  onEnd?(measure: Measure): void;
}

/** Calls back; what the callee throws is the stream's fault. */
function attempt(work: () => void, done: (error: Error | null) => void): void {
  let fault: Error | null = null;
  try {
    work();
  } catch (error) {
    fault = error as Error; // ours: they throw errors
  }
  done(fault);
}

/** Passes bytes on, counts and hashes them. The observer may throw, which ends the stream. */
function createMeter(watch: Watch): Transform {
  const hash = createHash("sha256");
  let byteSize = 0;
  const stream: Transform = new Transform({
    highWaterMark: 256 * 1024,
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      byteSize += chunk.byteLength;
      attempt(() => {
        watch.onBytes?.(byteSize);
        stream.push(chunk);
      }, done);
    },
    flush: (done) => attempt(() => watch.onEnd?.({ byte_size: byteSize, sha256: hash.digest("hex") }), done),
  });
  return stream;
}

/** It holds passwords' hashes, keys and mails. */
const ARCHIVE_MODE = 0o600;
/** Compressed already. */
const PACKED = /\.(avif|jpe?g|pdf|png|webp|zip)$/;

/** A zip file that is being written aside, entry after entry. */
export interface ArchiveWriter {
  /** Takes a stream to its end. @throws what the stream or the disk threw */
  add(name: string, source: Readable): Promise<Measure>;
  /** Puts the whole archive at its place, over what was there. */
  finish(): Promise<void>;
  /** Removes what was written; after `finish` it does nothing. */
  discard(): Promise<void>;
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}

/** Writes beside `path`; a crash leaves at most a draft that ends with `.part`. `stop` ends the writing at any time. */
export function createArchive(path: string, createdAt: Date, stop?: AbortSignal): ArchiveWriter {
  const draft = `${path}.${randomBytes(4).toString("hex")}.part`;
  const zip = new ZipFile();
  const failure = new AbortController();
  const signal = stop ? AbortSignal.any([stop, failure.signal]) : failure.signal;
  // yazl says that its output is a PassThrough, and only types it wider.
  const written = pipeline(zip.outputStream, createWriteStream(draft, { flags: "wx", mode: ARCHIVE_MODE }), {
    signal,
  });
  // Whoever adds or finishes meanwhile gets the fault itself, for instance that the disk is full.
  written.catch((error: unknown) => failure.abort(error));
  zip.on("error", (error) => failure.abort(error));
  let isFinished = false;

  const guard = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
    try {
      return await work;
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    }
  };
  return {
    async add(name, source) {
      let measure: Measure | undefined;
      const meter = createMeter({
        onEnd(read) {
          measure = read;
        },
      });
      const options = { mtime: createdAt, mode: 0o100600, compress: !PACKED.test(name) };
      zip.addReadStream(meter, name, options);
      await guard(pipeline(source, meter, { signal }));
      if (!measure) throw new Error(`${name} did not come to its end`);
      return measure;
    },
    async finish() {
      zip.end();
      await guard(written);
      await flush(draft);
      await rename(draft, path);
      isFinished = true;
    },
    async discard() {
      if (isFinished) return;
      failure.abort(new Error("the archive was discarded"));
      await written.catch(() => undefined); // it is thrown away
      await rm(draft, { force: true });
    },
  };
}

/** More than the manifest of a million files. */
const MAX_MANIFEST_BYTES = 512 * 1024 * 1024;

/** A backup that is being read. */
export interface ArchiveReader {
  readManifest(): Promise<string>;
  /** Who signed it; undefined where nobody did. @throws BackupError where it was changed after that */
  readSigner(): Promise<string | undefined>;
  /** The bytes of an entry; the stream fails with a BackupError unless they are those that the manifest names. */
  open(name: string, expected: Measure): Promise<Readable>;
  close(): void;
}

function toDamage(path: string, error: unknown): BackupError {
  if (error instanceof BackupError) return error;
  const { code, message } = error as NodeJS.ErrnoException; // yauzl, zlib and the system throw errors
  if (code === "ENOENT") return new BackupError(`There is no file ${path}.`, { cause: error });
  if (code === "EACCES") return new BackupError(`${path} may not be read by this account.`, { cause: error });
  return new BackupError(`${path} is damaged or no backup: ${message}.`, { cause: error });
}

/** @throws BackupError when the file is no zip, or has lost its end. */
export async function openArchive(path: string): Promise<ArchiveReader> {
  const guard = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
    try {
      return await work;
    } catch (error) {
      throw toDamage(path, error);
    }
  };
  const zip = await guard(openPromise(path, { autoClose: false, strictFileNames: true }));
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  } catch (error) {
    zip.close();
    throw toDamage(path, error);
  }
  const requireEntry = (name: string): Entry => {
    const entry = entries.get(name);
    if (!entry) throw new BackupError(`${path} is damaged or no backup: ${name} is missing.`);
    return entry;
  };
  async function readSmall(name: string): Promise<Buffer> {
    const entry = requireEntry(name);
    if (entry.uncompressedSize > MAX_MANIFEST_BYTES)
      throw new BackupError(`${path} is no backup: its ${name} is too large.`);
    const bytes = await guard(zip.openReadStreamPromise(entry).then(buffer));
    // All else is checked against the manifest; these have the zip's own checksum, and the manifest its signature.
    if (crc32(bytes) !== entry.crc32)
      throw new BackupError(`${path} is damaged: its ${name} isn't what was written.`);
    return bytes;
  }
  return {
    readManifest: async () => (await readSmall(MANIFEST_NAME)).toString("utf8"),
    async readSigner() {
      const signature = entries.has(SIGNATURE_NAME) ? await readSmall(SIGNATURE_NAME) : undefined;
      return readSigner(await readSmall(MANIFEST_NAME), signature?.toString("utf8"));
    },
    async open(name, expected) {
      const source = await guard(zip.openReadStreamPromise(requireEntry(name)));
      const damaged = () => new BackupError(`${path} is damaged: ${name} isn't what the manifest says.`);
      const meter = createMeter({
        onBytes(byteSize) {
          if (byteSize > expected.byte_size) throw damaged();
        },
        onEnd({ byte_size, sha256 }) {
          if (byte_size !== expected.byte_size || sha256 !== expected.sha256) throw damaged();
        },
      });
      // A fault of the source reaches the reader through the meter, in our words.
      source.once("error", (error) => meter.destroy(toDamage(path, error)));
      return connect(source, meter, () => undefined);
    },
    close: () => zip.close(),
  };
}
