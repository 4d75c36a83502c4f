import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import {
  IMPORT_MAX_CHARS,
  importAnswer,
  importChoices,
  importList,
  newImport,
  undoAnswer,
} from "#contract/site/cv-import.ts";
import { takeSlot } from "#server/base/counters.ts";
import type { Floor } from "#server/floor.ts";
import { requireActor, SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import { type App, rowParams } from "#server/http/zod.ts";
import { createImportConsole } from "./console.ts";
import { createImportService } from "./service.ts";

/** Each file is read and compared with the whole CV. */
const FILES_RULE = { max: 30, windowMs: 10 * 60_000 };
/** A character of the text takes up to six bytes of JSON, but no file is all of them. */
const BODY_LIMIT = 2 * IMPORT_MAX_CHARS;

/**
 * The import of a CV from the console: a file becomes a draft with a plan, which is applied, and can be undone. `backUp` is called before
 * something is changed or removed, and gives the file's name, or undefined where the settings go without.
 */
export function openImports(
  app: App,
  floor: Floor,
  { backUp }: { backUp: () => Promise<string | undefined> },
): void {
  const { pool, registry, feed } = floor;
  const { publicUrl } = floor.config;
  const imports = createImportService({ pool, registry, publicUrl });
  const service = createImportConsole({ pool, registry, feed, imports, backUp });
  const files = floor.openCounter("cv_import.files", FILES_RULE);
  const onRequest = [noStore, floor.requireLevel(ACCESS_LEVEL.admin)];
  const about = { tags: ["cv"], security: SIGNED_IN };

  app.get(
    "/api/admin/cv-imports/",
    {
      onRequest,
      schema: { ...about, summary: "The newest imports of the CV", response: { 200: importList } },
    },
    async (request) => ({ results: await service.list(toCaller(request)) }),
  );

  app.post(
    "/api/admin/cv-imports/",
    {
      onRequest,
      bodyLimit: BODY_LIMIT,
      schema: {
        ...about,
        summary:
          "Read a JSON Resume file, or the zip of a LinkedIn data export, and say what it would change",
        description: "Writes nothing of the CV. A file with faults is refused with each of them.",
        body: newImport,
        response: { 201: importAnswer },
      },
    },
    async (request, reply) => {
      await takeSlot(files, String(requireActor(request).userId));
      return reply.code(201).send(await service.create(toCaller(request), request.body));
    },
  );

  app.get(
    "/api/admin/cv-imports/:id/",
    {
      onRequest,
      schema: {
        ...about,
        summary: "An import and, until it is applied, its plan",
        params: rowParams,
        response: { 200: importAnswer },
      },
    },
    (request) => service.read(toCaller(request), request.params.id),
  );

  app.post(
    "/api/admin/cv-imports/:id/answers/",
    {
      onRequest,
      schema: {
        ...about,
        summary: "Answer what a plan asks, and get the plan that follows",
        params: rowParams,
        body: importChoices,
        response: { 200: importAnswer },
      },
    },
    (request) => service.answer(toCaller(request), request.params.id, request.body),
  );

  app.post(
    "/api/admin/cv-imports/:id/apply/",
    {
      onRequest,
      schema: {
        ...about,
        summary: "Do what the plan says, after a backup where something is changed or removed",
        params: rowParams,
        body: z.object({ answers: importChoices, fingerprint: z.string() }),
        response: { 200: importAnswer },
      },
    },
    (request) => service.apply(toCaller(request), request.params.id, request.body),
  );

  app.post(
    "/api/admin/cv-imports/:id/undo/",
    {
      onRequest,
      schema: {
        ...about,
        summary: "Take the newest import back",
        description: "Rows that were changed since stay; without `is_partial` nothing is undone then.",
        params: rowParams,
        body: z.object({ is_partial: z.boolean() }),
        response: { 200: undoAnswer },
      },
    },
    (request) => service.undo(toCaller(request), request.params.id, request.body.is_partial),
  );
}
