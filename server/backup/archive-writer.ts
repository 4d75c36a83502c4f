import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { createMeter, type Measure } from "./archive.ts";

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
