import type { Readable } from "node:stream";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { PictureSize } from "#contract/site/cv.ts";
import { AppError } from "#server/base/errors.ts";
import type { FileService } from "#server/files/service.ts";
import { FILE_PREFIX } from "#server/models/kinds/file.ts";
import { readDimensions } from "./child/dimensions.ts";
import { createDrawer } from "./drawer.ts";
import { createDrawingProcess, type DrawingProcess } from "./drawing-process.ts";
import { createIcons, type Icons } from "./icons.ts";
import { createPortraits, type PortraitStorage, type Portraits } from "./portraits.ts";
import { createPreviews, getPreviewVersion, type PreviewContent } from "./previews.ts";
import { createThumbnails, type PictureStorage, toThumbnailName } from "./thumbnails.ts";

/** Widths in pixels that a file's picture exists in. */
export const PICTURE_WIDTHS = [192, 384, 768, 1536] as const;
export type PictureWidth = (typeof PICTURE_WIDTHS)[number];

/** What cards and portraits are shown in, and what a column of text is. */
const CARD_WIDTHS = [192, 384, 768] as const;
const PAGE_WIDTHS = [384, 768, 1536] as const;
/** What a page's column takes of a picture, in CSS pixels: its place is that of this copy. */
const COLUMN_WIDTH = 768;
const KNOWN_SIZES_MAX = 1000;
/** The header of a WebP says its size; a JPEG may have other things in front of it. */
const HEADER_BYTES = 64;
const JPEG_HEADER_BYTES = 256 * 1024;

const toCopies = (file: string, widths: readonly PictureWidth[]): PictureSize[] =>
  widths.map((width) => ({ src: `/pictures/${file.slice(FILE_PREFIX.length)}/${width}.webp`, width }));

/** Where smaller copies of a file's picture are: `/pictures/<hash>.<ending>/<width>.webp`. They are made when first asked for. */
export const getPictureSizes = (file: string): PictureSize[] => toCopies(file, CARD_WIDTHS);

/** The same for a picture in a text: those that fill its column, on every screen. */
export const getPagePictures = (file: string): PictureSize[] => toCopies(file, PAGE_WIDTHS);

async function readStart(stream: Readable, byteCount: number): Promise<Buffer> {
  let start = Buffer.alloc(0);
  // Leaving the loop closes the file.
  for await (const chunk of stream) {
    start = Buffer.concat([start, chunk]);
    if (start.length >= byteCount) break;
  }
  return start;
}

/** Takes away what was drawn of a file. */
export async function forgetDrawn(storage: Pick<PictureStorage, "delete">, key: string): Promise<void> {
  for (const width of PICTURE_WIDTHS) await storage.delete(toThumbnailName(key, width));
}

/** A picture as a page's column shows it. */
export interface DrawnSize {
  width: number;
  height: number;
  /** Its smaller copies can be had; else the file itself is shown. */
  hasCopies: boolean;
}

export interface PictureService {
  /**
   * A WebP, made when it isn't there yet. Undefined: there is no such file, or no picture of it can be drawn.
   * @throws AppError unavailable when too many pictures are asked for at once.
   */
  openThumbnail(key: string, width: PictureWidth): ReturnType<FileService["open"]>;
  /** The size of one that has been made. */
  statThumbnail(key: string, width: PictureWidth): ReturnType<FileService["stat"]>;
  /**
   * The size of a file's picture as a page's column shows it, turned as it is drawn, at most 768 pixels wide. Where it can't be drawn
   * for now it is as the file says. Undefined: there is no such file, or it is no picture that says its size. `away`: nobody knows,
   * because files can't be had now.
   */
  getDrawnSize(key: string): Promise<DrawnSize | "away" | undefined>;
  /** Another text whenever the thumbnail would be another one. */
  getThumbnailVersion(key: string, width: PictureWidth): string;
  /** A JPEG of 1200 × 630 pixels; undefined when it can't be drawn. @throws AppError unavailable as above. */
  drawPreview(content: PreviewContent): Promise<Uint8Array | undefined>;
  /** Another text whenever the preview would be another one. */
  getPreviewVersion(content: PreviewContent): string;
  /** What stands for the site in tabs and on home screens. */
  icons: Icons;
  /** Takes away what was drawn of a file that is gone. */
  forget(key: string): Promise<void>;
  /** What people upload of themselves. */
  portraits: Portraits;
  /** Ends what draws; resolves when it is gone. */
  close(): Promise<void>;
}

/**
 * Draws in a process of its own. `storage` keeps what was drawn of files; it may be emptied at any time. `portraitStorage`
 * keeps what people uploaded: there is no other copy.
 */
export function createPictureService(deps: {
  files: Pick<FileService, "open" | "stat">;
  storage: PictureStorage;
  portraitStorage: PortraitStorage;
  log: Pick<Logger, "warn">;
  now: () => Date;
  drawing?: DrawingProcess;
}): PictureService {
  const { files, storage, portraitStorage, log, now, drawing = createDrawingProcess() } = deps;
  const drawer = createDrawer({ drawing, log, now });
  const thumbnails = createThumbnails({ files, storage, drawer });
  const previews = createPreviews({ thumbnails, drawer });
  // A file never changes under its key.
  const sizes = new LRUCache<string, DrawnSize>({ max: KNOWN_SIZES_MAX });

  /** A page is drawn also while its files can't be reached. */
  function forgo(error: unknown): "away" {
    if (!(error instanceof AppError) || error.code !== "files_unavailable") throw error;
    return "away";
  }

  async function openThumbnail(key: string, width: PictureWidth) {
    const known = await thumbnails.open(key, width);
    if (known) return known;
    return (await thumbnails.make(key, width)) ? thumbnails.open(key, width) : undefined;
  }

  async function readCopySize(key: string): Promise<DrawnSize | undefined> {
    const picture = await openThumbnail(key, COLUMN_WIDTH).catch((error: unknown) => {
      log.warn({ err: error, key }, "a picture of a page is shown as it was uploaded");
      return undefined;
    });
    if (!picture) return undefined;
    const size = { ...readDimensions(await readStart(picture.stream, HEADER_BYTES)), hasCopies: true };
    sizes.set(key, size);
    return size;
  }

  async function readFileSize(key: string): Promise<DrawnSize | undefined> {
    const file = await files.open(key);
    if (!file) return undefined;
    const start = await readStart(file.stream, JPEG_HEADER_BYTES);
    try {
      const { width, height } = readDimensions(start);
      const scale = Math.min(1, COLUMN_WIDTH / width);
      return { width: Math.round(width * scale), height: Math.round(height * scale), hasCopies: false };
    } catch {
      return undefined; // a drawing, or no picture: it says no size in pixels
    }
  }

  return {
    openThumbnail,
    statThumbnail: thumbnails.stat,
    getDrawnSize: async (key) =>
      sizes.get(key) ?? (await readCopySize(key)) ?? readFileSize(key).catch(forgo),
    getThumbnailVersion: toThumbnailName,
    drawPreview: previews.draw,
    getPreviewVersion,
    icons: createIcons({ storage, drawer }),
    forget: (key) => forgetDrawn(storage, key),
    portraits: createPortraits({ drawer, storage: portraitStorage }),
    close: drawing.close,
  };
}
