import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { micromark } from "micromark";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";
import { createMarkdownThread } from "./markdown.ts";

/** What counts as slow in these tests: no test waits for a text that is. */
const SLOW = "*a_ *a_";
const parsed: string[] = [];

let site: TestApp;
let staff: TestPerson;
let model: number;
beforeAll(async () => {
  site = await createTestApp({
    parseMarkdown: async (text) => {
      parsed.push(text);
      return text.includes(SLOW) ? undefined : micromark(text);
    },
  });
  staff = await site.signInAs(10);
  const { rows } = await site.database.pool.query("SELECT id FROM content_type WHERE model_name = 'page'");
  model = rows[0].id;
});
afterAll(() => site.close());

const ask = (method: "POST" | "PUT" | "PATCH", path: string, payload: object, language = "en") =>
  site.app.inject({
    method,
    url: `/api/admin/models/${model}/objects/${path}`,
    headers: { authorization: staff.authorization, "accept-language": language },
    payload,
  });

const buildPage = (slug: string, en: string, tr: string | null = null) => ({
  slug,
  title: { en: slug, tr: null },
  body: { en, tr },
  shown_in: "none",
  is_hidden: false,
});
async function write(slug: string, en: string): Promise<number> {
  const answer = await ask("POST", "", buildPage(slug, en));
  return answer.json().id ?? answer.json().object?.id;
}
const read = async (slug: string) => (await site.app.inject(`/api/pages/${slug}/?lang=en`)).json();

describe("a text that takes too long to lay out", () => {
  test.each([
    ["en", /takes too long.*Shorten it/],
    ["tr", /çok uzun sürüyor.*kısaltın/],
  ])("is refused with what to do, in %s, whichever way it is written", async (language, words) => {
    const id = await write(`whole-${language}`, "Whole.");
    const bad = buildPage(`slow-${language}`, "Good.", SLOW);
    const bulk = { operation: "update", object_ids: [id], data: { body: bad.body } };
    const answers = [
      await ask("POST", "", bad, language),
      await ask("PUT", `${id}/`, bad, language),
      await ask("PATCH", `${id}/`, { body: bad.body }, language),
      await ask("POST", "bulk/", bulk, language),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json().errors).toEqual([
        { field: "body.tr", code: "text_too_slow", message: expect.stringMatching(words) },
      ]);
    }
    expect((await read(`whole-${language}`)).html).toBe("<p>Whole.</p>");
  });

  test("is told by the preview as well", async () => {
    const answer = await site.app.inject({
      method: "POST",
      url: "/api/admin/pages/preview/",
      headers: { authorization: staff.authorization },
      payload: { lang: "en", theme: "light", title: { en: "T", tr: null }, body: { en: SLOW, tr: null } },
    });
    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([400, "text_too_slow"]);
  });

  test("that stands in the database already is shown as it is written, and is tried once", async () => {
    await site.database.pool.query(
      "INSERT INTO site_page (slug, title, body) VALUES ('old', '{\"en\":\"Old\"}', jsonb_build_object('en', $1::text))",
      [`${SLOW}<b>\n\nSecond`],
    );
    const html = `<p>${SLOW}&lt;b&gt;</p>\n<p>Second</p>`;
    expect((await read("old")).html).toBe(html);
    const before = parsed.length;
    expect((await read("old")).html).toBe(html);
    expect((await site.app.inject("/en/old")).statusCode).toBe(200);
    expect(parsed.length).toBe(before);
  });
});

test("what was written is laid out by then: no visitor's request lays it out, whatever it reads", async () => {
  await write("kept", "A *text*.");
  const before = parsed.length;
  expect((await read("kept")).html).toBe("<p>A <em>text</em>.</p>");
  for (const path of ["/en/kept", "/kept", "/sitemap.xml", "/llms.txt", "/api/pages/kept/?lang=tr"])
    expect((await site.app.inject(path)).statusCode).toBe(200);
  expect(parsed.slice(before).filter((text) => text === "A *text*.")).toEqual([]);
});

describe("the thread", () => {
  test("lays text out as pages show it", async () => {
    expect(await createMarkdownThread()("# A *b*", 60_000)).toBe("<h1>A <em>b</em></h1>");
  });

  test("ends a text that would take minutes, while the server goes on, and then takes the next one", async () => {
    const parse = createMarkdownThread();
    const slow = parse(`${SLOW} `.repeat(6_000), 50);
    const next = parse("Next.", 60_000);
    // Only a loop that goes on gets here while the text is laid out.
    await new Promise((resolve) => setImmediate(resolve));
    expect(await slow).toBeUndefined();
    expect(await next).toBe("<p>Next.</p>");
  });

  test("gives nothing out that is many times as long as what was written", async () => {
    const text = `[a]: /${"x".repeat(2_000)}\n\n${"[a] ".repeat(500)}`;
    expect(await createMarkdownThread()(text, 60_000)).toBeUndefined();
  });
});
