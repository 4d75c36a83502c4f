import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { micromark } from "micromark";
import { toShades } from "#contract/site/accent.ts";
import { siteInfo } from "#contract/site/site.ts";
import { PAGE_FACTS } from "#server/models/declared/page-facts.ts";
import { createPageFacts } from "#server/page-facts.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createMarkdown } from "./markdown.ts";
import { createSiteService, fillFacts } from "./service.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query(
    "DELETE FROM site_look; DELETE FROM site_settings; DELETE FROM site_wording; DELETE FROM cv_link; DELETE FROM cv_profile; DELETE FROM site_page; DELETE FROM sample_row; DELETE FROM stored_file",
  );
});

/** What is drawn, as text: the picture itself is another subject's. */
const pictures = {
  icons: { names: [], getVersion: () => "icons", open: async () => undefined },
  getPreviewVersion: (content: object) => Buffer.from(JSON.stringify(content)).toString("base64url"),
  getDrawnSize: async () => undefined,
  drawPreview: async (content: object) => new TextEncoder().encode(JSON.stringify(content)),
};
const markdown = createMarkdown({
  parse: async (text) => micromark(text),
  log: { warn: () => undefined },
});
const FACTS = createPageFacts({ auditRetentionMonths: 24 });
const openService = (publicUrl?: string) =>
  createSiteService({ pool: database.pool, pictures, publicUrl, facts: FACTS, markdown });
const getSite = (lang: "en" | "tr" = "en") => openService().getSite(lang);

async function writeProfile(columns: Record<string, unknown> = {}): Promise<void> {
  const values = { name: "Işıl Örnek", email: "isil@foyer.example", ...columns };
  const names = Object.keys(values);
  await database.pool.query(
    `INSERT INTO cv_profile (${names.join(", ")}) SELECT ${names.join(", ")} FROM jsonb_populate_record(NULL::cv_profile, $1)`,
    [JSON.stringify(values)],
  );
}

async function writeLinks(
  ...links: { network?: string; url?: string; is_hidden?: boolean }[]
): Promise<void> {
  for (const [position, { network = null, url = null, is_hidden = false }] of links.entries())
    await database.pool.query(
      "INSERT INTO cv_link (network, url, is_hidden, position) VALUES ($1, $2, $3, $4)",
      [network, url, is_hidden, position],
    );
}

async function readPreview(lang: "en" | "tr", publicUrl?: string): Promise<unknown> {
  const preview = await openService(publicUrl).getPreview(lang);
  const picture = await preview?.draw();
  return picture && JSON.parse(new TextDecoder().decode(picture));
}

describe("what pages show of the site", () => {
  test("is empty, and whole, while nothing is there", async () => {
    const site = await getSite();
    expect(siteInfo.parse(site)).toEqual(site);
    expect(site).toEqual({
      author: "",
      email: null,
      github: null,
      linkedin: null,
      steam: null,
      map_search: "https://www.openstreetmap.org/search?query=",
      features: ["voice-chat"],
      pages: [],
      front: "/cv",
      has_sample: false,
      preview: null,
      words: {},
      registration: "open",
    });
  });

  test("comes from the CV where the settings are empty", async () => {
    await writeProfile();
    await writeLinks(
      { network: " GitHub ", url: "https://code.test/isil" },
      { url: "https://tr.linkedin.com/in/isil" },
      { network: "Steam", url: "https://steamcommunity.com/id/isil", is_hidden: true },
    );
    await database.pool.query("INSERT INTO site_settings DEFAULT VALUES");
    expect(await getSite()).toMatchObject({
      author: "Işıl Örnek",
      email: "isil@foyer.example",
      github: "https://code.test/isil",
      linkedin: "https://tr.linkedin.com/in/isil",
      steam: null,
    });
  });

  test("finds the CV's links by their hosts, and takes no other host for them", async () => {
    await writeLinks(
      { url: "https://notgithub.com/isil" },
      { url: "https://isil.github.io" },
      { network: "GitHub" },
      { url: "https://github.com/isil" },
      { url: "https://steamcommunity.com/id/isil" },
      { url: "https://linkedin.com.evil.test/in/isil" },
    );
    expect(await getSite()).toMatchObject({
      github: "https://github.com/isil",
      linkedin: null,
      steam: "https://steamcommunity.com/id/isil",
    });
  });

  test("is what the settings say, where they say something", async () => {
    await writeProfile();
    await writeLinks({ network: "GitHub", url: "https://github.com/cv" });
    await database.pool.query(
      `INSERT INTO site_settings (author, email, github_url, steam_url, map_search_url, shows_voice_chat)
       VALUES ('Studio Örnek', 'studio@foyer.example', 'https://github.com/studio', 'https://steamcommunity.com/id/s', 'https://map.test/?q=', false)`,
    );
    expect(await getSite()).toMatchObject({
      author: "Studio Örnek",
      email: "studio@foyer.example",
      github: "https://github.com/studio",
      linkedin: null,
      steam: "https://steamcommunity.com/id/s",
      map_search: "https://map.test/?q=",
      features: [],
    });
  });

  test("says the owner's words in the language that has them, and leaves the others to the product", async () => {
    await database.pool.query(
      `INSERT INTO site_wording (reply_time, contact_intro)
       VALUES ('{"en": "Give me a week.", "tr": null}', '{"en": "", "tr": "Yazın."}')`,
    );
    expect((await getSite("en")).words).toEqual({ reply: "Give me a week." });
    expect((await getSite("tr")).words).toEqual({ intro: "Yazın." });
    await database.pool.query("UPDATE site_wording SET shows_reply_time = false");
    expect((await getSite("en")).words).toEqual({ reply: "" });
    await database.pool.query("DELETE FROM site_wording");
    expect((await getSite("tr")).words).toEqual({});
  });

  test("notes sample content in it, until it is edited", async () => {
    await writeProfile();
    await database.pool.query(
      "INSERT INTO sample_row (model, object_id, row_updated_at) SELECT 'cv.profile', id, updated_at FROM cv_profile",
    );
    expect((await getSite()).has_sample).toBe(true);
    await database.pool.query("UPDATE cv_profile SET updated_at = clock_timestamp()");
    expect((await getSite()).has_sample).toBe(false);
  });
});

