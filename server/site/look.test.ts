import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { createCanvas, GlobalFonts } from "@napi-rs/canvas";
import { toShades } from "#contract/site/accent.ts";
import type { Look } from "#contract/site/site.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { buildLookStyle, DEFAULT_LOOK, toLook, toLookTags } from "./look.ts";

const REPOSITORY = join(import.meta.dirname, "../..");
const toTags = (look: Look) => toLookTags({ look, iconVersion: "v1" });
const PRELOAD = '<link rel="preload" href="/fonts/heading.woff2" as="font" type="font/woff2" crossorigin>';

describe("the style sheet of a look", () => {
  test("is not there while nothing differs from the product's", () => {
    expect(buildLookStyle(DEFAULT_LOOK)).toBe("");
    const svg = '<link rel="icon" href="/favicon.svg?v=v1" type="image/svg+xml">';
    expect(toTags(DEFAULT_LOOK).page.split("\n")).toEqual([
      '<link rel="icon" href="/favicon.ico?v=v1" sizes="32x32">',
      svg,
      '<link rel="apple-touch-icon" href="/apple-touch-icon.png?v=v1">',
      PRELOAD,
    ]);
    expect(toTags(DEFAULT_LOOK).console).toBe(svg);
  });

  test("has the shades of the accent for both themes, and nothing of what is as it was", () => {
    const { light, dark } = toShades("#c2185b");
    const style = buildLookStyle({ ...DEFAULT_LOOK, accent: "#c2185b" });
    expect(style).toContain(`--accent:light-dark(${light.accent}, ${dark.accent});`);
    expect(style).not.toMatch(/font|radius/);
  });

  test.each([
    ["circle", "--picture-radius:50%"],
    ["square", "--picture-radius:0"],
  ] as const)("a %s is a radius", (picture_shape, expected) => {
    expect(buildLookStyle({ ...DEFAULT_LOOK, picture_shape })).toBe(`html:root{${expected}}\n`);
  });

  test("every token that it sets is one of the design tokens", () => {
    const css = readFileSync(join(REPOSITORY, "src/ui/tokens.css"), "utf8");
    const style = buildLookStyle({ accent: "#c2185b", fonts: "system", picture_shape: "circle" });
    const names = [...style.matchAll(/[{;]--([\w-]+):/g)].map(([, name]) => name);
    expect(names).toHaveLength(6);
    for (const name of names) expect(css).toContain(`  --${name}: `);
  });

  test("of what is no colour nothing becomes style", () => {
    expect(toLook({ ...DEFAULT_LOOK, accent: "red}body{display:none" })).toEqual(DEFAULT_LOOK);
    expect(toLook(null)).toEqual(DEFAULT_LOOK);
  });

  test("the system's fonts need no file", () => {
    expect(toTags({ ...DEFAULT_LOOK, fonts: "system" }).page).not.toContain("preload");
  });
});

describe("Space Grotesk", () => {
  const style = buildLookStyle({ ...DEFAULT_LOOK, fonts: "grotesk" });
  /** As in src/ui/fonts.test.ts. */
  const SAMPLE = [
    "Curriculum vitae Tools Experience Education Certificates Get in touch Developer hub Log in Register Terms of use Privacy",
    "Özgeçmiş Araçlar Deneyim Eğitim Sertifikalar İletişime geçin Geliştirici merkezi Giriş yap Kayıt ol Kullanım koşulları Gizlilik",
  ].join("");
  /** How wide the sample is in each stand-in, in em: Arial Bold (and Liberation Sans, made to its widths), Roboto Bold, DejaVu Sans Bold. */
  const SAMPLE_EM = {
    "Grotesk as Arial": 116.889,
    "Grotesk as Roboto": 109.749,
    "Grotesk as DejaVu": 137.991,
  };

  function measure() {
    const family = "Grotesk under test";
    if (!GlobalFonts.registerFromPath(join(REPOSITORY, "public/fonts/grotesk.woff2"), family))
      throw new Error("the web font can't be read");
    const context = createCanvas(1, 1).getContext("2d");
    context.font = `600 1000px "${family}"`;
    const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText(SAMPLE);
    return {
      width: width / 1000,
      ascent: fontBoundingBoxAscent / 1000,
      descent: fontBoundingBoxDescent / 1000,
    };
  }

  test.each(Object.entries(SAMPLE_EM))("%s is as high and on average as wide", (family, em) => {
    const { width, ascent, descent } = measure();
    const toPercent = (part: number) => `${Math.round(part * 1000) / 10}%`;
    const scale = width / em;
    const rule = style.split("@font-face").find((part) => part.includes(`"${family}"`)) ?? "";
    expect(/size-adjust:(.+?);/.exec(rule)?.[1]).toBe(toPercent(scale));
    expect(/ascent-override:(.+?);/.exec(rule)?.[1]).toBe(toPercent(ascent / scale));
    expect(/descent-override:(.+?);/.exec(rule)?.[1]).toBe(toPercent(descent / scale));
  });

  test("is fetched with the page's styles, and no page changes to it once it is drawn", () => {
    const { page } = toTags({ ...DEFAULT_LOOK, fonts: "grotesk" });
    expect(page).toContain(
      '<link rel="preload" href="/fonts/grotesk.woff2" as="font" type="font/woff2" crossorigin>',
    );
    expect(page).not.toContain("heading.woff2");
    expect(style).toContain('url("/fonts/grotesk.woff2")');
    expect(style).toContain("font-display:optional");
  });

  test("headings ask for every stand-in, behind the web font", () => {
    const families = Object.keys(SAMPLE_EM).map((family) => `"${family}"`);
    expect(style).toContain(`--font-heading:"Space Grotesk",${families.join(",")},sans-serif`);
  });
});

describe("a look that is chosen", () => {
  let site: TestApp;
  let staff: string;
  let path: string;
  beforeAll(async () => {
    site = await createTestApp();
    staff = (await site.signInAs(10)).authorization;
    const models = await site.app.inject({ url: "/api/admin/models/", headers: { authorization: staff } });
    const look = models.json().models.find(({ model_name }: { model_name: string }) => model_name === "look");
    path = `/api/admin/models/${look.content_type_id}/objects/`;
  });
  afterAll(() => site.close());
  afterEach(() =>
    change("DELETE FROM site_look; DELETE FROM cv_profile; DELETE FROM site_settings", "site.look"),
  );

  async function change(sql: string, model: string): Promise<void> {
    await site.database.pool.query(sql);
    site.feed.announce(model);
  }

  const get = async (url: string) => site.app.inject({ url });
  const save = (payload: object) =>
    site.app.inject({ method: "POST", url: path, headers: { authorization: staff }, payload });
  const findSheet = (html: string) =>
    /<link rel="stylesheet" href="(\/look\.css\?v=[\w-]+)"(?: disabled)?>/.exec(html)?.[1];

  test("is on every page from the next answer on, and in the console", async () => {
    expect(findSheet((await get("/cv")).body)).toBeUndefined();
    expect((await save({ accent: "#E00000", picture_shape: "circle" })).statusCode).toBe(201);
    const sheet = findSheet((await get("/cv")).body);
    for (const url of ["/tr/contact", "/login", "/rooms", "/en/nothing-here", "/admin/x"])
      expect(findSheet((await get(url)).body)).toBe(sheet);
    expect((await get("/admin")).body).toContain('<meta name="accent" content="#e00000">');

    const answer = await get(String(sheet));
    expect(answer.headers).toMatchObject({
      "content-type": "text/css; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
    });
    expect(answer.body).toBe(
      buildLookStyle({ accent: "#e00000", fonts: "newsreader", picture_shape: "circle" }),
    );
    const page = await get("/cv");
    expect(page.body).toContain(`<style>${answer.body}</style>`);
    const hash = createHash("sha256").update(answer.body).digest("base64");
    expect(page.headers["content-security-policy"]).toContain(`'sha256-${hash}'; img-src`);
    expect((await get("/look.css?v=else")).headers["cache-control"]).toBe("no-cache");
  });

  test("what is no colour, no pair and no shape is refused at its field", async () => {
    const answer = await save({ accent: "red", fonts: "comic", picture_shape: "star" });
    expect(answer.statusCode).toBe(400);
    expect(
      answer
        .json()
        .errors.map(({ field }: { field: string }) => field)
        .sort(),
    ).toEqual(["accent", "fonts", "picture_shape"]);
  });

  test("an empty accent is the product's", async () => {
    const { accent } = (await save({ accent: null })).json();
    expect(accent).toBe(DEFAULT_LOOK.accent);
  });

  const findIcon = async () => String(/href="(\/favicon\.svg\?v=[\w-]+)"/.exec((await get("/cv")).body)?.[1]);

  test.each([
    ["/favicon.ico", "image/x-icon"],
    ["/favicon.svg", "image/svg+xml"],
    ["/apple-touch-icon.png", "image/png"],
    ["/icon-192.png", "image/png"],
    ["/icon-512.png", "image/png"],
  ])("the icon at %s is there from the start, for everybody", async (url, type) => {
    const answer = await get(url);
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, type]);
    expect(answer.headers["cache-control"]).toBe("no-cache");
    expect(answer.rawPayload.length).toBeGreaterThan(100);
    expect(Number(answer.headers["content-length"])).toBe(answer.rawPayload.length);
  });

  test("icons change with the name and the look, and their addresses with them", async () => {
    const own = await findIcon();
    expect((await get(own)).headers["cache-control"]).toContain("immutable");
    const mark = (await get(own)).body;
    await change("INSERT INTO cv_profile (name) VALUES ('Işıl Örnek')", "cv.profile");
    const named = await findIcon();
    expect(named).not.toBe(own);
    expect((await get(named)).body).not.toBe(mark);
    expect((await get(own)).headers["cache-control"]).toBe("no-cache");
    await save({ accent: "#e00000" });
    expect(await findIcon()).not.toBe(named);
    const { light } = toShades("#e00000");
    expect((await get("/favicon.svg")).body).toContain(`fill="${light.accent}"`);
  });

  test("icons and style sheet cost no statement until something of them changes, and no body when they are known", async () => {
    await save({ accent: "#e00000" });
    const [sheet, icon] = [await get("/look.css"), await get("/favicon.svg")];
    const headers = { "if-none-match": String(sheet.headers.etag) };
    const known = await site.app.inject({ url: "/look.css", headers });
    expect([known.statusCode, known.body]).toEqual([304, ""]);
    // Nobody is told of this yet, so that only a statement would find it.
    await site.database.pool.query("UPDATE site_look SET accent = '#0a5c36'");
    expect([(await get("/look.css")).body, (await get("/favicon.svg")).body]).toEqual([
      sheet.body,
      icon.body,
    ]);
    site.feed.announce("site.look");
    expect((await site.app.inject({ url: "/look.css", headers })).statusCode).toBe(200);
    expect((await get("/favicon.svg")).body).not.toBe(icon.body);
  });

  test("an icon that a browser has already costs no body", async () => {
    const { headers } = await get("/favicon.svg");
    const again = await site.app.inject({
      url: "/favicon.svg",
      headers: { "if-none-match": String(headers.etag) },
    });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });
});
