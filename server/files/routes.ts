import multipart from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { uploadAnswer } from "#contract/content/objects.ts";
import { LIMITS } from "#contract/limits.ts";
import { AppError } from "#server/base/errors.ts";
import type { Floor } from "#server/floor.ts";
import { requireActor, SIGNED_IN } from "#server/http/bearer.ts";
import { openStored, sendStored, setFileCaching } from "#server/http/caching.ts";
import { sendNotFound } from "#server/http/error-handler.ts";
import type { App } from "#server/http/zod.ts";
import { FILE_MODEL } from "#server/models/file-uses.ts";
import { PICTURE_TYPES } from "#server/models/kinds/file.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { createFileAccess, type FindReader } from "./access.ts";
import { createFileService, type FileAccess, type FileService, getMediaType } from "./service.ts";

/** A stored file is a document of its own: no script runs in it, nothing is loaded, whoever opens it. */
const FILE_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'; sandbox";

/**
 * Whether an answer may come from another address: of what somebody opens or fetches as a file, and not of what a page of ours embeds,
 * whose policy names this site alone. Drawings may hold scripts, which only our own policy stops.
 */
function isDownload(request: FastifyRequest, mediaType: string): boolean {
  const { accept, "sec-fetch-dest": dest } = request.headers;
  // Older browsers don't say what it is for, but which types they want in a picture's place.
  const meant = dest ?? (accept?.startsWith("image/") ? "image" : "document");
  return request.method === "GET" && meant === "document" && mediaType !== "image/svg+xml";
}

const ACCESS_TEXT =
  "For everybody while a row uses it that visitors see; else for who sees a row that uses it in the console.";

function readField(fields: Record<string, unknown>, name: string): string {
  const field = fields[name];
  const value = field && typeof field === "object" && "value" in field ? field.value : undefined;
  return typeof value === "string" ? value : "";
}

/** The parser's own faults (no boundary, an early end, a client that left) are the request's, not the server's. */
async function readBody<Answer>(reading: Promise<Answer>): Promise<Answer> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && "statusCode" in error) throw error; // Fastify's: the error handler knows them
    throw new AppError("malformed_body", { cause: error });
  }
}

/** What the field that a file is meant for accepts. The fields `model` and `field` come before `file` in the form. */
function findAccepted(
  registry: Registry,
  contentTypeId: string,
  fieldName: string,
  level: number,
): readonly string[] {
  const model = registry.byContentTypeId.get(Number(contentTypeId));
  const field = model?.fieldByName.get(fieldName);
  const takesFiles = field?.kind.holdsFile || field?.kind.embedsPictures;
  const isKnown = field && takesFiles && level >= field.viewLevel && level >= field.writeLevel;
  if (!model || !isKnown) throw new AppError("unknown_field", { vars: { field: fieldName } });
  const { create, update, delete: remove } = model.access;
  // A file that is to take another one's place is uploaded for the files themselves: that is for who may delete the other one.
  const levels = model.key === FILE_MODEL ? [remove] : [create, update];
  const needed = Math.min(...levels.map((known) => known ?? Number.POSITIVE_INFINITY));
  if (level < needed) throw new AppError("permission_denied");
  return field.kind.embedsPictures ? PICTURE_TYPES : field.accept;
}

/** Uploaded files: `GET /files/<key>` for who may open it, `POST /api/admin/files/` for staff. */
export async function openFiles(
  app: App,
  floor: Floor,
  { findReader }: { findReader: FindReader },
): Promise<{ files: FileService; access: FileAccess }> {
  const { pool, storage, registry, requireLevel } = floor;
  const { signFile } = floor.stores;
  const service = createFileService(
    pool,
    storage,
    () => registry.byKey.get("files.stored_file")?.contentTypeId ?? null,
  );
  const access = createFileAccess({ ...floor, findReader });
  await app.register(multipart, {
    limits: { fileSize: LIMITS.uploadMaxBytes, files: 1, fields: 5, fieldSize: 200 },
  });

  app.get(
    "/files/:key",
    {
      schema: {
        tags: ["files"],
        summary: "A stored file",
        description: ACCESS_TEXT,
        params: z.object({ key: z.string() }),
      },
    },
    async (request, reply) => {
      const { key } = request.params;
      const allowed = await access.find(request, key);
      const cacheControl = setFileCaching(reply, allowed);
      const mediaType = getMediaType(key);
      if (!allowed || !mediaType) return sendNotFound(request, reply);
      const disposition = `inline; filename="${key}"`;
      if (signFile && isDownload(request, mediaType) && (await service.stat(key))) {
        const address = await signFile(key, { mediaType, disposition });
        // It is good for minutes, and for this reader.
        return reply.header("Cache-Control", "private, no-store").redirect(address, 302);
      }
      const file = await openStored(request, key, {
        open: () => service.open(key),
        stat: () => service.stat(key),
      });
      if (!file) return sendNotFound(request, reply);
      reply.header("Content-Security-Policy", FILE_CSP).header("Content-Disposition", disposition);
      return sendStored(request, reply, { ...file, mediaType, version: key, cacheControl });
    },
  );

  app.post(
    "/api/admin/files/",
    {
      preHandler: requireLevel(ACCESS_LEVEL.admin),
      schema: {
        tags: ["files"],
        security: SIGNED_IN,
        summary: "Upload a file for a field",
        response: { 201: uploadAnswer },
      },
    },
    async (request, reply) => {
      const part = await readBody(request.file());
      if (!part) throw new AppError("validation_failed", { fields: [{ field: "file", code: "required" }] });
      const actor = requireActor(request);
      const accept = findAccepted(
        registry,
        readField(part.fields, "model"),
        readField(part.fields, "field"),
        actor.level,
      );
      const answer = await service.store(await readBody(part.toBuffer()), part.filename, accept, actor);
      return reply.code(201).send(answer);
    },
  );
  return { files: service, access };
}
