import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { waitForApp } from "./app-ready.ts";
import { findBarriers } from "./barriers.ts";
import { listen } from "./complaints.ts";
import { OWNER, REPOSITORY, Site } from "./site.ts";

// One imported site for all of them.
test.describe.configure({ mode: "default" });
let site: Site;
test.beforeAll(async () => {
  site = await Site.startPrepared();
  site.command("import", join(REPOSITORY, "test/resumes/engineer.en.json"), "--yes");
  site.command("import", join(REPOSITORY, "test/resumes/engineer.tr.json"), "--lang", "tr", "--yes");
});
test.afterAll(() => site?.remove());

const PATHS = ["cv", "contact", "dev", "terms", "privacy", "login", "nowhere"].flatMap((path) => [
  `/en/${path}`,
  `/tr/${path}`,
]);

for (const scheme of ["light", "dark"] as const) {
  for (const path of PATHS) {
    test(`${path} in ${scheme} hydrates without a complaint, fits 320 px, and axe finds nothing`, async ({
      page,
    }) => {
      const complaints = listen(page);
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width: 320, height: 700 });
      const answer = await page.goto(`${site.url}${path}`);
      expect(answer?.status()).toBe(path.endsWith("nowhere") ? 404 : 200);
      await waitForApp(page);
      await page.waitForLoadState("networkidle");
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      expect(await findBarriers(page)).toEqual([]);
      expect(complaints.filter((text) => !text.includes("status of 404"))).toEqual([]);
    });
  }
}

test("no page waits for a style sheet, and a move brings those of the next page", async ({ page }) => {
  const listSheets = () =>
    page.evaluate(() =>
      (
        performance.getEntriesByType("resource") as (PerformanceResourceTiming & {
          renderBlockingStatus: string;
        })[]
      )
        .map(({ name, renderBlockingStatus }) => ({ path: new URL(name).pathname, renderBlockingStatus }))
        .filter(({ path }) => path.endsWith(".css")),
    );
  await page.goto(`${site.url}/en/cv`);
  await waitForApp(page);
  await page.waitForLoadState("networkidle");
  // Those for paper and for the certificates' dialog come beside it.
  const first = await listSheets();
  expect(first.filter(({ renderBlockingStatus }) => renderBlockingStatus !== "non-blocking")).toEqual([]);
  expect(first.map(({ path }) => path.replace(/-[\w-]{8}\.css$/, "")).sort()).toEqual([
    "/assets/print",
    "/assets/viewer",
  ]);
  await page.locator("header").getByRole("link", { name: "Contact", exact: true }).first().click();
  await page.locator("form").first().waitFor();
  // As it is when the browser asks for the page itself.
  const readWidth = () =>
    page
      .locator("form")
      .first()
      .evaluate((form) => form.getBoundingClientRect().width);
  const moved = await readWidth();
  expect((await listSheets()).length).toBeGreaterThan(first.length);
  await page.reload();
  await waitForApp(page);
  expect(await readWidth()).toBe(moved);
});

test("every word of the CV is there without JavaScript", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.url}/tr/cv`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Işıl Örnek");
  await expect(page.getByText("PostgreSQL Yönetimi")).toBeVisible();
  await context.close();
});

test("a wrong password is shown beside the form and nothing typed is lost", async ({ page }) => {
  await page.goto(`${site.url}/en/login`);
  await page.getByLabel("Username").fill(OWNER.username);
  await page.getByLabel("Password", { exact: true }).fill("wrong");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(page.getByRole("alert")).toHaveText("Invalid username or password");
  await expect(page.getByLabel("Username")).toHaveValue(OWNER.username);
});

test("the console asks who one is, and comes back to where one was going", async ({ page }) => {
  await page.goto(`${site.url}/admin/models?from=link`);
  await page.waitForURL(/\/login\?redirect=/);
  await page.getByLabel("Username").fill(OWNER.username);
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.waitForURL(/\/admin\/models\?from=link/);
});

test("a redirect never leaves the site", async ({ page }) => {
  await page.goto(`${site.url}/en/login?redirect=//evil.test/x`);
  await page.getByLabel("Username").fill(OWNER.username);
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.waitForURL(/\/admin/);
  expect(new URL(page.url()).origin).toBe(site.url);
});
