import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LANGUAGES, type Language } from "#contract/languages.ts";
import type { PageData, PageRequest, ScreenName } from "#contract/site/pages.ts";
import type { SiteInfo } from "#contract/site/site.ts";
import { type ChangeFeed, createChangeCache } from "../../db/change-feed.ts";
import { sendPage } from "../caching.ts";
import { sendNotFound } from "../error-handler.ts";
import { getPageLanguage, getRequestLanguage, toOrigin } from "../request.ts";
import type { App } from "../zod.ts";
import { type CacheFigures, createHtmlCache } from "./html-cache.ts";
import { fillTemplate, type PageAssets } from "./page-assets.ts";
import { INSTEAD_OF_REGISTER, type OwnAddresses, type PageDefinition } from "./page-definitions.ts";
import {
  ADMIN_PERMISSIONS,
  REPORTING_ENDPOINTS,
  toAdminCsp,
  toPublicCsp,
  toPublicPermissions,
} from "./policies.ts";

/** What every page shows of the site itself. */
export interface SiteSource {
  /** Keys of the models that `load` reads. */
  models: readonly string[];
  /** Those of them whose change counts as a change of the page, to search engines: a link in the footer is none. */
  datedBy: readonly string[];
  load(lang: Language): Promise<SiteInfo>;
  /** Tags of the heads that the site's look needs: of the public pages, and of the console's shell. */
  loadLook(): Promise<LookTags>;
  /** What an answer to one request shows where `load` or `loadLook` fails. */
  none: SiteInfo;
  noLook: LookTags;
}

export interface LookTags {
  page: string;
  console: string;
  /** Text of the style element among the page's; empty where there is none. */
  style: string;
}

/** Draws a page that is an answer to one request and never cached. */
export type AnswerOnce = (
  request: FastifyRequest,
  reply: FastifyReply,
  page: { path: string; prefix: PageRequest["prefix"]; status: number } & {
    /** In place of the language that the request asks for. */
    lang?: Language;
    load(lang: Language): Promise<PageData>;
  },
) => Promise<FastifyReply>;

/** Draws a page that isn't anybody's yet, as text: without scripts, and in a theme of the caller's choice. */
export type DrawDraft = (
  request: FastifyRequest,
  draft: { path: string; lang: Language; theme: "light" | "dark"; data: PageData },
) => Promise<string>;

/** The theme is what the first script would have set; links would only lead out of the frame. */
const toDraft = (html: string, theme: string) =>
  html
    .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "")
    .replace(/<link rel="modulepreload"[^>]*>/g, "")
    // The console's policy, which the frame inherits, takes links alone.
    .replace(/<style>[\s\S]*?<\/style>(<link rel="stylesheet"[^>]*) disabled>/g, "$1>")
    .replace("<html ", `<html data-theme="${theme}" class="${theme}" `)
    .replace("<head>", '<head><base target="_blank">');

const NOT_FOUND: PageDefinition = {
  screen: "not-found",
  path: "/not-found",
  models: [],
  load: async () => ({ screen: "not-found" }),
};

/** Pages × languages, with room for those that the owner made. */
const MAX_CONTENTS = 300;

const toToday = (now: Date) => now.toISOString().slice(0, 10);

/** Addresses that no page stands for, whatever a browser asks for. */
const NO_PAGE = /^\/(api|files|pictures|preview|assets|socket|voice)([/?]|$)/;
export const PREFIXES = ["", ...LANGUAGES.map((lang) => `/${lang}` as const)] as const;

