import * as z from "zod/mini";
import { toLanguage } from "#contract/languages.ts";
import { cv, hub } from "#contract/site/cv.ts";
import { getApiLanguage } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import type { CvService } from "./service.ts";

/** Anything but `tr` is English (specification A section 2.4), so nothing here is refused. */
const query = z.object({ lang: z.optional(z.unknown()) });

/** The CV for pages, and for other programs as JSON Resume. */
export function registerCvRoutes(app: App, service: CvService): void {
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
}
