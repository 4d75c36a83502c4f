import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { chromium } from "playwright-core";
import { fillConsole, listConsoleScreens } from "./console-screens.ts";
import { openConsole } from "./sign-in.ts";
import { OWNER, REPOSITORY, Site } from "./site.ts";

/**
 * `npm run pictures [-- names…]`: every screen of the console in two themes, two languages and two widths, into
 * `docs/pictures/console`. They are for looking at: whoever changes a screen makes them again.
 */
const FOLDER = join(REPOSITORY, "docs/pictures/console");
const WIDTHS = [
  { name: "wide", viewport: { width: 1280, height: 800 } },
  { name: "phone", viewport: { width: 360, height: 740 } },
] as const;
const WEBP_QUALITY = 40;

async function toWebp(png: Buffer): Promise<Buffer> {
  const image = await loadImage(png);
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.encode("webp", WEBP_QUALITY);
}

const only = process.argv.slice(2);
const site = new Site({ byReadme: true });
await site.start();
const browser = await chromium.launch({
  executablePath: process.env.FOYER_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--disable-gpu", "--no-first-run", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
});
try {
  site.createSuperuser(OWNER);
  await fillConsole(site.url);
  const screens = (await listConsoleScreens(site.url)).filter(
    ({ name }) => only.length === 0 || only.includes(name),
  );
  mkdirSync(FOLDER, { recursive: true });
  for (const lang of ["en", "tr"] as const)
    for (const colorScheme of ["light", "dark"] as const)
      for (const { name: width, viewport } of WIDTHS) {
        const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
        await context.addInitScript((chosen) => localStorage.setItem("preferred-language", chosen), lang);
        const page = await context.newPage();
        await openConsole(page, site.url, "/admin/models");
        for (const { name, path, open } of screens) {
          await page.goto(site.url + path);
          await page.waitForLoadState("networkidle");
          await page.locator("[class*=skeleton]").first().waitFor({ state: "detached" });
          await open?.(page);
          await page.waitForLoadState("networkidle");
          const file = join(FOLDER, `${name}-${width}-${colorScheme}-${lang}.webp`);
          writeFileSync(file, await toWebp(await page.screenshot()));
        }
        await context.close();
        console.log(`${lang}, ${colorScheme}, ${width}: ${screens.length} pictures`);
      }
} finally {
  await browser.close();
  await site.remove();
}
