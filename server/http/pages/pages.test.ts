import { createHash } from "node:crypto";
import { brotliDecompressSync } from "node:zlib";
import accepts from "@fastify/accepts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import Fastify from "fastify";
import { NO_SITE } from "#server/site/service.ts";
import { createTestApp, PLAIN_ASSETS, PLAIN_STYLE, type TestApp } from "#test/app.ts";
import { until } from "#test/until.ts";
import type { App } from "../zod.ts";
import { type ContentSources, toPageDefinitions } from "./page-definitions.ts";
import { type LookTags, registerPages } from "./pages.ts";

describe("page definitions", () => {
  const asked: string[] = [];
  const SOURCES: ContentSources = {
    cv: { models: ["cv.profile"], load: async () => null },
    contact: { models: [], load: async () => ({ screen: "contact", draft: null }) },
    register: { models: [], load: async () => ({ screen: "register" }) },
    dev: { models: ["cv.project"], load: async () => null },
    text: {
      models: ["site.page"],
      async load(lang, path) {
        asked.push(`${lang} ${path}`);
        return null;
      },
    },
  };

  test("every address of a screen with content asks that content's source, which is given the address", async () => {
    const [text, ...others] = toPageDefinitions(SOURCES).filter(({ screen }) => screen === "text");
    expect([text?.path, text?.models, others]).toEqual(["/:page", ["site.page"], []]);
    for (const path of ["/terms", "/impressum"]) await text?.load("tr", path);
    expect(asked).toEqual(["tr /terms", "tr /impressum"]);
  });

  test("a screen without content of its own is its name, at all its addresses", async () => {
    const rooms = toPageDefinitions(SOURCES).filter(({ screen }) => screen === "rooms");
    expect(rooms.map(({ path }) => path)).toEqual(["/rooms", "/rooms/:room"]);
    for (const { models, load, path } of rooms)
      expect([models, await load("en", path)]).toEqual([[], { screen: "rooms" }]);
  });

  test("a screen without an address has no page", () => {
    const screens = toPageDefinitions(SOURCES).map(({ screen }) => screen);
    expect(screens).not.toContain("not-found");
    expect(screens).not.toContain("unsubscribe");
  });
});

