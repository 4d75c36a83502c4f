import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { S3mini, S3ServiceError } from "s3mini";
import * as z from "zod";
import { type S3Address, sayS3Fault, toS3Advice } from "#server/base/s3.ts";
import { DRAFT, PROBE, type RemotePlace } from "./address.ts";
import { CALL_LIMIT_MS, STALL_LIMIT_MS, type WatchProgress, watchProgress } from "./progress.ts";

const PART_BYTES = 16 * 1024 * 1024;
/** S3 takes no more of one file. */
const PARTS_MAX = 10_000;
const ATTEMPTS = 3;
/** Of putting the parts together, which large files take minutes for. */
const JOIN_LIMIT_MS = 15 * 60_000;
/** Of a whole file, which somebody waits for and can end. */
const DOWNLOAD_LIMIT_MS = 24 * 60 * 60_000;

async function attempt<Answer>(
  doing: string,
  work: () => Promise<Answer>,
  stop?: AbortSignal,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw stop?.aborted
      ? new Error("It was stopped.", { cause: error })
      : new Error(sayS3Fault(doing, error, "BACKUP_TO"), { cause: error });
  }
}

const uploadEntry = z.object({ Key: z.string(), UploadId: z.string() });
/** As the service answers; without any the list is empty text. */
const uploadList = z.object({
  ListMultipartUploadsResult: z
    .object({ Upload: z.union([uploadEntry, z.array(uploadEntry)]).optional() })
    .or(z.string().transform(() => ({ Upload: undefined }))),
});

interface Upload {
  key: string;
  uploadId: string;
}

/** Uploads below a prefix that were begun and not ended; none where the service has no such list. */
async function listUploads(client: S3mini, prefix: string): Promise<Upload[]> {
  try {
    const answer = await client.listMultipartUploads("/", prefix, "GET", { prefix });
    const { Upload: found = [] } = uploadList.parse(answer).ListMultipartUploadsResult;
    return [found].flat().map(({ Key, UploadId }) => ({ key: Key, uploadId: UploadId }));
  } catch (error) {
    if (error instanceof S3ServiceError && [404, 405, 501].includes(error.status)) return [];
    throw error;
  }
}

/** Bytes that say when `fetch` takes a piece of them to the line. */
class WatchedBlob extends Blob {
  readonly #moved: () => void;
  constructor(bytes: Blob, moved: () => void) {
    super([bytes]);
    this.#moved = moved;
  }
  override stream(): ReturnType<Blob["stream"]> {
    const moved = this.#moved;
    const note = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        moved();
        controller.enqueue(piece);
      },
    });
    return super.stream().pipeThrough(note);
  }
}

interface Line {
  /** A client whose requests end with the signal. */
  connect(signal: AbortSignal): S3mini;
  watch: WatchProgress;
}

/** The service compares the part with its MD5 before it takes it. However slow the line is: only one that moves nothing is given up. */
async function sendPart(
  { connect, watch: openWatch }: Line,
  { key, uploadId }: Upload,
  { number, bytes, md5 }: { number: number; bytes: Blob; md5: string },
  stop: AbortSignal,
): Promise<Awaited<ReturnType<S3mini["uploadPart"]>>> {
  for (let trial = 1; ; trial++) {
    const watch = openWatch(STALL_LIMIT_MS);
    try {
      // The type knows x-amz-… alone; all that is given is signed and sent.
      const headers = { "content-md5": md5 } as never;
      const client = connect(AbortSignal.any([stop, watch.signal]));
      const watched = new WatchedBlob(bytes, watch.moved);
      return await client.uploadPart(key, uploadId, watched, number, {}, undefined, headers);
    } catch (error) {
      if (trial >= ATTEMPTS || stop.aborted) throw error;
    } finally {
      watch.close();
    }
  }
}

