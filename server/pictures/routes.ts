import * as z from "zod/mini";
import type { FileAccess, FileService } from "#server/files/service.ts";
import type { Floor } from "#server/floor.ts";
import { openStored, sendStored, setFileCaching } from "#server/http/caching.ts";
import { sendNotFound } from "#server/http/error-handler.ts";
import type { App } from "#server/http/zod.ts";
import type { DrawingProcess } from "./drawing-process.ts";
import { createPictureService, PICTURE_WIDTHS, type PictureService } from "./service.ts";

/** A cache on the way would show it for a year after its person took it away. */
const PORTRAIT_CACHE = "private, max-age=31536000, immutable";
/** It is a picture that the server drew; opened by itself it may do nothing all the same. */
const PORTRAIT_CSP = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

export interface PictureOptions {
  /** Where the process can't start them itself. */
  drawing?: DrawingProcess;
}

/** Smaller pictures of uploaded files, link previews and portraits, drawn by a child process. */
export function openPictures(
  app: App,
  floor: Floor,
  deps: PictureOptions & { files: Pick<FileService, "open" | "stat">; fileAccess: FileAccess },
): PictureService {
  const pictures = createPictureService({
    ...floor,
    ...deps,
    storage: floor.openStorage("pictures"),
    portraitStorage: floor.openStorage("people"),
  });
  app.addHook("onClose", pictures.close);
  registerPictureRoutes(app, pictures, deps.fileAccess);
  return pictures;
}

/**
 * `GET /pictures/<key>/<width>.webp`, a smaller copy of a stored file's picture, for who may open the file; and for everybody
 * `GET /pictures/people/<key>`, a person's picture under a name that can't be guessed.
 */
export function registerPictureRoutes(app: App, pictures: PictureService, access: FileAccess): void {
  app.get(
    "/pictures/:key/:width.webp",
    {
      schema: {
        tags: ["files"],
        summary: "A smaller picture of a stored file",
        params: z.object({ key: z.string(), width: z.string() }),
      },
    },
    async (request, reply) => {
      const { key } = request.params;
      const width = PICTURE_WIDTHS.find((known) => String(known) === request.params.width);
      const allowed = await access.find(request, key);
      const cacheControl = setFileCaching(reply, allowed);
      if (!allowed || !width) return sendNotFound(request, reply);
      const version = pictures.getThumbnailVersion(key, width);
      const picture = await openStored(request, version, {
        open: () => pictures.openThumbnail(key, width),
        stat: () => pictures.statThumbnail(key, width),
      });
      if (!picture) return sendNotFound(request, reply);
      return sendStored(request, reply, {
        ...picture,
        mediaType: "image/webp",
        version,
        cacheControl,
      });
    },
  );

  app.get(
    "/pictures/people/:key",
    { schema: { tags: ["files"], summary: "A person's picture", params: z.object({ key: z.string() }) } },
    async (request, reply) => {
      const { key } = request.params;
      const picture = await openStored(request, key, {
        open: () => pictures.portraits.open(key),
        stat: () => pictures.portraits.stat(key),
      });
      if (!picture) return sendNotFound(request, reply);
      reply
        .header("Content-Security-Policy", PORTRAIT_CSP)
        .header("Cross-Origin-Resource-Policy", "cross-origin")
        .header("X-Content-Type-Options", "nosniff");
      return sendStored(request, reply, {
        ...picture,
        mediaType: "image/webp",
        version: key,
        cacheControl: PORTRAIT_CACHE,
      });
    },
  );
}
