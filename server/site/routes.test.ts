import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { textPage } from "#contract/site/site.ts";
import { makePhoto, readPicture } from "#server/pictures/fixture.ts";
import { createTestApp, type TestApp } from "#test/app.ts";

// The process that draws previews takes its time to start on a busy machine.

let site: TestApp;
let staff: { authorization: string };
beforeAll(async () => {
  site = await createTestApp();
  staff = await site.signInAs(10);
  await site.database.pool.query(
    `INSERT INTO site_page (slug, title, body) VALUES
       ('terms', '{"en": "Terms", "tr": "Koşullar"}', '{"en": "Be **kind**.", "tr": "Nazik olun."}')
     ON CONFLICT (slug) DO UPDATE SET title = EXCLUDED.title, body = EXCLUDED.body`,
  );
});
afterAll(() => site.close());

const get = (url: string, headers: Record<string, string> = {}) => site.app.inject({ url, headers });

describe("GET /api/pages/terms/", () => {
  const EN = { lang: "en", title: "Terms", html: "<p>Be <strong>kind</strong>.</p>" };
  const TR = { lang: "tr", title: "Koşullar", html: "<p>Nazik olun.</p>" };
  test.each([
    ["?lang=en", {}, EN],
    ["?lang=tr", {}, TR],
    ["?lang=tr", { "accept-language": "en" }, TR],
    ["?lang=de", { "accept-language": "tr" }, EN],
    ["?lang=tr&lang=tr", {}, EN],
    ["?lang=", { "accept-language": "tr" }, EN],
    ["", { "accept-language": "tr-TR,tr;q=0.9,en;q=0.5" }, TR],
    ["", { cookie: "preferred-language=tr" }, TR],
    ["", {}, EN],
  ])("%s with %j", async (query, headers, page) => {
    const answer = await get(`/api/pages/terms/${query}`, headers);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ slug: "terms", ...page });
    expect(textPage.parse(answer.json())).toEqual(answer.json());
  });
});

test.each(["/api/pages/nothing/", "/api/pages/terms'--/", "/api/pages/%00/", "/api/pages/"])(
  "%s is the documented 404",
  async (url) => {
    const answer = await get(url, { "accept-language": "tr" });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({
      message: "Bulunamadı",
      code: "not_found",
      status: 404,
      errors: [],
      detail: "Bulunamadı",
      error: "Bulunamadı",
      request_id: answer.headers["x-request-id"],
    });
  },
);

test("the page of the registration follows who may register, from the moment that is said", async () => {
  const readScreen = async () => /"screen":"(\w+)"/.exec((await get("/en/register")).body)?.[1];
  expect(await readScreen()).toBe("register");
  for (const [sql, screen] of [
    ["INSERT INTO account_registration (mode) VALUES ('invitation')", "admission"],
    ["UPDATE account_registration SET mode = 'closed'", "admission"],
    ["UPDATE account_registration SET mode = 'open'", "register"],
  ] as const) {
    await site.database.pool.query(sql);
    site.feed.announce("accounts.registration");
    expect(await readScreen()).toBe(screen);
  }
});

/** Processes that draw for this one. */
function findDrawingProcesses(): string[] {
  return readdirSync("/proc").filter((entry) => {
    try {
      const parent = / \(.*\) \w (\d+) /s.exec(readFileSync(`/proc/${entry}/stat`, "utf8"))?.[1];
      return (
        parent === String(process.pid) &&
        readFileSync(`/proc/${entry}/cmdline`, "utf8").includes("pictures/child")
      );
    } catch {
      return false; // no process, or one that has just ended
    }
  });
}

