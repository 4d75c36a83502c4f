import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { createTestApp, type TestApp } from "#test/app.ts";
import { asLogOwner } from "#test/database.ts";

let site: TestApp;
beforeAll(async () => {
  site = await createTestApp();
});
afterAll(() => site.close());

const get = (url: string, headers: Record<string, string> = {}) => site.app.inject({ url, headers });
const getPool = () => site.database.pool;

async function change(sql: string, model: string): Promise<void> {
  await getPool().query(sql);
  site.feed.announce(model);
}

beforeEach(async () => {
  await asLogOwner(getPool(), "DELETE FROM audit_entry");
  await getPool().query(`
    DELETE FROM sample_row; DELETE FROM cv_profile; DELETE FROM cv_education;
    DELETE FROM site_page;
    INSERT INTO cv_profile (name, title, tagline, updated_at) VALUES
      ('Işıl Örnek', '{"en":"Software Engineer","tr":"Yazılım Mühendisi"}', '{"en":"Small tools","tr":null}',
       '2026-03-01T10:00:00Z');
    INSERT INTO site_page (slug, title, body, updated_at) VALUES
      ('terms', '{"en":"Terms [of use]","tr":"Koşullar"}', '{"en":"Be kind.","tr":"Nazik olun."}', '2026-05-01T10:00:00Z')`);
  for (const model of ["cv.profile", "cv.education", "site.page"]) site.feed.announce(model);
});

/** Address → last change and alternates, as a search engine reads them. */
async function readSitemap() {
  const { body } = await get("/sitemap.xml");
  const entries = [...body.matchAll(/<url><loc>(.*?)<\/loc>(?:<lastmod>(.*?)<\/lastmod>)?(.*?)<\/url>/g)];
  return new Map(
    entries.map(([, address = "", changedAt, rest = ""]) => [
      address.replace("https://site.test", ""),
      {
        changedAt,
        alternates: [...rest.matchAll(/hreflang="(.*?)" href="(.*?)"/g)].map((found) => found.slice(1)),
      },
    ]),
  );
}

describe("the sitemap", () => {
  test("has every open page at every address of its languages, each naming all of them", async () => {
    const map = await readSitemap();
    expect([...map.keys()].sort()).toEqual(
      ["/contact", "/cv", "/dev", "/terms"].flatMap((path) => [path, `/en${path}`, `/tr${path}`]).sort(),
    );
    for (const path of ["/cv", "/en/cv", "/tr/cv"]) {
      expect(map.get(path)?.alternates).toEqual([
        ["en", "https://site.test/en/cv"],
        ["tr", "https://site.test/tr/cv"],
        ["x-default", "https://site.test/cv"],
      ]);
    }
  });

  test("dates each page by the newest change of what it shows", async () => {
    const map = await readSitemap();
    expect(map.get("/cv")?.changedAt).toBe("2026-03-01T10:00:00Z");
    expect(map.get("/en/contact")?.changedAt).toBe("2026-03-01T10:00:00Z");
    expect(map.get("/tr/terms")?.changedAt).toBe("2026-05-01T10:00:00Z");
    await change(
      'INSERT INTO cv_education (institution, updated_at) VALUES (\'{"en":"X","tr":null}\', \'2026-07-01T10:00:00Z\')',
      "cv.education",
    );
    expect((await readSitemap()).get("/cv")?.changedAt).toBe("2026-07-01T10:00:00Z");
  });

  test("takes a deletion for a change of the pages that showed the row", async () => {
    await getPool().query(`INSERT INTO audit_entry (timestamp, action_type, content_type_id)
      SELECT '2026-09-01T10:00:00Z', 'DELETE', id FROM content_type WHERE app_label = 'cv' AND model_name = 'education'`);
    site.feed.announce("cv.education");
    const map = await readSitemap();
    expect(map.get("/tr/cv")?.changedAt).toBe("2026-09-01T10:00:00Z");
    expect(map.get("/tr/dev")?.changedAt).toBe("2026-03-01T10:00:00Z");
  });

  test("is empty while sample content is shown", async () => {
    await change(
      "INSERT INTO sample_row (model, object_id, row_updated_at) SELECT 'cv.profile', id, updated_at FROM cv_profile",
      "cv.profile",
    );
    const { body } = await get("/sitemap.xml");
    expect(body).toContain("<urlset");
    expect(body).not.toContain("<url>");
  });

  test("leaves out a page whose own content came with the product, and a CV without a name", async () => {
    await change(
      `WITH item AS (INSERT INTO cv_skill (label, position) VALUES ('{"en": "SQL"}', 0) RETURNING id, updated_at)
       INSERT INTO sample_row (model, object_id, row_updated_at) SELECT 'cv.skill', id, updated_at FROM item`,
      "cv.skill",
    );
    expect([...(await readSitemap()).keys()].filter((path) => path.startsWith("/en/"))).toEqual([
      "/en/contact",
      "/en/dev",
      "/en/terms",
    ]);
    await change("DELETE FROM cv_skill", "cv.skill");
    expect((await readSitemap()).has("/cv")).toBe(true);
    await change("DELETE FROM cv_profile", "cv.profile");
    expect((await readSitemap()).has("/cv")).toBe(false);
  });
});

