import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { Language } from "#contract/languages.ts";
import { pageDraft, pageStart, startedPage } from "#contract/site/page-draft.ts";
import { AppError } from "#server/base/errors.ts";
import type { ContentService } from "#server/content/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import { SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import type { DrawDraft } from "#server/http/pages/pages.ts";
import type { App } from "#server/http/zod.ts";
import type { Floor } from "../floor.ts";
import { PAGE_MODEL, type SiteService } from "./service.ts";
import { type PageRow, selectTaken } from "./store.ts";

const FOLDER = join(import.meta.dirname, "starts");
/** A page of one start, and further ones. */
const SLUG_TRIES = 100;

/** The text of a start, from `<name>.<lang>.md`: its first line is the title. */
async function readStart(name: string, lang: Language) {
  const text = await readFile(join(FOLDER, `${name}.${lang}.md`), "utf8");
  const [heading = "", ...lines] = text.split("\n");
  return { title: heading.replace(/^# /, ""), body: lines.join("\n").trim() };
}

async function readSides(name: string): Promise<Pick<PageRow, "title" | "body">> {
  const [en, tr] = await Promise.all([readStart(name, "en"), readStart(name, "tr")]);
  return { title: { en: en.title, tr: tr.title }, body: { en: en.body, tr: tr.body } };
}

/** The start's own address, or with a number the next that no page has or had. */
async function findFreeSlug(db: Queryable, name: string): Promise<string> {
  const slugs = Array.from({ length: SLUG_TRIES }, (_, index) =>
    index === 0 ? name : `${name}-${index + 1}`,
  );
  const taken = new Set(await selectTaken(db, slugs));
  const free = slugs.find((slug) => !taken.has(slug));
  if (free === undefined)
    throw new AppError("conflict", { fields: [{ field: "slug", code: "already_taken" }] });
  return free;
}

/** Whoever opens the answer by itself has a document in which nothing runs and nothing is loaded. */
const DRAFT_CSP = "default-src 'none'; sandbox";

/**
 * `POST /api/admin/pages/starts/`: a page to begin with, which nobody sees until its owner shows it.
 * `POST /api/admin/pages/preview/`: what is typed and not saved, as the page that visitors would get: the same renderer, the same
 * styles, without scripts. The console shows it in a sandboxed frame.
 */
export function registerDraftRoutes(
  app: App,
  deps: Pick<Floor, "pool" | "registry" | "requireLevel" | "now"> & {
    content: Pick<ContentService, "create">;
    toDraftPage: SiteService["toDraftPage"];
    drawDraft: DrawDraft;
  },
): void {
  const { pool, registry, content, requireLevel, now, toDraftPage, drawDraft } = deps;
  app.post(
    "/api/admin/pages/starts/",
    {
      preHandler: requireLevel(ACCESS_LEVEL.admin),
      schema: {
        tags: ["site"],
        security: SIGNED_IN,
        summary: "A new page, hidden, with a text to be filled in",
        body: pageStart,
        response: { 201: startedPage },
      },
    },
    async (request, reply) => {
      const { start } = request.body;
      const contentTypeId = registry.byKey.get(PAGE_MODEL)?.contentTypeId;
      if (contentTypeId === undefined) throw new AppError("model_not_found");
      const slug = await findFreeSlug(pool, start);
      const shown_in = start === "impressum" ? "footer" : "bar";
      const values = { slug, ...(await readSides(start)), shown_in, is_hidden: true };
      const { record } = await content.create(contentTypeId, values, toCaller(request));
      return reply.code(201).send({ content_type_id: contentTypeId, id: record.id, slug });
    },
  );

  app.post(
    "/api/admin/pages/preview/",
    {
      preHandler: requireLevel(ACCESS_LEVEL.admin),
      schema: {
        tags: ["site"],
        security: SIGNED_IN,
        summary: "A page of text as visitors would see it, of texts that aren't saved",
        body: pageDraft,
        response: { 200: z.string() },
      },
    },
    async (request, reply) => {
      const { lang, theme, title, body } = request.body;
      const page = await toDraftPage({ slug: "draft", title, body, updated_at: now().toISOString() }, lang);
      const html = await drawDraft(request, {
        path: "/draft",
        lang,
        theme,
        data: { screen: "text", page },
      });
      return reply
        .header("Content-Security-Policy", DRAFT_CSP)
        .header("Cache-Control", "no-store")
        .type("text/html; charset=utf-8")
        .send(html);
    },
  );
}
