import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { openConsole } from "./sign-in.ts";
import { OWNER, REPOSITORY, Site } from "./site.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test.describe.configure({ mode: "default" });
let site: Site;
test.beforeAll(async () => {
  site = await Site.startPrepared();
  site.command("import", join(REPOSITORY, "test/resumes/engineer.en.json"), "--yes");
  site.command("import", join(REPOSITORY, "test/resumes/engineer.tr.json"), "--lang", "tr", "--yes");
});
test.afterAll(() => site?.remove());

async function openCertificates(page: Page): Promise<void> {
  await openConsole(page, site.url, "/admin/models");
  await page.getByRole("link", { name: /Certificates/ }).click();
  // Level 1: a card of the page before is headed so too, over a search box of its own.
  await expect(page.getByRole("heading", { name: "Certificates", level: 1 })).toBeVisible();
}

test("the address is the view: search, sort and filter survive reload, Back and odd characters", async ({
  page,
}) => {
  await openCertificates(page);
  await page.getByRole("searchbox", { name: "Search" }).fill("R&D #1 100%");
  await expect(page.getByText("No objects found")).toBeVisible();
  const address = page.url();
  await page.reload();
  await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue("R&D #1 100%");
  expect(page.url()).toBe(address);
  await page.getByRole("searchbox", { name: "Search" }).fill("POSTGRESQL");
  await expect(page.getByRole("link", { name: "PostgreSQL Administration" })).toBeVisible();
  await expect(page.getByRole("link", { name: "First Aid" })).toBeHidden();
  await page.getByRole("link", { name: "PostgreSQL Administration" }).click();
  await expect(page.getByLabel("Label (English)")).toHaveValue("PostgreSQL Administration");
  await page.goBack();
  await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue("POSTGRESQL");
});

test("a new certificate with a picture, made with a fault first, is on the page at once", async ({
  page,
}) => {
  await openCertificates(page);
  await page
    .getByRole("button", { name: "Create New" })
    .or(page.getByRole("link", { name: "Create New" }))
    .click();
  await page.getByLabel("Label (Turkish)").fill("Çevik Işık");
  await page.getByRole("textbox", { name: "Date" }).fill("2024-13");
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: PNG });
  await expect(page.getByRole("img", { name: /^Picture/ })).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Write the date as YYYY, YYYY-MM or YYYY-MM-DD.")).toBeVisible();
  await expect(page.getByLabel("Label (Turkish)")).toHaveValue("Çevik Işık");
  await page.getByRole("textbox", { name: "Date" }).fill("2024-12");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.waitForURL(/\/objects\/\d+/);
  const html = await (await fetch(`${site.url}/tr/cv`)).text();
  expect(html).toContain("Çevik Işık");
  expect(html).toMatch(/\/files\/[0-9a-f]{32}\.png/);
});

test("unsaved changes are not left without a question", async ({ page }) => {
  await openCertificates(page);
  await page.getByRole("link", { name: "First Aid" }).click();
  await page.getByLabel("Label (English)").fill("Second Aid");
  await page.goBack();
  const question = page.getByRole("dialog").filter({ hasText: "Leave without saving?" });
  await expect(question).toBeVisible();
  await question.getByRole("button", { name: "Stay and go on" }).click();
  await expect(page.getByLabel("Label (English)")).toHaveValue("Second Aid");
});

test("delete names what it deletes, and the page loses it", async ({ page }) => {
  // On a busy machine a press may begin on a button of a dialog that still grows, and end beside it.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openCertificates(page);
  await page.getByRole("button", { name: /Delete First Aid/ }).click();
  const question = page.getByRole("dialog").or(page.getByRole("tooltip"));
  await expect(question).toContainText("First Aid");
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("link", { name: "First Aid" })).toBeHidden();
  expect(await (await fetch(`${site.url}/en/cv`)).text()).not.toContain("First Aid");
});

test("logging out ends the session on the server too", async ({ page }) => {
  await openConsole(page, site.url, "/admin/models");
  const [request] = await Promise.all([
    page.waitForRequest(
      (sent) => sent.url().endsWith("/objects/") || sent.url().includes("/api/admin/models/"),
    ),
    page.reload(),
  ]);
  const authorization = (await request.allHeaders()).authorization ?? "";
  expect(authorization).toMatch(/^Bearer /);
  await page.getByRole("button", { name: "Log out" }).click();
  // More than one request may send a page whose session is over to the log-in.
  await expect(page).toHaveURL(/\/login/);
  await expect
    .poll(async () => (await fetch(`${site.url}/api/users/me/`, { headers: { authorization } })).status)
    .toBe(401);
});

test("a console that can't start says so, and Retry opens it", async ({ page }) => {
  let isDown = true;
  await page.route("**/api/admin/permissions/", (route) =>
    isDown ? route.fulfill({ status: 503, body: "<html>" }) : route.continue(),
  );
  await openConsole(page, site.url, "/admin/models");
  await expect(page.getByRole("heading", { name: "The Admin Panel could not be opened" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();
  isDown = false;
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("heading", { name: "Models" })).toBeVisible();

  // The same page in the smallest window: nothing is cut, and what the bar has no room for is in a menu.
  await page.setViewportSize({ width: 320, height: 640 });
  const brand = page.getByRole("banner").getByRole("link", { name: "Admin Panel" });
  await expect.poll(() => brand.evaluate((link) => link.scrollWidth <= link.clientWidth)).toBe(true);
  await page.getByRole("button", { name: `Account: ${OWNER.username}` }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Logged in as")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Logged in as")).toBeHidden();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /Türkçe/ }).click();
  await page.getByRole("link", { name: "Siteyi gör" }).press("Enter");
  await page.waitForURL(`${site.url}/tr/cv`);
});
