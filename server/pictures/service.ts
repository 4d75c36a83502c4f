import type { Logger } from "pino";
import type { PictureSize } from "#contract/site/cv.ts";
import type { FileService } from "#server/files/service.ts";
import { FILE_PREFIX } from "#server/models/kinds/file.ts";
import { createDrawer } from "./drawer.ts";
import { createDrawingProcess, type DrawingProcess } from "./drawing-process.ts";
import { createPortraits, type PortraitStorage, type Portraits } from "./portraits.ts";
import { createPreviews, getPreviewVersion, type PreviewContent } from "./previews.ts";
import { createThumbnails, type PictureStorage, toThumbnailName } from "./thumbnails.ts";

/** Widths in pixels that a file's picture exists in. */
export const PICTURE_WIDTHS = [192, 384, 768] as const;
export type PictureWidth = (typeof PICTURE_WIDTHS)[number];

/** Where smaller copies of a file's picture are: `/pictures/<hash>.<ending>/<width>.webp`. They are made when first asked for. */
export function getPictureSizes(file: string): PictureSize[] {
  const key = file.slice(FILE_PREFIX.length);
  return PICTURE_WIDTHS.map((width) => ({ src: `/pictures/${key}/${width}.webp`, width }));
}

export interface PictureService {
  /**
   * A WebP, made when it isn't there yet. Undefined: there is no such file, or no picture of it can be drawn.
   * @throws AppError unavailable when too many pictures are asked for at once.
   */
  openThumbnail(key: string, width: PictureWidth): ReturnType<FileService["open"]>;
  /** Another text whenever the thumbnail would be another one. */
  getThumbnailVersion(key: string, width: PictureWidth): string;
  /** A JPEG of 1200 × 630 pixels; undefined when it can't be drawn. @throws AppError unavailable as above. */
  drawPreview(content: PreviewContent): Promise<Uint8Array | undefined>;
  /** Another text whenever the preview would be another one. */
  getPreviewVersion(content: PreviewContent): string;
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
  openFile: FileService["open"];
  storage: PictureStorage;
  portraitStorage: PortraitStorage;
  log: Pick<Logger, "warn">;
  now: () => Date;
  drawing?: DrawingProcess;
}): PictureService {
  const { openFile, storage, portraitStorage, log, now, drawing = createDrawingProcess() } = deps;
  const drawer = createDrawer({ drawing, log, now });
  const thumbnails = createThumbnails({ openFile, storage, drawer });
  const previews = createPreviews({ thumbnails, drawer });
  return {
    async openThumbnail(key, width) {
      const known = await thumbnails.open(key, width);
      if (known) return known;
      return (await thumbnails.make(key, width)) ? thumbnails.open(key, width) : undefined;
    },
    getThumbnailVersion: toThumbnailName,
    drawPreview: previews.draw,
    getPreviewVersion,
    async forget(key) {
      for (const width of PICTURE_WIDTHS) await storage.delete(toThumbnailName(key, width));
    },
    portraits: createPortraits({ drawer, storage: portraitStorage }),
    close: drawing.close,
  };
}
