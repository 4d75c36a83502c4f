import * as z from "zod/mini";
import { toLanguage } from "#contract/languages.ts";
import { cv, hub } from "#contract/site/cv.ts";
import { sendNotFound } from "#server/http/error-handler.ts";
import { getApiLanguage, toOrigin } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import type { CvService } from "./service.ts";
import { buildVcard, toFileName } from "./vcard.ts";

/** Anything but `tr` is English (specification A section 2.4), so nothing here is refused. */
const query = z.object({ lang: z.optional(z.unknown()) });

/** The CV for pages, for other programs as JSON Resume, and for address books. Without `publicUrl` a card names the address that was asked. */
export function registerCvRoutes(app: App, service: CvService, publicUrl?: string): void {
  app.get(
    "/api/cv/",
    {
      schema: { tags: ["cv"], summary: "The CV in one language", querystring: query, response: { 200: cv } },
    },
    (request) => {
      const { lang } = request.query;
      return service.getCv(lang === undefined ? getApiLanguage(request) : toLanguage(lang));
    },
  );

  app.get(
    "/api/projects/",
    {
      schema: {
        tags: ["cv"],
        summary: "The projects of the developer hub in one language",
        querystring: query,
        response: { 200: hub },
      },
    },
    (request) => {
      const { lang } = request.query;
      return service.getHub(lang === undefined ? getApiLanguage(request) : toLanguage(lang));
    },
  );

  app.get(
    "/cv.json",
    { schema: { tags: ["cv"], summary: "The CV as a JSON Resume 1.x file", querystring: query } },
    async (request, reply) =>
      reply
        .type("application/json; charset=utf-8")
        .send(await service.getResume(toLanguage(request.query.lang))),
  );

  app.get(
    "/cv.vcf",
    { schema: { tags: ["cv"], summary: "The person as a vCard 3.0", querystring: query } },
    async (request, reply) => {
      const cv = await service.getCv(toLanguage(request.query.lang));
      // A card without a name is none.
      if (cv.name.trim() === "") return sendNotFound(request, reply);
      return reply
        .type("text/vcard; charset=utf-8")
        .header("Content-Disposition", `attachment; filename="${toFileName(cv.name)}.vcf"`)
        .send(buildVcard(cv, `${toOrigin(request, publicUrl)}/cv`));
    },
  );
}
