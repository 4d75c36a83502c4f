import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";

let site: TestApp;
let staff: TestPerson;
let visitor: TestPerson;
beforeAll(async () => {
  site = await createTestApp();
  [staff, visitor] = [await site.signInAs(10), await site.signInAs(1)];
});
afterAll(() => site.close());

const post = (url: string, payload: object, as: TestPerson | null = staff) =>
  site.app.inject({
    method: "POST",
    url,
    payload,
    ...(as && { headers: { authorization: as.authorization } }),
  });

const DRAFT = {
  lang: "en",
  theme: "dark",
  title: { en: "About", tr: "Hakkımda" },
  body: { en: "I make **tools**. <script>alert(1)</script>", tr: null },
};
const preview = (more: object = {}, as: TestPerson | null = staff) =>
  post("/api/admin/pages/preview/", { ...DRAFT, ...more }, as);

describe("the preview of a page that isn't saved", () => {
  test("is the document that visitors would get, in the theme that is asked for, and nothing runs in it", async () => {
    const answer = await preview();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.headers["content-security-policy"]).toContain("sandbox");
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.body).toContain('<html data-theme="dark" class="dark" lang="en">');
    expect(answer.body).toContain("<strong>tools</strong>");
    expect(answer.body).not.toContain("<script");
    // The frame that shows it takes no inline style.
    expect(answer.body).toContain('<link rel="stylesheet" href="/assets/plain.css">');
    expect(answer.body).not.toContain("<style>");
    expect((await preview({ theme: "light" })).body).toContain('data-theme="light"');
  });

  test("shows in Turkish what there is, and the other language where there is nothing", async () => {
    const { body } = await preview({ lang: "tr" });
    expect(body).toContain("Hakkımda");
    expect(body).toContain('"html_lang":"en"');
  });

  test("is for staff alone, and takes no more than a page does", async () => {
    expect((await preview({}, visitor)).statusCode).toBe(403);
    expect((await preview({}, null)).statusCode).toBe(401);
    expect((await preview({ body: { en: "x".repeat(50_001), tr: null } })).statusCode).toBe(400);
    expect((await preview({ theme: "blue" })).statusCode).toBe(400);
  });

  test("changes nothing", async () => {
    await preview();
    const { rows } = await site.database.pool.query("SELECT slug FROM site_page WHERE slug = 'draft'");
    expect(rows).toEqual([]);
  });
});

describe("a page that begins with a text", () => {
  test.each([
    ["impressum", "footer", "Impressum", "Künye"],
    ["about", "bar", "About", "Hakkımda"],
    ["now", "bar", "Now", "Şimdi"],
  ])(
    "%s has both languages, its place in the %s, and is shown to nobody yet",
    async (start, shownIn, en, tr) => {
      const answer = await post("/api/admin/pages/starts/", { start });
      expect(answer.statusCode).toBe(201);
      const { id, slug } = answer.json();
      expect(slug).toBe(start);
      const { rows } = await site.database.pool.query("SELECT * FROM site_page WHERE id = $1", [id]);
      expect(rows[0]).toMatchObject({ title: { en, tr }, shown_in: shownIn, is_hidden: true });
      for (const text of [rows[0].body.en, rows[0].body.tr]) expect(text).toMatch(/\[[^\]]+\](?!\()/);
      expect((await site.app.inject(`/${slug}`)).statusCode).toBe(404);
      const entry = await site.database.pool.query(
        "SELECT username FROM audit_entry WHERE action_type = 'CREATE' AND object_id = $1 AND object_repr = $2",
        [String(id), en],
      );
      expect(entry.rows).toEqual([{ username: staff.username }]);
    },
  );

  test("has the next free address where its own is taken", async () => {
    await site.database.pool.query("DELETE FROM site_page WHERE slug LIKE 'now%'");
    const slugs = [];
    for (let count = 0; count < 3; count++)
      slugs.push((await post("/api/admin/pages/starts/", { start: "now" })).json().slug);
    expect(slugs).toEqual(["now", "now-2", "now-3"]);
  });

  test("is made by staff alone, of the texts that there are", async () => {
    expect((await post("/api/admin/pages/starts/", { start: "now" }, visitor)).statusCode).toBe(403);
    expect((await post("/api/admin/pages/starts/", { start: "../now" })).statusCode).toBe(400);
  });
});
