import { pipeline as connect, type Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { type Entry, openPromise } from "yauzl";
import { createMeter, type Measure } from "./archive.ts";
import { BackupError } from "./backup-error.ts";
import { MANIFEST_NAME } from "./manifest.ts";

/** More than the manifest of a million files. */
const MAX_MANIFEST_BYTES = 512 * 1024 * 1024;

/** A backup that is being read. */
export interface ArchiveReader {
  readManifest(): Promise<string>;
  /** The bytes of an entry; the stream fails with a BackupError unless they are those that the manifest tells of. */
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
  return {
    async readManifest() {
      const entry = requireEntry(MANIFEST_NAME);
      if (entry.uncompressedSize > MAX_MANIFEST_BYTES)
        throw new BackupError(`${path} is no backup: its manifest is too large.`);
      const bytes = await guard(zip.openReadStreamPromise(entry).then(buffer));
      // All else is checked against the manifest; this one has the zip's own checksum.
      if (crc32(bytes) !== entry.crc32)
        throw new BackupError(`${path} is damaged: its manifest isn't what was written.`);
      return bytes.toString("utf8");
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