describe("the preview picture", () => {
  test("says who and where in the language of the page, or else in the other", async () => {
    await writeProfile({
      title: { en: "Engineer", tr: "Mühendis" },
      tagline: { en: "With care", tr: null },
      district: { en: "Çankaya", tr: "Çankaya" },
      province: { en: "Ankara", tr: "" },
    });
    const look = { accent: "#0b4a63", fonts: "newsreader", shape: "rounded" };
    const both = { name: "Işıl Örnek", tagline: "With care", photo: null, ...look };
    expect(await readPreview("en", "https://isil.example:8443")).toEqual({
      ...both,
      lang: "en",
      title: "Engineer",
      place: "isil.example:8443 · Çankaya, Ankara",
    });
    expect(await readPreview("tr")).toEqual({
      ...both,
      lang: "tr",
      title: "Mühendis",
      place: "Çankaya, Ankara",
    });
  });

  test("has the owner's look, in the shade of the accent that is read on paper, and then another address", async () => {
    await writeProfile();
    const before = (await getSite()).preview;
    await database.pool.query(
      "INSERT INTO site_look (accent, fonts, picture_shape) VALUES ('#ffd400', 'grotesk', 'circle')",
    );
    const accent = toShades("#ffd400").light.accent;
    expect(await readPreview("en")).toMatchObject({ accent, fonts: "grotesk", shape: "circle" });
    expect((await getSite()).preview).not.toBe(before);
  });

  test("shows the photo of the CV", async () => {
    const key = `${"a".repeat(32)}.png`;
    await database.pool.query(
      "INSERT INTO stored_file (key, name, media_type, byte_size) VALUES ($1, 'a.png', 'image/png', 1)",
      [key],
    );
    await writeProfile({ photo: key });
    expect(await readPreview("en")).toMatchObject({ photo: `/files/${key}`, title: "", place: "" });
  });

  test("has an address of its own in each language, another one after a change, none without a name", async () => {
    expect(await openService().getPreview("en")).toBeUndefined();
    await writeProfile();
    const before = [(await getSite("en")).preview, (await getSite("tr")).preview];
    expect(before).toEqual([
      expect.stringMatching(/^\/preview\/en\.jpg\?v=\w/),
      expect.stringMatching(/^\/preview\/tr\.jpg\?v=\w/),
    ]);
    await database.pool.query(`UPDATE cv_profile SET tagline = '{"en": null, "tr": "Özenle"}'`);
    const after = [(await getSite("en")).preview, (await getSite("tr")).preview];
    expect(new Set([...before, ...after]).size).toBe(4);
    expect((await getSite("en")).preview).toContain((await openService().getPreview("en"))?.version);
  });
});

