import { createHash } from "node:crypto";
import { createSharedWork } from "#server/base/limits.ts";
import type { FileService } from "#server/files/service.ts";
import type { Drawer } from "./drawer.ts";
import type { ThumbnailJob } from "./job.ts";

/** Raised when thumbnails are drawn otherwise than before: those of an older number are not looked for any more. */
const DESIGN = 1;
const NAME_HASH_CHARS = 32;

/** What is drawn of a file with this ending. */
const TYPES: Readonly<Record<string, ThumbnailJob["type"]>> = {
  png: "photo",
  jpg: "photo",
  webp: "photo",
  svg: "svg",
  pdf: "pdf",
};

/** Where finished thumbnails are stored: a storage like that of the files, with names of the same form. */
export interface PictureStorage {
  put(name: string, content: Uint8Array): Promise<void>;
  open: FileService["open"];
  stat: FileService["stat"];
  delete(name: string): Promise<void>;
}

export interface Thumbnails {
  /** One that has been made, as long as its file is there. */
  open(key: string, width: number): ReturnType<FileService["open"]>;
  /** Its size alone. */
  stat(key: string, width: number): ReturnType<FileService["stat"]>;
  /** Makes one, unless it is there, and stores it. False: there is no such file, nothing is drawn of its kind, or it can't be drawn. */
  make(key: string, width: number): Promise<boolean>;
}

/** The name under which a thumbnail is stored: the same for the same file, width and way to draw. */
export function toThumbnailName(key: string, width: number): string {
  const hash = createHash("sha256").update(`${key} ${width} ${DESIGN}`).digest("hex");
  return `${hash.slice(0, NAME_HASH_CHARS)}.webp`;
}

export function createThumbnails(deps: {
  files: Pick<FileService, "open" | "stat">;
  storage: PictureStorage;
  drawer: Drawer;
}): Thumbnails {
  const { files, storage, drawer } = deps;
  const drawings = createSharedWork<boolean>();

  async function draw(key: string, type: ThumbnailJob["type"], width: number): Promise<boolean> {
    // Asked before it queues: addresses of no file, however many, keep nobody waiting.
    if (!(await files.stat(key))) return false;
    const name = toThumbnailName(key, width);
    if (await storage.stat(name)) return true;
    const picture = await drawer.draw(key, { kind: "thumbnail", type, width }, () => files.open(key));
    if (picture) await storage.put(name, picture);
    return picture !== undefined;
  }

  return {
    open: async (key, width) =>
      (await files.stat(key)) ? storage.open(toThumbnailName(key, width)) : undefined,
    stat: async (key, width) =>
      (await files.stat(key)) ? storage.stat(toThumbnailName(key, width)) : undefined,
    async make(key, width) {
      const type = TYPES[key.slice(key.lastIndexOf(".") + 1)];
      return (
        type !== undefined &&
        drawings.run(toThumbnailName(key, width), undefined, () => draw(key, type, width))
      );
    },
  };
}