/** Parts are read from the disk as they are sent: none is in memory. */
async function sendFile(line: Line, upload: Upload, file: string, stop: AbortSignal): Promise<void> {
  const source = await openAsBlob(file);
  const partBytes = Math.max(PART_BYTES, Math.ceil(source.size / PARTS_MAX));
  const parts: Awaited<ReturnType<typeof sendPart>>[] = [];
  for (let start = 0; start < source.size; start += partBytes) {
    const end = Math.min(start + partBytes, source.size);
    const hash = createHash("md5");
    await pipeline(createReadStream(file, { start, end: end - 1 }), hash, { signal: stop });
    const part = { number: parts.length + 1, bytes: source.slice(start, end), md5: hash.digest("base64") };
    parts.push(await sendPart(line, upload, part, stop));
  }
  const client = line.connect(AbortSignal.any([stop, AbortSignal.timeout(JOIN_LIMIT_MS)]));
  await client.completeMultipartUpload(upload.key, upload.uploadId, parts);
}

/** A bucket as a place for backups. */
export function openS3(address: S3Address, watch = watchProgress): RemotePlace {
  const { title, endpoint, region, accessKeyId, secretAccessKey, prefix } = address;
  const keys = { accessKeyId, secretAccessKey, endpoint, region };
  const connect = (signal: AbortSignal) =>
    new S3mini({ ...keys, fetch: (input, init) => fetch(input, { ...init, signal }) });
  const client = new S3mini({
    ...keys,
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(CALL_LIMIT_MS) }),
  });

  /** Below the prefix and not below a folder in it. */
  async function listFiles(start: string): Promise<{ name: string; size: number }[]> {
    const found = await attempt("Listing the bucket", () => client.listObjects("/", `${prefix}${start}`));
    if (!found) throw new Error(`There is no such bucket. ${toS3Advice("NoSuchBucket", "BACKUP_TO")}`);
    return found
      .map(({ Key, Size }) => ({ name: Key.slice(prefix.length), size: Number(Size) }))
      .filter(({ name }) => name !== "" && !name.includes("/"));
  }
  const sizeOf = async (name: string) => (await listFiles(name)).find((file) => file.name === name)?.size;

  return {
    title,
    async put(file, name, stop) {
      const { size } = await stat(file);
      const former = await sizeOf(name);
      if (former === size) return;
      if (former !== undefined)
        throw new Error(`Another ${name} is there already. Give each site a folder of its own.`);
      const key = `${prefix}${name}`;
      await attempt(
        "The copy",
        async () => {
          const opener = connect(AbortSignal.any([stop, AbortSignal.timeout(CALL_LIMIT_MS)]));
          const uploadId = await opener.getMultipartUploadId(key, "application/zip");
          await sendFile({ connect, watch }, { key, uploadId }, file, stop).catch(async (error: unknown) => {
            // What is left there costs money. Where it can't be taken away now, the next rotation does it.
            await client.abortMultipartUpload(key, uploadId).catch(() => undefined);
            throw error;
          });
        },
        stop,
      );
      const arrived = await sizeOf(name);
      if (arrived !== size) throw new Error(`Of ${size} bytes ${arrived ?? 0} arrived.`);
    },
    async list() {
      const files = await listFiles("");
      const uploads = await attempt("Listing the bucket", () => listUploads(client, prefix));
      const drafts = new Set(uploads.map(({ key }) => `${key.slice(prefix.length)}${DRAFT}`));
      return [...files.map(({ name }) => name), ...drafts];
    },
    async remove(name) {
      await attempt("The removal", async () => {
        if (!name.endsWith(DRAFT)) return void (await client.deleteObject(`${prefix}${name}`));
        const key = `${prefix}${name.slice(0, -DRAFT.length)}`;
        for (const upload of await listUploads(client, key))
          if (upload.key === key) await client.abortMultipartUpload(key, upload.uploadId);
      });
    },
    async fetch(name, file, stop) {
      await attempt(
        "The download",
        async () => {
          const signal = AbortSignal.any([stop, AbortSignal.timeout(DOWNLOAD_LIMIT_MS)]);
          const answer = await connect(signal).getObjectResponse(`${prefix}${name}`);
          if (!answer?.body) throw new Error(`There is no ${name}.`);
          await pipeline(answer.body, createWriteStream(file));
        },
        stop,
      );
    },
    async check() {
      const key = `${prefix}${PROBE}`;
      await attempt("Writing there", () =>
        client.putObject(key, "Foyer looked whether it can write here.\n"),
      );
      await attempt("Deleting there", () => client.deleteObject(key));
      await listFiles(PROBE);
      await attempt("Listing unfinished uploads", () => listUploads(client, prefix));
    },
  };
}