describe("facts in a page of text", () => {
  test.each([
    [1, "en", "1 month"],
    [24, "en", "24 months"],
    [1, "tr", "1 ay"],
    [24, "tr", "24 ay"],
  ] as const)("%d months in %s are %s", (auditRetentionMonths, lang, text) => {
    const facts = createPageFacts({ auditRetentionMonths })[lang];
    expect(fillFacts("kept {audit_retention}.", facts)).toBe(`kept ${text}.`);
  });

  test.each([
    [{}, "Nothing is recorded", /failed log-ins with the network address/, /başarısız girişler/],
    [{ logRequests: true }, "Each request is noted", /^requests, .* failed log-ins/, /^istekler, /],
    [{ logLevel: "debug" }, "Each request is noted", /^requests, /, /^istekler, /],
    [{ logLevel: "warn", logRequests: true }, "Nothing is recorded", /failed log-ins/, /başarısız girişler/],
    [{ logLevel: "error", logRequests: true }, "Nothing is recorded", /^faults alone$/, /^yalnızca hatalar$/],
  ])("what is logged is said as the settings have it (%j)", (settings, reading, log, logTr) => {
    const { en, tr } = createPageFacts({ auditRetentionMonths: 24, ...settings });
    expect(en.get("reading_log")).toContain(reading);
    expect(en.get("technical_log")).toMatch(log);
    expect(tr.get("technical_log")).toMatch(logTr);
  });

  test("each that the console names is there, and braces around anything else stay", () => {
    const { en } = FACTS;
    expect([...en.keys()].sort()).toEqual(Object.keys(PAGE_FACTS).sort());
    for (const [name, text] of en)
      expect(text).toMatch(/_log$/.test(name) && name !== "mail_log" ? /^\w.+/ : /^\d+( \w+)?$/);
    expect(fillFacts("{name} {toString} {} {AUDIT} {{code_lifetime}}", en)).toBe(
      "{name} {toString} {} {AUDIT} {10 minutes}",
    );
  });

  test("are drawn where the page is, in its language", async () => {
    await database.pool.query("INSERT INTO site_page (slug, title, body) VALUES ('privacy', '{}', $1)", [
      { en: "Kept for **{mail_log}**.", tr: "{mail_log} saklanır." },
    ]);
    expect((await openService().getPage("privacy", "en"))?.html).toBe(
      "<p>Kept for <strong>365 days</strong>.</p>",
    );
    expect((await openService().getPage("privacy", "tr"))?.html).toBe("<p>365 gün saklanır.</p>");
  });
});

describe("a page of text", () => {
  async function writePage(title: object, body: object): Promise<void> {
    await database.pool.query("INSERT INTO site_page (slug, title, body) VALUES ('terms', $1, $2)", [
      title,
      body,
    ]);
  }
  const getHtml = async (body: string) => {
    await writePage({ en: "Terms", tr: null }, { en: body, tr: null });
    return (await openService().getPage("terms", "en"))?.html;
  };

  test("falls back to the other language part by part", async () => {
    await writePage({ en: "Terms", tr: "Koşullar" }, { en: "Be kind.", tr: "" });
    expect(await openService().getPage("terms", "tr")).toEqual({
      slug: "terms",
      lang: "tr",
      title: "Koşullar",
      title_lang: "tr",
      html_lang: "en",
      html: "<p>Be kind.</p>",
      updated_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
  });

  test("is not there under another name", async () => {
    await writePage({ en: "Terms", tr: null }, { en: "x", tr: null });
    expect(await openService().getPage("privacy", "en")).toBeUndefined();
  });

  test.each([
    ["a script", "<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
    [
      "an event handler",
      'Hi <img src=x onerror="alert(1)">',
      "<p>Hi &lt;img src=x onerror=&quot;alert(1)&quot;&gt;</p>",
    ],
    ["a link that runs a script", "[a](javascript:alert(1))", '<p><a href="">a</a></p>'],
    ["one that hides it", "[a](&#74;avaScript&colon;alert(1))", '<p><a href="">a</a></p>'],
    ["a link to data", "[a](data:text/html,x)", '<p><a href="">a</a></p>'],
    ["an image that runs a script", "![a](javascript:alert(1))", "<p>a</p>"],
    ["an image of another site", "![a picture](https://other.test/a.png)", "<p>a picture</p>"],
    ["an image that is gone", `![a](/files/${"0".repeat(32)}.png)`, "<p>a</p>"],
    ["a comment", "<!-- a -->", "&lt;!-- a --&gt;"],
  ])("shows %s as text or leaves its address out", async (_, markdown, html) => {
    expect(await getHtml(markdown)).toBe(html);
  });

  test("keeps headings, lists, emphasis and links", async () => {
    expect(await getHtml("## A\n\n- **b** [c](https://site.test/?a=1&b=2)\n- [d](/cv)")).toBe(
      '<h2>A</h2>\n<ul>\n<li><strong>b</strong> <a href="https://site.test/?a=1&amp;b=2">c</a></li>\n<li><a href="/cv">d</a></li>\n</ul>',
    );
  });
});
