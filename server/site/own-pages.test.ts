import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { createPageFacts } from "#server/page-facts.ts";
import { seedPages } from "#server/sample/seed-pages.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";
import { asLogOwner } from "#test/database.ts";
import { createMarkdown } from "./markdown.ts";
import { createSiteService } from "./service.ts";

let site: TestApp;
let owner: TestPerson;
let objects: string;
beforeAll(async () => {
  site = await createTestApp();
  owner = await site.signInAs(999);
  const { rows } = await site.database.pool.query("SELECT id FROM content_type WHERE model_name = 'page'");
  objects = `/api/admin/models/${rows[0].id}/objects/`;
});
afterAll(() => site.close());

beforeEach(async () => {
  await asLogOwner(site.database.pool, "DELETE FROM site_page; DELETE FROM audit_entry");
  await seedPages(site.database.pool);
  site.feed.announce("site.page");
  site.feed.announce("site.redirect");
});

const get = (url: string, headers: Record<string, string> = {}) => site.app.inject({ url, headers });

async function send(method: "POST" | "PATCH" | "DELETE", url: string, payload?: object, as = owner) {
  const headers = { authorization: as.authorization };
  const answer = await site.app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
}

const PAGE = { title: { en: "About", tr: "Hakkımda" }, body: { en: "I make *tools*.", tr: "Araç yaparım." } };
const make = async (slug: string, more: object = {}): Promise<number> => {
  const { status, body } = await send("POST", objects, { slug, ...PAGE, ...more });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.id;
};
const rename = (id: number, slug: string) => send("PATCH", `${objects}${id}/`, { slug });

async function findId(slug: string): Promise<number> {
  const { rows } = await site.database.pool.query("SELECT id FROM site_page WHERE slug = $1", [slug]);
  return rows[0].id;
}

/** Status, and where it leads. */
async function ask(url: string) {
  const { statusCode, headers } = await get(url);
  return headers.location === undefined ? statusCode : [statusCode, headers.location];
}

describe("a page that the owner makes", () => {
  test("is there at its three addresses at once, in the language of each, and in the files for machines", async () => {
    expect(await ask("/about")).toBe(404);
    await make("about");
    for (const [url, lang, title] of [
      ["/about", "en", "About"],
      ["/en/about", "en", "About"],
      ["/tr/about", "tr", "Hakkımda"],
    ] as const) {
      const answer = await get(url);
      expect([answer.statusCode, answer.headers["content-language"]]).toEqual([200, lang]);
      expect(answer.body).toContain(`"title":"${title}"`);
    }
    const sitemap = (await get("/sitemap.xml")).body;
    for (const path of ["/about", "/en/about", "/tr/about"])
      expect(sitemap).toContain(`<loc>https://site.test${path}</loc>`);
    expect((await get("/llms.txt")).body).toContain("[Hakkımda](https://site.test/tr/about)");
    expect((await get("/api/pages/about/?lang=tr")).json()).toMatchObject({
      slug: "about",
      title: "Hakkımda",
    });
  });

  test("says in which language it is where it is missing in the visitor's", async () => {
    await make("now", { title: { en: null, tr: "Şimdi" }, body: { en: "Busy.", tr: null } });
    expect((await get("/api/pages/now/?lang=en")).json()).toMatchObject({
      lang: "en",
      title: "Şimdi",
      title_lang: "tr",
      html_lang: "en",
    });
  });

  test("isn't there while it is hidden, and nothing names it", async () => {
    const id = await make("draft", { is_hidden: true, shown_in: "bar" });
    expect(await ask("/draft")).toBe(404);
    expect((await get("/api/pages/draft/")).statusCode).toBe(404);
    expect((await get("/sitemap.xml")).body).not.toContain("draft");
    await send("PATCH", `${objects}${id}/`, { is_hidden: false });
    expect(await ask("/draft")).toBe(200);
    expect((await get("/sitemap.xml")).body).toContain("/tr/draft");
  });

  test("goes behind the others unless it has a place, and its emptied fields have their defaults", async () => {
    const first = await make("first");
    const second = await make("second", { shown_in: null, is_hidden: null, position: null });
    const { rows } = await site.database.pool.query(
      "SELECT id, shown_in, is_hidden FROM site_page ORDER BY position, id",
    );
    expect(rows.slice(-2)).toEqual([
      { id: first, shown_in: "none", is_hidden: false },
      { id: second, shown_in: "none", is_hidden: false },
    ]);
  });

  test.each(["admin", "api", "files", "assets", "cv", "dev", "login", "rooms", "en", "tr", "voice"])(
    "can't have the site's own address %s, and is told so",
    async (slug) => {
      const { status, body } = await send("POST", objects, { slug, ...PAGE });
      expect([status, body.errors[0]]).toMatchObject([400, { field: "slug", code: "page_address_reserved" }]);
      expect(body.errors[0].message).toContain(`“${slug}”`);
    },
  );

  test("can't have another page's address", async () => {
    await make("about");
    const { status, body } = await send("POST", objects, { slug: "about", ...PAGE });
    expect([status, body.errors[0].field]).toEqual([409, "slug"]);
  });

  test("is made and changed by staff, and by nobody below", async () => {
    const [staff, visitor] = [await site.signInAs(10), await site.signInAs(1)];
    expect((await send("POST", objects, { slug: "a", ...PAGE }, visitor)).status).toBe(403);
    const { status, body } = await send("POST", objects, { slug: "a", ...PAGE }, staff);
    expect(status).toBe(201);
    expect((await send("DELETE", `${objects}${body.id}/`, undefined, staff)).status).toBe(403);
    expect((await send("DELETE", `${objects}${body.id}/`)).status).toBe(204);
    expect(await ask("/a")).toBe(404);
  });
});

