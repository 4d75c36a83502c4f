import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { FieldFault } from "#server/base/errors.ts";
import type { FileService } from "#server/files/service.ts";
import {
  MAX_PORTRAIT_PIXELS,
  PORTRAIT_SHAPES,
  type PortraitShape,
  readDimensions,
  type Size,
} from "./child/dimensions.ts";
import type { Drawer } from "./drawer.ts";

/** How people call the formats that `readDimensions` knows. */
const FORMATS = "JPEG, PNG, WebP, AVIF";

/** A storage like that of the files, with names of the same form, for what can't be drawn again. */
export interface PortraitStorage {
  put(key: string, content: Uint8Array): Promise<void>;
  open: FileService["open"];
  stat: FileService["stat"];
  delete(key: string): Promise<void>;
}

export interface Portraits {
  /**
   * Draws an upload anew, stores it under a random name and gives that; or says, as a fault of the field that is called like
   * the shape, why the upload is no picture. @throws AppError unavailable when too many wait.
   */
  store(shape: PortraitShape, upload: Buffer): Promise<{ key: string } | { fault: FieldFault }>;
  open: PortraitStorage["open"];
  stat: PortraitStorage["stat"];
  delete(keys: readonly string[]): Promise<void>;
}

/** Undefined: none of the formats. */
function findDimensions(upload: Buffer): Size | undefined {
  try {
    return readDimensions(upload);
  } catch {
    return undefined; // it says what is wrong with bytes that nobody promised to be a picture
  }
}

/** A photo of an iPhone, by the brand that its first box names (ISO/IEC 23008-12, annex B). */
function isHeic(upload: Buffer): boolean {
  return /^ftyp(hei[cxms]|hev[cxms]|mif1|msf1)/.test(upload.toString("latin1", 4, 12));
}

/** Not the content's hash: two people with the same picture have a file each, and nobody finds out what another one shows. */
function toRandomKey(): string {
  return `${randomUUID().replaceAll("-", "")}.webp`;
}

export function createPortraits({
  drawer,
  storage,
}: {
  drawer: Drawer;
  storage: PortraitStorage;
}): Portraits {
  return {
    async store(shape, upload) {
      const size = findDimensions(upload);
      if (!size && isHeic(upload)) return { fault: { field: shape, code: "heic_file" } };
      if (!size) return { fault: { field: shape, code: "unsupported_file", vars: { accept: FORMATS } } };
      if (size.width * size.height > MAX_PORTRAIT_PIXELS) {
        const vars = { width: size.width, height: size.height, max: MAX_PORTRAIT_PIXELS / 1e6 };
        return { fault: { field: shape, code: "picture_too_many_pixels", vars } };
      }
      const key = toRandomKey();
      const picture = await drawer.draw(key, { kind: "portrait", ...PORTRAIT_SHAPES[shape] }, async () => ({
        stream: Readable.from([upload]),
        byteSize: upload.byteLength,
      }));
      if (!picture) return { fault: { field: shape, code: "picture_unreadable" } };
      await storage.put(key, picture);
      return { key };
    },
    open: (key) => storage.open(key),
    stat: (key) => storage.stat(key),
    async delete(keys) {
      for (const key of keys) await storage.delete(key);
    },
  };
}