test("robots.txt bars the console and the API, and names the sitemap by its whole address", async () => {
  expect((await get("/robots.txt")).body.split("\n")).toEqual([
    "User-agent: *",
    "Disallow: /admin",
    "Disallow: /api/",
    "",
    "Sitemap: https://site.test/sitemap.xml",
    "",
  ]);
});

describe("llms.txt", () => {
  test("names the author, what they do, and the pages in both languages", async () => {
    const { body } = await get("/llms.txt");
    expect(body.startsWith("# Işıl Örnek\n\n> Software Engineer – Small tools\n\n## English\n\n")).toBe(true);
    for (const line of [
      "- [Curriculum vitae](https://site.test/en/cv): Işıl Örnek – Software Engineer",
      "- [CV as JSON](https://site.test/cv.json?lang=en): JSON Resume 1.x, with every date, link and certificate",
      "- [Terms \\[of use\\]](https://site.test/en/terms)",
      "## Türkçe",
      "- [Özgeçmiş](https://site.test/tr/cv): Işıl Örnek – Yazılım Mühendisi",
      "- [Koşullar](https://site.test/tr/terms)",
    ])
      expect(body.split("\n")).toContain(line);
  });

  test("promises replies in the owner's words, each language its own, from the moment they are written", async () => {
    const note = async (lang: "en" | "tr") =>
      (await get("/llms.txt")).body.split("\n").find((line) => line.includes(`/${lang}/contact)`));
    expect(await note("en")).toMatch(/ Replies usually come within 24 hours\.$/);
    await change(
      `INSERT INTO site_wording (reply_time) VALUES ('{"en": "Give me a week.", "tr": null}')`,
      "site.wording",
    );
    expect(await note("en")).toMatch(/ and profiles\. Give me a week\.$/);
    expect(await note("tr")).toMatch(/ 24 saat içinde gelir\.$/);
    await change("UPDATE site_wording SET shows_reply_time = false", "site.wording");
    expect(await note("en")).toMatch(/ and profiles\.$/);
    await change("DELETE FROM site_wording", "site.wording");
  });

  test("of sample content says that the person is made up, and leads nowhere", async () => {
    await change(
      "INSERT INTO sample_row (model, object_id, row_updated_at) SELECT 'cv.profile', id, updated_at FROM cv_profile",
      "cv.profile",
    );
    const { body } = await get("/llms.txt");
    expect(body).toMatch(/^# Işıl Örnek\n\n> Sample content: /);
    expect(body).not.toContain("](");
  });
});

test.each(["en", "tr"])(
  "the manifest in %s has the author's name and the icons of the site",
  async (lang) => {
    const answer = await get(`/manifest.webmanifest?lang=${lang}`);
    expect(answer.headers["content-type"]).toBe("application/manifest+json; charset=utf-8");
    expect(answer.json()).toMatchObject({
      name: "Işıl Örnek",
      short_name: "Işıl Örnek",
      lang,
      start_url: "/cv",
    });
  },
);

test.each<[string, string]>([
  ["/sitemap.xml", "application/xml; charset=utf-8"],
  ["/robots.txt", "text/plain; charset=utf-8"],
  ["/llms.txt", "text/plain; charset=utf-8"],
  ["/manifest.webmanifest", "application/manifest+json; charset=utf-8"],
])("%s is %s, costs no body while it is the same, and is another one after a change", async (url, type) => {
  const first = await get(url, { "accept-encoding": "br" });
  expect(first.headers).toMatchObject({
    "content-type": type,
    "content-encoding": "br",
    vary: "Accept-Encoding",
  });
  const ifNoneMatch = { "if-none-match": String(first.headers.etag) };
  expect((await get(url, ifNoneMatch)).statusCode).toBe(304);
  await change("UPDATE cv_profile SET name = 'Başkası', updated_at = now()", "cv.profile");
  expect((await get(url, ifNoneMatch)).statusCode).toBe(url === "/robots.txt" ? 304 : 200);
});

describe("security.txt", () => {
  test("names the owner's address, is good for less than a year, and says where it stands", async () => {
    await change("UPDATE cv_profile SET email = 'owner@foyer.example'", "cv.profile");
    const { statusCode, headers, body } = await get("/.well-known/security.txt");
    expect([statusCode, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(body).toMatch(
      /^Contact: mailto:owner@foyer\.example\nExpires: .+\nPreferred-Languages: en, tr\nCanonical: https:\/\/site\.test\/\.well-known\/security\.txt\n$/,
    );
    const expires = Date.parse(/Expires: (.*)/.exec(body)?.[1] ?? "");
    expect(expires).toBeGreaterThan(Date.now());
    expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
  });

  test("isn't there while there is no address, or only that of sample content", async () => {
    expect((await get("/.well-known/security.txt")).statusCode).toBe(404);
    await change(
      `UPDATE cv_profile SET email = 'made@up.example';
       INSERT INTO sample_row (model, object_id, row_updated_at) SELECT 'cv.profile', id, updated_at FROM cv_profile`,
      "cv.profile",
    );
    expect((await get("/.well-known/security.txt")).statusCode).toBe(404);
  });
});

test("password managers are led to the dialog that changes the password", async () => {
  const { statusCode, headers } = await get("/.well-known/change-password");
  expect([statusCode, headers.location]).toEqual([302, "/profile?dialog=password"]);
});