/** Serves public pages, the console's shell, and the not-found page. @returns how other routes answer with a page, and how drafts are drawn. */
export function registerPages(
  app: App,
  deps: {
    assets: PageAssets;
    feed: ChangeFeed;
    site: SiteSource;
    definitions: readonly PageDefinition[];
    publicUrl: string | undefined;
    now: () => Date;
  },
): { answerOnce: AnswerOnce; drawDraft: DrawDraft; pageCache: CacheFigures } {
  const { assets, feed, site, definitions, publicUrl, now } = deps;
  // In development a page changes with its code too: none is cached.
  const cache = createHtmlCache(assets.isDevelopment ? { ...feed, isLive: () => false } : feed);
  // Apart from the pages, because those are cached for each origin that a request names.
  const contents = createChangeCache<{ data: PageData | null; info: SiteInfo }>(feed, MAX_CONTENTS);
  const looks = createChangeCache<LookTags>(feed, 1);
  /** The last one that was read: what is shown while it can't be asked for. */
  let lastLook = site.noLook;
  async function loadLook(): Promise<LookTags> {
    lastLook = await site.loadLook();
    return lastLook;
  }
  const getLook = () => looks.get("look", { models: site.models, load: loadLook });

  const setPolicy = (reply: FastifyReply, policy: string) => {
    if (assets.isDevelopment) {
      reply.removeHeader("Content-Security-Policy");
      return;
    }
    reply.header("Content-Security-Policy", policy).header("Reporting-Endpoints", REPORTING_ENDPOINTS);
  };
  /** The newest of each screen: with the look's own style. */
  const publicPolicies = new Map<ScreenName, { style: string; policy: string }>();
  async function buildPublicPolicy(screen: ScreenName, style: string): Promise<string> {
    const drawn: ScreenName[] = screen === "register" ? [screen, INSTEAD_OF_REGISTER] : [screen];
    const styles = await Promise.all(drawn.map((one) => assets.getStyles(one)));
    const inline = new Set(styles.flatMap((one) => one.inline));
    if (style) inline.add(style);
    return toPublicCsp(await assets.getTemplate("site", "/"), [...inline]);
  }
  /** `style`: the look's, as the page has it: a look that was saved meanwhile is the next page's. */
  async function setPublicPolicies(reply: FastifyReply, screen: ScreenName, style: string) {
    const known = publicPolicies.get(screen);
    const policy = known?.style === style ? known.policy : await buildPublicPolicy(screen, style);
    publicPolicies.set(screen, { style, policy });
    setPolicy(reply, policy);
    reply.header("Permissions-Policy", toPublicPermissions(screen));
  }

  async function drawPage(
    request: FastifyRequest,
    page: Omit<PageRequest, "site" | "origin" | "today">,
    info: SiteInfo,
    look: LookTags,
  ): Promise<string> {
    const [template, { render }, styles] = await Promise.all([
      assets.getTemplate("site", request.url),
      assets.getRenderer(),
      assets.getStyles(page.data.screen),
    ]);
    const today = toToday(now());
    const origin = toOrigin(request, publicUrl);
    const { head, body, state, modules = [] } = render({ ...page, origin, today, site: info });
    const links = assets.getModuleLinks?.(modules) ?? "";
    const slots = {
      lang: page.lang,
      head: `${head}\n${links}`,
      styles: styles.html,
      look: look.page,
      body,
      state,
    };
    return fillTemplate(template, slots);
  }

  async function answerPage(
    definition: PageDefinition,
    prefix: PageRequest["prefix"],
    status: number,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const lang = getPageLanguage(request, prefix);
    const { path, models } = definition;
    const key = [toOrigin(request, publicUrl), lang, prefix, path, toToday(now())].join(" ");
    const shown = [...models, ...site.models];
    const page = await cache.get(key, {
      models: shown,
      status,
      async draw() {
        const { data, info } = await contents.get(`${lang} ${path}`, {
          models: shown,
          async load() {
            const [data, info] = await Promise.all([definition.load(lang, path), site.load(lang)]);
            return { data, info };
          },
        });
        if (!data) return null;
        const shownPath = path.replace(/\/:.*$/, "");
        const look = await getLook();
        const html = await drawPage(request, { path: shownPath, prefix, lang, data }, info, look);
        return { html, style: look.style };
      },
    });
    if (!page) return answerPage(NOT_FOUND, prefix, 404, request, reply);
    await setPublicPolicies(reply, definition.screen, page.style);
    reply.header("Content-Language", lang);
    const vary = prefix === "" ? ["Accept-Language", "Cookie"] : [];
    return sendPage(request, reply, page, { type: "text/html", vary });
  }

  /** At an address that the owner made: its page, the way to where that is now, or what is said of no page at all. */
  async function answerOwnAddress(
    definition: PageDefinition & { addresses: OwnAddresses },
    prefix: PageRequest["prefix"],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { url } = request;
    const [, address = "", query = ""] = /^([^?]*?)\/?(\?.*)?$/.exec(url.slice(prefix.length + 1)) ?? [];
    const found = NO_PAGE.test(url) ? undefined : await definition.addresses.find(address);
    if (found === undefined) return answerMissing(request, reply);
    if (found === address)
      return answerPage({ ...definition, path: `/${found}` }, prefix, 200, request, reply);
    // Checked each time: the owner may take the old address away, or give it to another page.
    return reply.header("Cache-Control", "no-cache").redirect(`${prefix}/${found}${query}`, 301);
  }

  for (const definition of definitions) {
    const { addresses } = definition;
    for (const prefix of PREFIXES) {
      app.get(`${prefix}${definition.path}`, { schema: { hide: true } }, (request, reply) =>
        addresses
          ? answerOwnAddress({ ...definition, addresses }, prefix, request, reply)
          : answerPage(definition, prefix, 200, request, reply),
      );
    }
  }

  /** The look, without a wait for a database that is away: the console is there then too, and says so. */
  const findLook = async (request: FastifyRequest): Promise<LookTags> => {
    if (!feed.isLive()) return lastLook;
    return getLook().catch((error: unknown) => {
      request.log.error({ err: error }, "a page is answered in the look that was read last");
      return lastLook;
    });
  };

  async function answerAdmin(request: FastifyRequest, reply: FastifyReply) {
    const nonce = randomBytes(16).toString("base64url");
    const lang = getRequestLanguage(request);
    const template = await assets.getTemplate("admin", request.url);
    const html = fillTemplate(template, { lang, nonce, look: (await findLook(request)).console });
    setPolicy(reply, toAdminCsp(nonce));
    reply.header("Permissions-Policy", ADMIN_PERMISSIONS);
    return reply.type("text/html; charset=utf-8").header("Cache-Control", "no-store").send(html);
  }
  app.get("/admin", { schema: { hide: true } }, answerAdmin);
  app.get("/admin/*", { schema: { hide: true } }, answerAdmin);

  function answerMissing(request: FastifyRequest, reply: FastifyReply) {
    const isPage = (request.method === "GET" || request.method === "HEAD") && !NO_PAGE.test(request.url);
    if (!isPage) return sendNotFound(request, reply);
    const prefix = PREFIXES.find((known) => known !== "" && request.url.startsWith(`${known}/`)) ?? "";
    return answerPage(NOT_FOUND, prefix, 404, request, reply);
  }
  app.setNotFoundHandler(answerMissing);

  const drawDraft: DrawDraft = async (request, { path, lang, theme, data }) => {
    const [info, look] = await Promise.all([site.load(lang), getLook()]);
    const html = await drawPage(request, { path, prefix: `/${lang}`, lang, data }, info, look);
    return toDraft(html, theme);
  };

  const answerOnce: AnswerOnce = async (request, reply, { path, prefix, status, load, ...page }) => {
    const lang = page.lang ?? getPageLanguage(request, prefix);
    // It may hold what somebody typed: that is shown also where the site can't be read.
    const info = await site.load(lang).catch((error: unknown) => {
      request.log.error({ err: error }, "a page is answered without what the site says of itself");
      return site.none;
    });
    const data = await load(lang);
    const look = await findLook(request);
    const html = await drawPage(request, { path, prefix, lang, data }, info, look);
    await setPublicPolicies(reply, data.screen, look.style);
    reply.header("Cache-Control", "no-store").header("Content-Language", lang);
    return reply.code(status).type("text/html; charset=utf-8").send(html);
  };
  return { answerOnce, drawDraft, pageCache: cache.figures };
}
