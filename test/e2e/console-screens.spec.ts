import { expect } from "@playwright/test";
import { findBarriers } from "./barriers.ts";
import { listen } from "./complaints.ts";
import { type ConsoleScreen, listConsoleScreens } from "./console-screens.ts";
import { test } from "./shared-site.ts";
import { signIn } from "./sign-in.ts";
import type { Site } from "./site.ts";

let site: Site;
let screens: ConsoleScreen[] = [];
test.beforeAll(async ({ sharedSite }) => {
  site = sharedSite;
  screens = await listConsoleScreens(site.url);
});

const LISTS = ["list", "users", "access-levels", "actions"];
const NOT_FOUND = /^(Page not found|Sayfa bulunamadı)$/;
/** Of the test's own script and axe's, which come to every frame: in the one of a page's preview nothing runs. */
const OF_THE_TEST = /^Blocked script execution in 'about:srcdoc'/;
const LOOKS = [
  { colorScheme: "light", locale: "en", width: 1280 },
  { colorScheme: "dark", locale: "tr", width: 320 },
] as const;
/** With `FOYER_ALL_LOOKS=1`: the other way about as well. */
const OTHER_LOOKS = [
  { colorScheme: "light", locale: "tr", width: 320 },
  { colorScheme: "dark", locale: "en", width: 1280 },
] as const;

for (const { colorScheme, locale, width } of process.env.FOYER_ALL_LOOKS
  ? [...LOOKS, ...OTHER_LOOKS]
  : LOOKS) {
  test(`every screen in ${colorScheme}, ${locale}, ${width} px: axe finds nothing, no page scrolls sideways, nothing complains`, async ({
    browser,
  }) => {
    const viewport = { width, height: 800 };
    const context = await browser.newContext({ colorScheme, locale, viewport, reducedMotion: "reduce" });
    await context.addInitScript((lang) => localStorage.setItem("preferred-language", lang), locale);
    const page = await context.newPage();
    const complaints = listen(page);
    await signIn(page, site.url);
    for (const [place, { name, path, open }] of screens.entries()) {
      const before = screens[place - 1];
      // What was looked at and left alone is opened no second time.
      if (before?.path !== path || before.open) {
        await page.goto(site.url + path);
        await page.waitForLoadState("networkidle");
      }
      await expect(page.locator("h1").first(), name).toBeVisible();
      // An address without a screen would pass everything else.
      await expect(page.getByRole("heading", { name: NOT_FOUND }), name).toHaveCount(+(name === "not-found"));
      await expect(page.locator("[class*=skeleton]"), name).toHaveCount(0);
      await open?.(page);
      expect(await page.evaluate(() => document.documentElement.lang), name).toBe(locale);
      expect.soft(await findBarriers(page), name).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect.soft(overflow, name).toBeLessThanOrEqual(0);
      const said = complaints.splice(0).filter((text) => !OF_THE_TEST.test(text));
      expect.soft(said, name).toEqual([]);
    }
    await context.close();
  });
}

test("at 360 × 740 the first rows of every list stand on the first screen, and what is pressed fits a thumb", async ({
  browser,
}) => {
  const viewport = { width: 360, height: 740 };
  const context = await browser.newContext({ viewport, hasTouch: true, reducedMotion: "reduce" });
  const page = await context.newPage();
  const token = await signIn(page, site.url);
  // A security alert stands above every screen until somebody has seen it, as that of the staff whom other tests have made.
  const headers = { Authorization: `Bearer ${token}` };
  const { up_to } = await (await page.request.get(`${site.url}/api/admin/alerts/`, { headers })).json();
  if (up_to > 0) {
    const seen = { headers, data: { up_to } };
    expect((await page.request.post(`${site.url}/api/admin/alerts/seen/`, seen)).status()).toBe(200);
  }
  for (const { name, path } of screens.filter(({ name }) => LISTS.includes(name))) {
    await page.goto(site.url + path);
    const second = page.locator("[data-row-key]").nth(1);
    await second.waitFor();
    expect.soft((await second.boundingBox())?.y, name).toBeLessThan(0.6 * viewport.height);
    for (const button of await page.locator("main .ant-btn:visible, main .choose-cell label:visible").all()) {
      const { width = 0, height = 0 } = (await button.boundingBox()) ?? {};
      expect.soft(Math.min(width, height), name).toBeGreaterThanOrEqual(44);
    }
  }
  await context.close();
});
