import { saveFile } from "../../ui/save-file.ts";

/** Where the bytes of a download go. Nothing of it can be taken for a file before `save`. */
export interface FileSink {
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void>;
  /** SHA-256 in hex of what was written; undefined where the browser can't compute it or the file is too large to be read again. */
  hash(): Promise<string | undefined>;
  save(): Promise<void>;
  discard(): Promise<void>;
}

/** Above this, a file isn't copied once more to be hashed: its length is compared alone. */
const HASHED_BYTES_MAX = 64_000_000;

async function toHash(blob: Blob): Promise<string | undefined> {
  // Only on https and localhost.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (!subtle || blob.size > HASHED_BYTES_MAX) return undefined;
  const digest = await subtle.digest("SHA-256", await blob.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Keeps the file until it is whole, then hands it to the browser's downloads. */
export function createMemorySink(name: string, type: string, save = saveFile): FileSink {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const toBlob = () => new Blob(parts, { type });
  return {
    write: async (chunk) => void parts.push(chunk),
    hash: () => toHash(toBlob()),
    save: async () => save(toBlob(), name),
    discard: async () => void parts.splice(0),
  };
}

/** The part of the File System Access API that is used; TypeScript's library has no picker. */
interface WritableFile {
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

interface FileHandle {
  createWritable(): Promise<WritableFile>;
  getFile(): Promise<Pick<Blob, "size">>;
  /** Not in every browser that has the picker. */
  remove?(): Promise<void>;
}
type Picker = (options: { suggestedName: string }) => Promise<FileHandle>;

/** The picker has made an empty file, which looks like an export of nothing. */
async function removeEmpty(handle: FileHandle): Promise<void> {
  if ((await handle.getFile()).size === 0) await handle.remove?.();
}

/** Writes to disk as the bytes come: the browser keeps them in a file of its own until `save` puts it in place. */
function createDiskSink(handle: FileHandle, file: WritableFile): FileSink {
  return {
    write: (chunk) => file.write(chunk),
    hash: async () => undefined,
    save: () => file.close(),
    async discard() {
      // A writer that has failed is at its end already; what the picker has left behind goes all the same.
      await file.abort().catch(() => undefined);
      await removeEmpty(handle);
    },
  };
}

function getPicker(): Picker | undefined {
  const picker: unknown = Reflect.get(globalThis, "showSaveFilePicker");
  // What the name stands for is the standard's; there is nothing to parse.
  return typeof picker === "function" ? (picker as Picker) : undefined;
}

/**
 * Asks where a large file goes, where the browser can write there. Undefined: it can't, or may not here.
 * @throws DOMException AbortError when the person closes the dialog. Call it from a click.
 */
export async function pickDiskSink(name: string): Promise<FileSink | undefined> {
  const pick = getPicker();
  if (!pick) return undefined;
  try {
    const handle = await pick.call(globalThis, { suggestedName: name });
    return createDiskSink(handle, await handle.createWritable());
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    // In a frame or by a policy: the file goes to the downloads.
    return undefined;
  }
}