describe("pages", () => {
  let site: TestApp;
  beforeAll(async () => {
    site = await createTestApp();
  });
  afterAll(() => site.close());

  const get = (url: string, headers: Record<string, string> = {}) => site.app.inject({ url, headers });

  /** Resolves when everybody in this process has been notified of the model: those who subscribed earlier are notified earlier. */
  const receive = (model: string) =>
    new Promise<void>((resolve) => site.feed.subscribe((key) => key === model && resolve()));

  test.each<[string, Record<string, string>, string]>([
    ["/cv", {}, "en"],
    ["/cv", { "accept-language": "tr-TR,tr;q=0.9,en;q=0.8" }, "tr"],
    ["/cv", { "accept-language": "de" }, "en"],
    ["/cv", { "accept-language": "tr", cookie: "preferred-language=en" }, "en"],
    ["/cv", { "accept-language": "en", cookie: "preferred-language=tr" }, "tr"],
    ["/cv", { "accept-language": "en", cookie: "preferred-language=xx" }, "en"],
    ["/en/cv", { "accept-language": "tr", cookie: "preferred-language=tr" }, "en"],
    ["/tr/cv", { "accept-language": "en" }, "tr"],
  ])("%s with %j is in %s", async (url, headers, lang) => {
    const answer = await get(url, headers);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-language"]).toBe(lang);
    expect(answer.body).toContain(`<html lang="${lang}">`);
    expect(answer.body).toContain(`"lang":"${lang}"`);
  });

  test.each(["/%", "/api/%zz", `/api/admin/models/${"1".repeat(300)}/`])(
    "%s, which no route can read, is answered like any other that does not exist",
    async (url) => {
      const answer = await get(url, { "accept-language": "tr" });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: "not_found", status: 404, message: "Bulunamadı" });
      expect(answer.headers).toMatchObject({
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
      expect(answer.json().request_id).toBe(answer.headers["x-request-id"]);
    },
  );

  test("an address of the API is no page, whatever its query", async () => {
    expect((await get("/api?x")).headers["content-type"]).toMatch("application/json");
  });

  test("only the negotiated address varies by who asks", async () => {
    expect((await get("/cv")).headers.vary).toBe("Accept-Encoding, Accept-Language, Cookie");
    expect((await get("/en/cv")).headers.vary).toBe("Accept-Encoding");
  });

  test("a page that is still the same costs no body", async () => {
    const { headers } = await get("/cv");
    const again = await get("/cv", { "if-none-match": String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  test("brotli is served to who takes it, and to nobody else", async () => {
    const br = await get("/cv", { "accept-encoding": "gzip, deflate, br" });
    expect(br.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe((await get("/cv")).body);
    expect((await get("/cv", { "accept-encoding": "gzip" })).headers["content-encoding"]).toBe("gzip");
    expect(
      (await get("/cv", { "accept-encoding": "br;q=0, gzip;q=0" })).headers["content-encoding"],
    ).toBeUndefined();
  });

  test.each([
    ["*", "br"],
    ["br;q=0, *;q=0.5", "gzip"],
    ["gzip, br;q=0.1", "br"],
    ["identity", undefined],
    ["", undefined],
  ])("of what a client takes (%s), the smallest is served: %s", async (accepted, coding) => {
    expect((await get("/cv", { "accept-encoding": accepted })).headers["content-encoding"]).toBe(coding);
  });

  test("styles stand in the page, behind what the head says, and its policy takes them and no others", async () => {
    const { body, headers } = await get("/cv");
    expect(body).toContain(
      `<style>${PLAIN_STYLE}</style><link rel="stylesheet" href="/assets/plain.css" disabled>`,
    );
    const hash = createHash("sha256").update(PLAIN_STYLE).digest("base64");
    expect(headers["content-security-policy"]).toContain(`; style-src 'self' 'sha256-${hash}'; `);
  });

  test("public pages allow no inline script", async () => {
    const policy = String((await get("/cv")).headers["content-security-policy"]);
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toContain("unsafe");
  });

  test("a change is on the page as soon as its notice is here, whoever wrote it", async () => {
    await get("/tr/cv");
    const { pool } = site.database;
    await pool.query(`INSERT INTO cv_certificate (label) VALUES ('{"en": "Fresh", "tr": "Taze"}')`);
    expect((await get("/tr/cv")).body).not.toContain("Taze");
    const received = receive("cv.certificate");
    await pool.query("SELECT pg_notify('foyer_changed', 'cv.certificate')");
    await received;
    expect((await get("/tr/cv")).body).toContain("Taze");
    expect((await get("/en/cv")).body).toContain("Fresh");
  });

  test("after the listening connection broke, no page is stale", async () => {
    const { pool } = site.database;
    await get("/en/cv");
    await pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'foyer changes'",
    );
    await until(() => !site.feed.isLive());
    await pool.query(`INSERT INTO cv_certificate (label) VALUES ('{"en": "While deaf", "tr": null}')`);
    expect((await get("/en/cv")).body).toContain("While deaf");
    await until(() => site.feed.isLive());
    await pool.query(`INSERT INTO cv_certificate (label) VALUES ('{"en": "After", "tr": null}')`);
    const received = receive("cv.certificate");
    await pool.query("SELECT pg_notify('foyer_changed', 'cv.certificate')");
    await received;
    expect((await get("/en/cv")).body).toContain("After");
  });

  test.each(["/nowhere", "/tr/nowhere", "/cv/nowhere", "/%00", "/..%2f..%2fetc/passwd"])(
    "%s is the not-found page with status 404",
    async (url) => {
      const answer = await get(url, { accept: "text/html" });
      expect(answer.statusCode).toBe(404);
      expect(answer.body).toContain('"screen":"not-found"');
    },
  );

  test("an unknown address of the API is an envelope, not a page", async () => {
    const answer = await get("/api/nowhere/");
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ code: "not_found", status: 404, message: "Not found" });
  });

  test("the console's shell has a new nonce each time and is never cached", async () => {
    const [a, b] = [await get("/admin"), await get("/admin/models/5?search=x")];
    expect(a.statusCode).toBe(200);
    expect(a.headers["cache-control"]).toBe("no-store");
    expect(a.headers["content-security-policy"]).not.toBe(b.headers["content-security-policy"]);
  });

  test("the console may call nobody but its own site: a library's telemetry is blocked", async () => {
    const policy = String((await get("/admin")).headers["content-security-policy"]);
    const rules = new Map(policy.split("; ").map((rule) => [rule.split(" ")[0], rule]));
    // Without a connect-src of its own, requests and beacons follow default-src.
    expect(rules.get("connect-src") ?? rules.get("default-src")).toMatch(/^(connect|default)-src 'self'$/);
    expect(rules.get("img-src")).toBe("img-src 'self' data: blob:");
    expect(rules.get("script-src")).toBe("script-src 'self'");
  });

  describe("a forged Host header", () => {
    test("is on no page of a site that knows its address", async () => {
      expect((await get("/cv", { host: "evil.test" })).body).toContain("https://site.test/cv");
    });

    test("reaches no other visitor's page of a site that doesn't", async () => {
      const open = await createTestApp({ publicUrl: null });
      try {
        const ask = async (host: string) => (await open.app.inject({ url: "/cv", headers: { host } })).body;
        expect(await ask("evil.test")).toContain("http://evil.test/cv");
        expect(await ask("site.test")).toContain("http://site.test/cv");
        expect(await ask("site.test")).not.toContain("evil.test");
      } finally {
        await open.close();
      }
    });
  });
});

describe("a look", () => {
  let app: App;
  let isLive: boolean;
  let loadLook: () => Promise<LookTags>;
  const toTags = (style: string): LookTags => ({ page: `<style>${style}</style>`, console: style, style });
  beforeEach(async () => {
    isLive = true;
    app = Fastify() as unknown as App; // these pages have no schema
    await app.register(accepts);
    const definitions = toPageDefinitions({
      cv: { models: [], load: async () => null },
      contact: { models: [], load: async () => ({ screen: "contact", draft: null }) },
      register: { models: [], load: async () => ({ screen: "register" }) },
      dev: { models: [], load: async () => null },
      text: { models: [], load: async () => null },
    });
    const nothing = () => undefined;
    const done = async () => undefined;
    const feed = { subscribe: nothing, subscribeRows: nothing, announce: nothing, ping: done, close: done };
    registerPages(app, {
      assets: PLAIN_ASSETS,
      feed: { ...feed, isLive: () => isLive },
      site: {
        models: [],
        datedBy: [],
        load: async () => NO_SITE,
        loadLook: () => loadLook(),
        none: NO_SITE,
        noLook: toTags("none"),
      },
      definitions,
      publicUrl: undefined,
      now: () => new Date(),
    });
  });
  afterEach(() => app.close());

  test("that changes while a page is answered is on the next one, whole: the policy takes the style that the page has", async () => {
    let reads = 0;
    loadLook = async () => toTags(`look ${++reads}`);
    isLive = false; // nothing is kept: each read gives another one
    for (let answers = 0; answers < 2; answers++) {
      const { body, headers } = await app.inject("/en/contact");
      const style = /<style>(look \d)<\/style>/.exec(body)?.[1] ?? "";
      const hash = createHash("sha256").update(style).digest("base64");
      expect(headers["content-security-policy"]).toContain(`'sha256-${hash}'`);
    }
  });

  test("isn't waited for by the console while the database is away: it has the one that was read last", async () => {
    const never = () => new Promise<LookTags>(() => undefined);
    const getShell = async () => (await app.inject("/admin")).body;
    loadLook = never;
    isLive = false;
    expect(await getShell()).toContain("none");
    isLive = true;
    loadLook = async () => toTags("own");
    expect(await getShell()).toContain("own");
    loadLook = never;
    isLive = false;
    expect(await getShell()).toContain("own");
  });
});
