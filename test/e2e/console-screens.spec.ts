import { expect, test } from "@playwright/test";
import { findBarriers } from "./barriers.ts";
import { listen } from "./complaints.ts";
import { logIn } from "./console-log-in.ts";
import { type ConsoleScreen, fillConsole, listConsoleScreens } from "./console-screens.ts";
import { Site } from "./site.ts";

const site = new Site();
let screens: ConsoleScreen[] = [];
test.beforeAll(async () => {
  test.setTimeout(240_000);
  await site.start(180_000);
  site.createOwner();
  await fillConsole(site.url);
  screens = await listConsoleScreens(site.url);
});
test.afterAll(() => site.remove());

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
    test.setTimeout(300_000);
    const viewport = { width, height: 800 };
    const context = await browser.newContext({ colorScheme, locale, viewport, reducedMotion: "reduce" });
    await context.addInitScript((lang) => localStorage.setItem("preferred-language", lang), locale);
    const page = await context.newPage();
    const complaints = listen(page);
    await logIn(page, site.url, "/admin/models");
    for (const { name, path, open } of screens) {
      await page.goto(site.url + path);
      await page.waitForLoadState("networkidle");
      await expect(page.locator("[class*=skeleton]"), name).toHaveCount(0);
      await open?.(page);
      await page.waitForLoadState("networkidle");
      expect(await page.evaluate(() => document.documentElement.lang), name).toBe(locale);
      expect.soft(await findBarriers(page), name).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect.soft(overflow, name).toBeLessThanOrEqual(0);
      expect.soft(complaints.splice(0), name).toEqual([]);
    }
    await context.close();
  });
}
