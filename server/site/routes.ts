import * as z from "zod/mini";
import { toLanguage } from "#contract/languages.ts";
import { textPage } from "#contract/site.ts";
import { AppError } from "#server/http/errors.ts";
import { getApiLanguage } from "#server/http/request-language.ts";
import type { App } from "#server/http/zod-compiler.ts";
import type { SiteService } from "./service.ts";

/** `GET /api/pages/{slug}/`: what the browser's own navigation reads. Anything but `tr` is English, as for the CV. */
export function registerSiteRoutes(app: App, service: SiteService): void {
  app.get(
    "/api/pages/:slug/",
    {
      schema: {
        tags: ["site"],
        summary: "A page of text in one language",
        params: z.object({ slug: z.string() }),
        querystring: z.object({ lang: z.optional(z.unknown()) }),
        response: { 200: textPage },
      },
    },
    async (request) => {
      const { lang } = request.query;
      const language = lang === undefined ? getApiLanguage(request) : toLanguage(lang);
      const page = await service.getPage(request.params.slug, language);
      if (!page) throw new AppError("not_found");
      return page;
    },
  );
}
