import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Cv } from "#contract/site/cv.ts";
import { fillTemplate } from "#server/http/pages/page-assets.ts";
import { applyFirstStart } from "#server/sample/first-start.ts";
import { render } from "#src/entry-server.tsx";
import { createTestApp, type TestApp } from "#test/app.ts";
import { SITE_INFO } from "#test/site-info.ts";

/**
 * Bytes of brotli, quality 11, which a page is served with from its second visit on. The template here is the source's;
 * the built one, with its addresses of chunks, adds about 230 bytes,
 * and the style sheets in it what bench/size-budget.mjs counts.
 */
const MAX_HTML_BYTES = 9_000;

let site: TestApp;
beforeAll(async () => {
  site = await createTestApp();
  await applyFirstStart(site.database.pool, { put: async () => {} });
});
afterAll(() => site.close());

test.each(["en", "tr"] as const)(
  "/cv in %s with the full sample content keeps to its budget",
  async (lang) => {
    const cv = (await site.app.inject({ url: `/api/cv/?lang=${lang}` })).json<Cv>();
    expect(cv.certificates).toHaveLength(15);
    const { head, body, state } = render({
      path: "/cv",
      prefix: `/${lang}`,
      lang,
      origin: "https://foyer.example",
      today: "2026-11-20",
      site: SITE_INFO,
      data: { screen: "cv", cv },
    });
    const html = fillTemplate(readFileSync("index.html", "utf8"), { lang, head, body, state });
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
    expect(brotliCompressSync(html, { params }).length).toBeLessThanOrEqual(MAX_HTML_BYTES);
  },
);
