import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Locator, type Page, type Route } from "@playwright/test";
import { unzipSync } from "fflate";
import type { Language } from "#contract/languages.ts";
import accountEn from "#locales/en/account.json" with { type: "json" };
import en from "#locales/en/profile.json" with { type: "json" };
import tr from "#locales/tr/profile.json" with { type: "json" };
import { AUTH_STATE_KEY } from "#providers/browser-storage.ts";
import { findBarriers } from "./barriers.ts";
import { listen } from "./complaints.ts";
import { readCode, waitForMail } from "./mailbox.ts";
import { test } from "./shared-site.ts";
import { signIn } from "./sign-in.ts";
import { LIN, REPOSITORY, type Site } from "./site.ts";

const TEXTS = { en, tr };

let site: Site;
test.beforeAll(({ sharedSite }) => {
  site = sharedSite;
});

const button = (place: Page | Locator, name: string) => place.getByRole("button", { name, exact: true });

async function open(page: Page, lang: Language = "en", query = ""): Promise<void> {
  await signIn(page, site.url, LIN);
  await page.goto(`${site.url}/${lang}/profile${query}`);
  await expect(page.getByRole("tab").first()).toBeVisible();
}

async function expectFine(page: Page): Promise<void> {
  // What moves in is seen at its end.
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  expect(await findBarriers(page)).toEqual([]);
  const overflow = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(overflow).toBeLessThanOrEqual(0);
}

for (const { scheme, lang, width, textSize } of [
  { scheme: "light", lang: "en", width: 1280, textSize: "100%" },
  { scheme: "dark", lang: "tr", width: 320, textSize: "100%" },
  { scheme: "light", lang: "tr", width: 320, textSize: "200%" },
] as const) {
  test(`every state in ${scheme}, ${lang}, ${width} px, text at ${textSize}: axe finds nothing, no page scrolls sideways`, async ({
    browser,
  }) => {
    const context = await browser.newContext({
      colorScheme: scheme,
      reducedMotion: "reduce",
      viewport: { width, height: 800 },
    });
    const page = await context.newPage();
    await page.addInitScript((size) => {
      addEventListener("DOMContentLoaded", () => {
        document.documentElement.style.fontSize = size;
      });
    }, textSize);
    const complaints = listen(page);
    const t = TEXTS[lang];
    await open(page, lang);
    await expectFine(page);
    await button(page, t.edit.edit).click();
    await page.locator('input[name="email"]').fill("nowhere");
    await button(page, t.edit.save).click();
    await expectFine(page);
    await button(page, t.edit.cancel).click();
    await expectFine(page);
    await button(page.getByRole("dialog"), t.leave.discard).click();
    await page.getByRole("tab", { name: t.page.activity }).click();
    await button(page, t.sessions.everywhere).click();
    await expectFine(page);
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: t.page.settings }).click();
    await expectFine(page);
    await button(page, t.data.delete).click();
    await expectFine(page);
    await page.keyboard.press("Escape");
    await button(page, t.card.changePassword).click();
    await button(page.getByRole("dialog"), t.password.submit).click();
    await expectFine(page);
    expect(complaints).toEqual([]);
    await context.close();
  });
}

/** The server says so, and this browser remembers it. */
async function pretendLongName(page: Page): Promise<void> {
  const display_name = "Katharina Wilhelmine von Hohenzollern-Sigmaringen und Altshausen";
  await page.route("**/api/users/me/", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), display_name } });
  });
  await page.evaluate(
    ([key, name]) => {
      const state = JSON.parse(localStorage.getItem(key) ?? "");
      localStorage.setItem(key, JSON.stringify({ ...state, user: { ...state.user, display_name: name } }));
    },
    [AUTH_STATE_KEY, display_name] as const,
  );
}

