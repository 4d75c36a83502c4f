import * as z from "zod/mini";
import { LANGUAGES, toLanguage } from "#contract/languages.ts";
import { textPage } from "#contract/site/site.ts";
import { AppError } from "#server/base/errors.ts";
import { CACHED_BRIEFLY, sendStored } from "#server/http/caching.ts";
import { sendNotFound } from "#server/http/error-handler.ts";
import { getApiLanguage } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import { buildLookStyle, getStyleVersion } from "./look.ts";
import type { SiteService } from "./service.ts";

/** `v` names the content; with another one than the present it is asked for again each time. */
const versioned = z.object({ v: z.optional(z.unknown()) });

/** An address that names its content. */
const NAMED = "public, max-age=31536000, immutable";

/**
 * `GET /api/pages/{slug}/`: what the browser's own navigation reads. Anything but `tr` is English, as for the CV.
 * `GET /look.css`: what makes the product's look the owner's; pages link to it where anything differs.
 * The icons of the site at the addresses where browsers look for them, of its name and accent.
 * `GET /preview/{lang}.jpg`: what a link to the site shows elsewhere; the photo in it can be taken away.
 */
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

  app.get("/look.css", { schema: { hide: true, querystring: versioned } }, async (request, reply) => {
    const style = buildLookStyle((await service.getAppearance()).look);
    const version = getStyleVersion(style);
    const etag = `"${version}"`;
    reply.header("Cache-Control", request.query.v === version ? NAMED : "no-cache").header("ETag", etag);
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    return reply.type("text/css; charset=utf-8").send(style);
  });

  for (const name of service.iconNames) {
    app.get(`/${name}`, { schema: { hide: true, querystring: versioned } }, async (request, reply) => {
      const { iconVersion: version, openIcon } = await service.getAppearance();
      const icon = await openIcon(name);
      if (!icon) return sendNotFound(request, reply);
      const cacheControl = request.query.v === version ? NAMED : "no-cache";
      return sendStored(request, reply, { ...icon, version, cacheControl });
    });
  }

  app.get(
    "/preview/:lang.jpg",
    {
      schema: {
        tags: ["site"],
        summary: "The picture of a link to the site",
        params: z.object({ lang: z.string() }),
        querystring: versioned,
      },
    },
    async (request, reply) => {
      const lang = LANGUAGES.find((known) => known === request.params.lang);
      const preview = lang && (await service.getPreview(lang));
      if (!preview) return sendNotFound(request, reply);
      const etag = `"${preview.version}"`;
      const isKnown = request.headers["if-none-match"] === etag;
      const picture = isKnown ? undefined : await preview.draw();
      if (!isKnown && !picture) return sendNotFound(request, reply);
      reply
        .header("Cache-Control", request.query.v === preview.version ? CACHED_BRIEFLY : "no-cache")
        .header("ETag", etag)
        .header("Cross-Origin-Resource-Policy", "cross-origin");
      return isKnown ? reply.code(304).send() : reply.type("image/jpeg").send(picture);
    },
  );
}