describe("the preview picture", () => {
  const version = async (lang: string) =>
    String((await get(`/preview/${lang}.jpg`)).headers.etag).replaceAll('"', "");

  /** Uploads a photo and makes it the CV's. */
  /** @returns where it is stored. */
  async function setPhoto(content: Buffer): Promise<string> {
    const { authorization } = staff;
    const form = new FormData();
    const { rows } = await site.database.pool.query(
      "SELECT id FROM content_type WHERE model_name = 'profile'",
    );
    form.set("model", String(rows[0].id));
    form.set("field", "photo");
    form.set("file", new Blob([new Uint8Array(content)]), "photo.png");
    const body = new Response(form);
    const answer = await site.app.inject({
      method: "POST",
      url: "/api/admin/files/",
      headers: { authorization, "content-type": String(body.headers.get("content-type")) },
      payload: Buffer.from(await body.arrayBuffer()),
    });
    const key = answer.json().url.replace("/files/", "");
    await site.database.pool.query("UPDATE cv_profile SET photo = $1", [key]);
    return join(site.dataDir, "files", key.slice(0, 2), key);
  }

  test("is not there while the CV has no name, and nothing was started for it", async () => {
    for (const lang of ["en", "tr"]) {
      const answer = await get(`/preview/${lang}.jpg?v=1`);
      expect([answer.statusCode, answer.json().code]).toEqual([404, "not_found"]);
    }
    expect(findDrawingProcesses()).toEqual([]);
  });

  test.each(["/preview/de.jpg", "/preview/en.gif", "/preview/en", "/preview/.jpg", "/preview/EN.jpg"])(
    "is not there as %s",
    async (url) => {
      const answer = await get(url);
      expect([answer.statusCode, answer.json().code]).toEqual([404, "not_found"]);
    },
  );

  test("is drawn in both languages, cached for ever under the present address and checked under others", async () => {
    await site.database.pool.query(
      `INSERT INTO cv_profile (name, title) VALUES ('Işıl Örnek', '{"en": "Engineer", "tr": "Mühendis"}')`,
    );
    const versions = [await version("en"), await version("tr")];
    expect(new Set(versions).size).toBe(2);
    for (const [lang, v] of [
      ["en", versions[0]],
      ["tr", versions[1]],
    ] as const) {
      const answer = await get(`/preview/${lang}.jpg?v=${v}`);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({
        "content-type": "image/jpeg",
        "cache-control": "public, max-age=300, s-maxage=0, must-revalidate",
        "cross-origin-resource-policy": "cross-origin",
      });
      expect(await readPicture(answer.rawPayload)).toMatchObject({ width: 1200, height: 630 });
      for (const query of ["", "?v=", "?v=old", `?v=${v}&v=${v}`])
        expect((await get(`/preview/${lang}.jpg${query}`)).headers["cache-control"]).toBe("no-cache");
    }
    const again = await get(`/preview/en.jpg`, { "if-none-match": `"${versions[0]}"` });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  test("changes with the profile, and with it its address", async () => {
    const before = { v: await version("tr"), picture: (await get("/preview/tr.jpg")).rawPayload };
    await site.database.pool.query(`UPDATE cv_profile SET tagline = '{"en": null, "tr": "Özenle"}'`);
    const answer = await get(`/preview/tr.jpg?v=${before.v}`, { "if-none-match": `"${before.v}"` });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["cache-control"]).toBe("no-cache");
    expect(answer.rawPayload.equals(before.picture)).toBe(false);
    expect(await version("tr")).not.toBe(before.v);
  });

  test("shows the photo, and does without one that is broken", async () => {
    const isRed = async () =>
      (await readPicture((await get("/preview/en.jpg")).rawPayload, 0.1)).colours[0] === "f00";
    expect(await isRed()).toBe(false);
    await setPhoto(makePhoto("png"));
    expect(await isRed()).toBe(true);
    const other = makePhoto("jpeg");
    await writeFile(await setPhoto(other), other.fill(7, 60));
    expect((await get("/preview/en.jpg")).statusCode).toBe(200);
    expect(await isRed()).toBe(false);
  });

  test("is drawn by a process that ends with the server", async () => {
    const other = await createTestApp();
    await other.database.pool.query("INSERT INTO cv_profile (name) VALUES ('Ada')");
    const before = findDrawingProcesses();
    expect((await other.app.inject("/preview/en.jpg")).statusCode).toBe(200);
    expect(findDrawingProcesses().length).toBe(before.length + 1);
    await other.close();
    expect(findDrawingProcesses()).toEqual(before);
  });
});