for (const { width, isLong } of [
  { width: 1280, isLong: false },
  { width: 360, isLong: true },
  { width: 320, isLong: false },
]) {
  test(`at ${width} px ${isLong ? "a long" : "the"} remembered name stands where the heading comes, before any script of the page is here`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await signIn(page, site.url, LIN);
    if (isLong) await pretendLongName(page);
    const held = Promise.withResolvers<void>();
    await page.route(/\/assets\/.*\.js/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${site.url}/en/profile`, { waitUntil: "commit" });
    const waiting = page.locator(".skeleton-title");
    const readName = () => waiting.evaluate((element) => getComputedStyle(element, "::before").content);
    await expect.poll(readName).toMatch(/^"/);
    const name = await readName();
    const place = await waiting.boundingBox();
    held.resolve();
    await expect(page.getByRole("tab").first()).toBeVisible();
    const heading = page.getByRole("heading", { level: 1 });
    expect(name).toBe(JSON.stringify(await heading.textContent()));
    // Edit stands beside it then, or nothing: its width is no matter.
    const { x, y, height } = place ?? { x: -1, y: -1, height: -1 };
    expect(await heading.boundingBox()).toMatchObject({ x, y, height });
  });
}

test("a new address counts once its code is typed, and the old one is notified", async ({ page }) => {
  await open(page);
  const field = page.locator('input[name="email"]');
  const [before, after] = [await field.inputValue(), `lin.${Date.now()}@example.org`];
  await button(page, en.edit.edit).click();
  await field.fill(after);
  await page.locator('input[name="current_password"]').fill(LIN.password);
  await button(page, en.edit.save).click();
  const card = page.getByRole("region", { name: en.newAddress.title });
  await expect(card).toContainText(after);
  await expectFine(page);
  await card.getByRole("textbox").first().focus();
  await page.keyboard.type(readCode(await waitForMail(site, after)));
  await expect(page.getByText(en.newAddress.done)).toBeVisible();
  await expect(card).toHaveCount(0);
  await expect(field).toHaveValue(after);
  await expect
    .poll(async () => (await waitForMail(site, before)).subject)
    .toMatch(/^The address of lin at .* was changed$/);
});

test("theme and language are kept with the account, and the page follows at once", async ({ page }) => {
  await open(page, "en", "?tab=settings");
  await page.getByLabel(en.settings.theme, { exact: true }).selectOption("dark");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByText(en.settings.saved)).toBeVisible();
  await page.getByLabel(en.settings.language, { exact: true }).selectOption("tr");
  await expect(page).toHaveURL(`${site.url}/tr/profile?tab=settings`);
  await expect(page.getByLabel(tr.settings.theme, { exact: true })).toHaveValue("dark");
  await page.getByLabel(tr.settings.language, { exact: true }).selectOption("en");
  await expect(page).toHaveURL(`${site.url}/en/profile?tab=settings`);
});

test("own data come as a zip file", async ({ page }) => {
  await open(page, "en", "?tab=settings");
  const coming = page.waitForEvent("download");
  await button(page, en.data.export).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^foyer-lin-\d{4}-\d\d-\d\d\.zip$/);
  const files = unzipSync(new Uint8Array(readFileSync(await download.path())));
  expect(Object.keys(files)).toEqual(expect.arrayContaining(["profile.json", "activity.json", "README.txt"]));
  await expect(page.getByText(en.data.exported)).toBeVisible();
});

test("another device's session can be ended here", async ({ page, browser }) => {
  // Those of the tests before this one would each have to be ended.
  const headers = { Authorization: `Bearer ${await signIn(page, site.url, LIN)}` };
  expect((await page.request.delete(`${site.url}/api/users/sessions/`, { headers })).ok()).toBe(true);
  const other = await (await browser.newContext()).newPage();
  await open(other);
  await open(page, "en", "?tab=activity");
  const sessions = page.getByRole("region", { name: en.sessions.title });
  await expect(sessions.getByText(en.sessions.this)).toBeVisible();
  const ends = sessions.getByRole("button", { name: /^Log out: / });
  for (let left = await ends.count(); left > 0; left--) {
    await ends.first().click();
    await expect(ends).toHaveCount(left - 1);
  }
  await other.reload();
  await expect(other).toHaveURL(/\/en\/login\?redirect=/);
  await other.context().close();
});

test("what is typed is there again after a reload, and a link asks before it is lost", async ({ page }) => {
  await open(page);
  await button(page, en.edit.edit).click();
  await page.getByLabel(en.form.bio, { exact: true }).fill("A long text.");
  page.once("dialog", (dialog) => dialog.accept());
  await page.reload();
  await expect(page.getByText(en.edit.restored)).toBeVisible();
  await expect(page.getByLabel(en.form.bio, { exact: true })).toHaveValue("A long text.");
  await page.getByRole("link", { name: "Contact", exact: true }).first().click();
  await button(page.getByRole("dialog"), en.leave.stay).click();
  await expect(page.getByLabel(en.form.bio, { exact: true })).toHaveValue("A long text.");
  await page.getByRole("link", { name: "Contact", exact: true }).first().click();
  await button(page.getByRole("dialog"), en.leave.discard).click();
  await expect(page).toHaveURL(`${site.url}/en/contact`);
  await page.goBack();
  await expect(button(page, en.edit.edit)).toBeVisible();
});

test("a session that ends while saving asks for the password in place, and goes on with what was typed", async ({
  page,
}) => {
  await open(page);
  await button(page, en.edit.edit).click();
  const bio = `Typed at ${Date.now()}`;
  await page.getByLabel(en.form.bio, { exact: true }).fill(bio);
  const refuse = (method: string) => (route: Route) =>
    route.request().method() === method ? route.fulfill({ status: 401, json: {} }) : route.fallback();
  await page.route("**/api/users/profile/", refuse("PUT"));
  await page.route("**/api/auth/token/refresh/", refuse("POST"));
  await button(page, en.edit.save).click();
  const dialog = page.getByRole("dialog", { name: accountEn.signInAgain.title });
  await expect(dialog.locator('input[name="password"]')).toBeFocused();
  await expectFine(page);
  await page.unrouteAll();
  await page.keyboard.type(LIN.password);
  await button(dialog, accountEn.signInAgain.submit).click();
  await expect(page.getByText(en.edit.saved)).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel(en.form.bio, { exact: true })).toHaveValue(bio);
});

test("a file that is no picture is refused before it is sent, and the edits stay", async ({ page }) => {
  await open(page);
  await button(page, en.edit.edit).click();
  await page.getByLabel(en.form.firstName, { exact: true }).fill("Ada");
  const text = readFileSync(join(REPOSITORY, "server/sample/files/linux.svg"));
  const control = page.getByLabel(en.picture.changeAvatar);
  await control.setInputFiles({ name: "me.svg", mimeType: "image/svg+xml", buffer: text });
  await expect(page.getByText(en.picture.wrongType)).toBeVisible();
  // A lie about its type gets as far as the browser, which can't draw it.
  await control.setInputFiles({ name: "me.png", mimeType: "image/png", buffer: text });
  await expect(page.getByText(en.picture.unreadable)).toBeVisible();
  await expect(page.getByLabel(en.form.firstName, { exact: true })).toHaveValue("Ada");
});

test("a changed password is the one that counts, and an account can be deleted", async ({ page }) => {
  await page.goto(`${site.url}/en/register`);
  await page.locator('input[name="username"]').fill("passing");
  await page.locator('input[name="email"]').fill("passing@example.org");
  for (const name of ["password", "password_confirm"])
    await page.locator(`input[name="${name}"]`).fill("Correct-Horse-2");
  await page.getByRole("checkbox", { name: accountEn.register.terms }).check();
  await button(page, accountEn.register.submit).click();
  await page.waitForURL(/verify-email/);
  await page.getByRole("textbox").first().focus();
  await page.keyboard.type(readCode(await waitForMail(site, "passing@example.org")));
  await page.waitForURL(/\/en\/profile$/);

  await button(page, en.card.changePassword).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(en.password.current, { exact: true }).fill("Correct-Horse-2");
  await dialog.getByLabel(accountEn.password.new, { exact: true }).fill("Correct-Horse-3");
  await dialog.getByLabel(accountEn.password.repeatNew, { exact: true }).fill("Correct-Horse-3");
  await button(dialog, en.password.submit).click();
  await expect(dialog.getByText(en.password.done)).toBeVisible();
  await button(dialog, en.password.close).click();

  await page.getByRole("tab", { name: en.page.settings }).click();
  await button(page, en.data.delete).click();
  await dialog.getByLabel(en.delete.password, { exact: true }).fill("Correct-Horse-2");
  await button(dialog, en.delete.confirm).click();
  await expect(dialog.locator('input[aria-invalid="true"]')).toBeFocused();
  await dialog.getByLabel(en.delete.password, { exact: true }).fill("Correct-Horse-3");
  await button(dialog, en.delete.confirm).click();
  await expect(page).toHaveURL(`${site.url}/en/cv`);
  await page.goto(`${site.url}/en/profile`);
  await expect(page).toHaveURL(/\/en\/login/);
});
