import * as z from "zod/mini";
import { sendNotFound } from "#server/http/error-handler.ts";
import type { App } from "#server/http/zod-compiler.ts";
import { PICTURE_WIDTHS, type PictureService } from "./service.ts";

/** `GET /pictures/<key>/<width>.webp` for everybody: a smaller copy of a stored file's picture. */
export function registerPictureRoutes(app: App, pictures: PictureService): void {
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
      const picture = width && (await pictures.openThumbnail(key, width));
      if (!width || !picture) return sendNotFound(request, reply);
      const etag = `"${pictures.getThumbnailVersion(key, width)}"`;
      reply.header("Cache-Control", "public, max-age=31536000, immutable").header("ETag", etag);
      if (request.headers["if-none-match"] === etag) {
        picture.stream.destroy();
        return reply.code(304).send();
      }
      return reply.type("image/webp").header("Content-Length", picture.byteSize).send(picture.stream);
    },
  );
}
