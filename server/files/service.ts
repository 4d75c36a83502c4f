import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { fileTypeFromBuffer } from "file-type";
import type pg from "pg";
import { findForeignFormat, nameFormats } from "#contract/content/file-formats.ts";
import type { UploadAnswer } from "#contract/content/objects.ts";
import { recordAudit } from "#server/audit/service.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { notifyChange } from "#server/db/change-notices.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { FILE_ENDINGS } from "#server/models/declared/stored-file.ts";
import { FILE_PREFIX, parseFileAddress } from "#server/models/kinds/file.ts";
import { clearFault, type FileStorage, hasFile, insertFile, lockKey } from "./store.ts";
import { stripMetadata } from "./strip/strip.ts";

/** The type that a key's ending stands for. */
export function getMediaType(key: string): string | undefined {
  const ending = key.slice(key.lastIndexOf(".") + 1);
  return Object.keys(FILE_ENDINGS).find((type) => FILE_ENDINGS[type] === ending);
}

/** What may stand before the root of an XML document, one at a time: each fails or matches in one pass. */
const PROLOG_PARTS = [/\s+/y, /<\?xml[^>]*\?>/iy, /<!--[\s\S]*?-->/y, /<!DOCTYPE[^>[]*(?:\[[^\]]*\])?>/iy];
const SVG_ROOT = /<svg[\s>]/iy;

/**
 * Whether a text is an XML document whose root is `svg`. Part by part, because one expression for a sequence of comments
 * tries every way to split them: 4 kB of `<!-- -->` held the process for minutes.
 */
function isSvg(text: string): boolean {
  const matchAt = (part: RegExp, index: number) => {
    part.lastIndex = index;
    return part.exec(text)?.[0].length ?? 0;
  };
  let at = 0;
  for (let length = -1; length !== 0; at += length) {
    length = PROLOG_PARTS.map((part) => matchAt(part, at)).find((found) => found > 0) ?? 0;
  }
  return matchAt(SVG_ROOT, at) > 0;
}

/** The type of a file by its bytes, never by its name; undefined when it is none of ours. */
export async function detectMediaType(content: Uint8Array): Promise<string | undefined> {
  const found = await detectAnyType(content);
  return found !== undefined && found in FILE_ENDINGS ? found : undefined;
}

async function detectAnyType(content: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(content);
  if (found && found.mime !== "application/xml") return found.mime;
  const head = new TextDecoder().decode(content.subarray(0, 4096));
  return isSvg(head) ? "image/svg+xml" : undefined;
}

/** Accepted types as errors name them, in both languages. */
function toAccepted(accept: readonly string[]) {
  return { en: nameFormats(accept, "en"), tr: nameFormats(accept, "tr") };
}

/** Why content isn't taken, in words, and with a way where there is one. */
function toTypeError(type: string | undefined, accept: readonly string[]): AppError {
  const format = type && findForeignFormat({ type });
  if (format === "HEIC") return new AppError("heic_file");
  const vars = { accept: toAccepted(accept) };
  return format
    ? new AppError("foreign_file", { vars: { ...vars, format } })
    : new AppError("unsupported_file", { vars });
}

/** @throws AppError picture_unreadable */
function stripOrRefuse(content: Buffer, mediaType: string): Buffer {
  try {
    return stripMetadata(content, mediaType);
  } catch (cause) {
    throw new AppError("picture_unreadable", { cause });
  }
}

const KEY_HASH_CHARS = 32;
const MAX_NAME_CHARS = 200;

/** Who may open which stored file (decision 26). */
export interface FileAccess {
  /**
   * Whether the request may have the file, or a picture of it: `public` where a row uses it that visitors see, `private` where the
   * person sees a row in the console that uses it, or nothing uses it. Undefined: as if it weren't there. A public file
   * costs no statement.
   */
  find(request: FastifyRequest, key: string): Promise<"public" | "private" | undefined>;
}

export interface FileService {
  /**
   * Stores content under its hash, pictures without their metadata; the same content twice is one file.
   * @throws AppError unsupported_file, heic_file, foreign_file, picture_unreadable
   */
  store(
    content: Buffer,
    name: string | undefined,
    accept: readonly string[],
    actor: Actor,
  ): Promise<UploadAnswer>;
  /** @throws AppError validation_failed at `field` when the address is no stored file of an accepted type. */
  checkAccepted(address: string, field: string, accept: readonly string[]): Promise<void>;
  open: FileStorage["open"];
  stat: FileStorage["stat"];
}

/** The last part of a name that a client gave, which may be none at all. */
function toSafeName(name: string | undefined): string {
  const base = (name ?? "").replaceAll("\\", "/").split("/").at(-1) ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const plain = base.replaceAll(/[\u0000-\u001f\u007f]/g, "").slice(0, MAX_NAME_CHARS);
  // The cut may leave half of a surrogate pair, which PostgreSQL's jsonb refuses.
  return plain.toWellFormed() || "file";
}

/** The name that content is stored under: its hash, with the ending of its type. */
export function toFileKey(content: Uint8Array, mediaType: string): string {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, KEY_HASH_CHARS);
  return `${hash}.${FILE_ENDINGS[mediaType]}`;
}

export function createFileService(
  pool: pg.Pool,
  storage: FileStorage,
  contentTypeId: () => number | null,
): FileService {
  return {
    async store(given, name, accept, actor) {
      const mediaType = await detectAnyType(given);
      if (!mediaType || !(mediaType in FILE_ENDINGS) || !accept.includes(mediaType))
        throw toTypeError(mediaType, accept);
      const content = stripOrRefuse(given, mediaType);
      const key = toFileKey(content, mediaType);
      const file = { key, name: toSafeName(name), mediaType, byteSize: content.byteLength };
      // Before the transaction: a slow store holds no connection. Whoever deleted the same content meanwhile took these bytes too.
      await storage.put(key, content);
      await withTransaction(pool, async (client) => {
        await lockKey(client, key);
        if (!(await storage.stat(key))) await storage.put(key, content);
        const id = await insertFile(client, { ...file, uploadedBy: actor.userId });
        if (id === undefined) {
          if (await clearFault(client, key)) await notifyChange(client, "files.stored_file");
          return;
        }
        await recordAudit(client, actor, {
          action: "CREATE",
          detail: "upload",
          contentTypeId: contentTypeId(),
          objectId: id,
          objectRepr: file.name,
          message: `Uploaded ${file.name}`,
        });
        await notifyChange(client, "files.stored_file");
      });
      return {
        url: `${FILE_PREFIX}${key}`,
        name: file.name,
        media_type: mediaType,
        byte_size: file.byteSize,
      };
    },

    async checkAccepted(address, field, accept) {
      const key = parseFileAddress(address) ?? "";
      if (!(await hasFile(pool, key)))
        throw new AppError("validation_failed", { fields: [{ field, code: "invalid_file" }] });
      if (!accept.includes(getMediaType(key) ?? "")) {
        throw new AppError("validation_failed", {
          fields: [
            {
              field,
              code: "unsupported_file",
              vars: { accept: toAccepted(accept) },
            },
          ],
        });
      }
    },

    open: (key) => storage.open(key),
    stat: (key) => storage.stat(key),
  };
}