describe("the old address of a page", () => {
  test("leads to the new one in every language, with its query, and is checked each time", async () => {
    const id = await make("about");
    await get("/about"); // cached
    expect((await rename(id, "me")).status).toBe(200);
    expect(await ask("/about?x=1")).toEqual([301, "/me?x=1"]);
    expect((await get("/me/")).statusCode).toBe(200);
    expect(await ask("/en/about")).toEqual([301, "/en/me"]);
    expect(await ask("/tr/about")).toEqual([301, "/tr/me"]);
    expect((await get("/about")).headers["cache-control"]).toBe("no-cache");
    expect(await ask("/me")).toBe(200);
    expect((await get("/sitemap.xml")).body).not.toContain("/about<");
  });

  test("leads there in one step, however often the page moved, and to itself when it comes back", async () => {
    const id = await make("a");
    for (const slug of ["b", "c"]) await rename(id, slug);
    expect([await ask("/a"), await ask("/b"), await ask("/c")]).toEqual([[301, "/c"], [301, "/c"], 200]);
    await rename(id, "a");
    expect([await ask("/a"), await ask("/b"), await ask("/c")]).toEqual([200, [301, "/a"], [301, "/a"]]);
  });

  test("is the new page's as soon as there is one, made or renamed", async () => {
    const moved = await make("a");
    await rename(moved, "b");
    const made = await make("a");
    expect([await ask("/a"), await ask("/b")]).toEqual([200, 200]);
    await rename(made, "c");
    expect(await ask("/a")).toEqual([301, "/c"]);
  });

  test("leads nowhere while its page is hidden, or once it is gone", async () => {
    const id = await make("a");
    await rename(id, "b");
    await send("PATCH", `${objects}${id}/`, { is_hidden: true });
    expect(await ask("/a")).toBe(404);
    await send("PATCH", `${objects}${id}/`, { is_hidden: false });
    expect(await ask("/a")).toEqual([301, "/b"]);
    await send("DELETE", `${objects}${id}/`);
    expect(await ask("/a")).toBe(404);
  });

  test("can be taken away, and all that happens to it is in the log", async () => {
    const id = await make("a");
    await rename(id, "b");
    const { rows } = await site.database.pool.query(
      "SELECT r.id, t.id AS type FROM site_redirect r, content_type t WHERE t.model_name = 'redirect'",
    );
    const url = `/api/admin/models/${rows[0].type}/objects/`;
    expect((await send("POST", url, { slug: "x", page: id })).status).toBe(403);
    expect((await send("DELETE", `${url}${rows[0].id}/`)).status).toBe(204);
    expect(await ask("/a")).toBe(404);
    const entries = await site.database.pool.query(
      "SELECT action_type, object_repr, username FROM audit_entry WHERE content_type_id = $1 ORDER BY id",
      [rows[0].type],
    );
    expect(entries.rows).toEqual([
      { action_type: "CREATE", object_repr: "a", username: owner.username },
      { action_type: "DELETE", object_repr: "a", username: owner.username },
    ]);
  });
});

describe.each(["terms", "privacy"])("the page %s", (slug) => {
  test("keeps its address, is always shown and can't be deleted, and says why; its text and its link are the owner's", async () => {
    const id = await findId(slug);
    const moved = await rename(id, "legal");
    expect([moved.status, moved.body.errors[0].code]).toEqual([400, "page_address_fixed"]);
    const hidden = await send("PATCH", `${objects}${id}/`, { is_hidden: true });
    expect([hidden.status, hidden.body.errors[0].code]).toEqual([400, "page_always_shown"]);
    const deleted = await send("DELETE", `${objects}${id}/`);
    expect([deleted.status, deleted.body.code]).toEqual([409, "page_protected"]);
    expect(deleted.body.message).toContain("registration");
    expect((await send("PATCH", `${objects}${id}/`, { slug, shown_in: "none", ...PAGE })).status).toBe(200);
    expect((await get(`/${slug}`)).body).toContain("I make");
  });
});

test("links in bar and footer are those of shown pages in their order, in the visitor's language or with the other one's name", async () => {
  await make("now", { shown_in: "bar", title: { en: null, tr: "Şimdi" }, position: 5 });
  await make("about", { shown_in: "bar", position: 4 });
  await make("loose");
  const pictures = {
    icons: { names: [], getVersion: () => "", open: async () => undefined },
    getPreviewVersion: () => "",
    getDrawnSize: async () => undefined,
    drawPreview: async () => undefined,
  };
  const { pages } = await createSiteService({
    pool: site.database.pool,
    pictures,
    publicUrl: undefined,
    facts: createPageFacts({ auditRetentionMonths: 24 }),
    markdown: createMarkdown({ parse: async (text) => text, log: { warn: () => undefined } }),
  }).getSite("en");
  expect(pages).toEqual([
    { slug: "terms", title: "Terms of use", lang: null, place: "footer" },
    { slug: "privacy", title: "Privacy", lang: null, place: "footer" },
    { slug: "about", title: "About", lang: null, place: "bar" },
    { slug: "now", title: "Şimdi", lang: "tr", place: "bar" },
  ]);
});

test("every page has a page's link at once, and loses it with the page", async () => {
  const hasLink = async () => (await get("/tr/cv")).body.includes("Hakkımda");
  expect(await hasLink()).toBe(false);
  const id = await make("about", { shown_in: "footer" });
  expect(await hasLink()).toBe(true);
  await send("DELETE", `${objects}${id}/`);
  expect(await hasLink()).toBe(false);
});
