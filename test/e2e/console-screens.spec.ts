import { expect, test } from "@playwright/test";
import { findBarriers } from "./barriers.ts";
import { listen } from "./complaints.ts";
import { logIn } from "./console-log-in.ts";
import { type ConsoleScreen, fillConsole, listConsoleScreens } from "./console-screens.ts";
import { Site } from "./site.ts";

/**
 * antd's parts measure scroll bars and lock scrolling through style elements without the nonce; refused, they fall back to what
 * the console's own CSS does (rc-util, https://github.com/react-component/util/issues/613).
 */
const MEASURING_STYLE = /^Applying inline style violates/;

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

for (const { colorScheme, locale, width } of [
  { colorScheme: "light", locale: "en", width: 1280 },
  { colorScheme: "dark", locale: "tr", width: 320 },
  { colorScheme: "light", locale: "tr", width: 320 },
  { colorScheme: "dark", locale: "en", width: 1280 },
] as const) {
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
      expect
        .soft(
          complaints.splice(0).filter((text) => !MEASURING_STYLE.test(text)),
          name,
        )
        .toEqual([]);
    }
    await context.close();
  });
}
