import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { chromium, type Page } from "playwright-core";
import { fillConsole, listConsoleScreens } from "./console-screens.ts";
import { openConsole } from "./sign-in.ts";
import { OWNER, REPOSITORY, Site } from "./site.ts";

/**
 * `npm run pictures [-- names…]`: every screen of the console in two themes, two languages and two widths, into `pictures/`, which
 * git ignores. They are for looking at before and after a change of a screen; `docs/pictures` has the few that a page shows.
 */
const FOLDER = join(REPOSITORY, "pictures");
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

/** A busy machine has nothing on the network before its first drawing either: the heading says that the screen is there. */
async function waitForScreen(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.locator("[class*=skeleton]").first().waitFor({ state: "detached" });
  await page.waitForLoadState("networkidle");
}

const only = process.argv.slice(2);
const site = new Site({ byReadme: true });
await site.start();
const browser = await chromium.launch({
  executablePath: process.env.FOYER_CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  args: ["--disable-gpu", "--no-first-run", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
});
try {
  site.createSuperuser(OWNER);
  await fillConsole(site.url);
  const all = await listConsoleScreens(site.url);
  const unknown = only.filter((name) => !all.some((screen) => screen.name === name));
  if (unknown.length > 0)
    throw new Error(`no screen ${unknown.join(", ")}; there are ${all.map(({ name }) => name).join(", ")}`);
  const screens = all.filter(({ name }) => only.length === 0 || only.includes(name));
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
          await waitForScreen(page);
          await open?.(page);
          await page.waitForLoadState("networkidle");
          const file = join(FOLDER, `${name}-${width}-${colorScheme}-${lang}.webp`);
          writeFileSync(file, await toWebp(await page.screenshot()));
        }
        await context.close();
        console.log(`${lang}, ${colorScheme}, ${width}: ${screens.length} pictures`);
      }
  console.log(`They are in ${FOLDER}`);
} finally {
  await browser.close();
  await site.remove();
}
