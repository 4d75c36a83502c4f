import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { type Language, toLanguage } from "#contract/languages.ts";
import { type ChangeFeed, createChangeCache } from "#server/db/change-feed.ts";
import { sendPage } from "#server/http/caching.ts";
import { sendNotFound } from "#server/http/error-handler.ts";
import { createHtmlCache } from "#server/http/pages/html-cache.ts";
import { toOrigin } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import { buildLlms, buildManifest, buildRobots, buildSecurityTxt, buildSitemap } from "./machine-files.ts";
import type { DiscoveryService, Overview } from "./service.ts";

interface MachineFile {
  address: string;
  type: string;
  build(origin: string, getOverview: () => Promise<Overview>, lang: Language): string | Promise<string>;
}

const FILES: readonly MachineFile[] = [
  {
    address: "/sitemap.xml",
    type: "application/xml",
    build: async (origin, getOverview) => buildSitemap(origin, (await getOverview()).pages),
  },
  { address: "/robots.txt", type: "text/plain", build: buildRobots },
  {
    address: "/llms.txt",
    type: "text/plain",
    build: async (origin, getOverview) => buildLlms(origin, await getOverview()),
  },
  {
    address: "/manifest.webmanifest",
    type: "application/manifest+json",
    build: async (origin, getOverview, lang) => buildManifest(origin, (await getOverview()).site, lang),
  },
];

/** Anything but `tr` is English, so nothing here is refused. */
const query = z.object({ lang: z.optional(z.unknown()) });

/** Files at fixed addresses that search engines, language models and browsers look for. They are cached like pages. */
export function registerDiscoveryRoutes(
  app: App,
  deps: { discovery: DiscoveryService; feed: ChangeFeed; publicUrl: string | undefined; now: () => Date },
): void {
  const { discovery, feed, publicUrl, now } = deps;
  const cache = createHtmlCache(feed);
  // Apart from the files, because those are kept for each origin that a request names.
  const overviews = createChangeCache<Overview>(feed, 1);

  const getOverview = () =>
    overviews.get("overview", { models: discovery.models, load: discovery.getOverview });

  async function answer(file: MachineFile, lang: Language, request: FastifyRequest, reply: FastifyReply) {
    const origin = toOrigin(request, publicUrl);
    const page = await cache.get([file.address, origin, lang].join(" "), {
      models: discovery.models,
      status: 200,
      draw: async () => ({ html: await file.build(origin, getOverview, lang) }),
    });
    if (!page) throw new Error(`${file.address} was not built`);
    return sendPage(request, reply, page, { type: file.type });
  }

  app.get("/.well-known/security.txt", { schema: { hide: true } }, async (request, reply) => {
    const { site } = await getOverview();
    // Sample content shows an address that is nobody's.
    if (!site.email || site.has_sample) return sendNotFound(request, reply);
    const text = buildSecurityTxt(toOrigin(request, publicUrl), site.email, now());
    return reply.header("Cache-Control", "no-cache").type("text/plain; charset=utf-8").send(text);
  });
  // Where password managers lead people to (W3C, "A Well-Known URL for Changing Passwords").
  app.get("/.well-known/change-password", { schema: { hide: true } }, (_request, reply) =>
    reply.header("Cache-Control", "no-cache").redirect("/profile?dialog=password"),
  );

  for (const file of FILES) {
    app.get(file.address, { schema: { hide: true, querystring: query } }, (request, reply) =>
      answer(file, toLanguage(request.query.lang), request, reply),
    );
  }
}
