import { type CDPSession, expect, type Page, test } from "@playwright/test";
import type { Language } from "#contract/languages.ts";
import accountEn from "#locales/en/account.json" with { type: "json" };
import errorsEn from "#locales/en/errors.json" with { type: "json" };
import identityEn from "#locales/en/identity.json" with { type: "json" };
import profileEn from "#locales/en/profile.json" with { type: "json" };
import accountTr from "#locales/tr/account.json" with { type: "json" };
import errorsTr from "#locales/tr/errors.json" with { type: "json" };
import identityTr from "#locales/tr/identity.json" with { type: "json" };
import profileTr from "#locales/tr/profile.json" with { type: "json" };
import { findBarriers } from "./barriers.ts";
import { listen } from "./complaints.ts";
import { LIN, OWNER, type Person, Site } from "./site.ts";

const TEXTS = {
  en: { account: accountEn, errors: errorsEn, identity: identityEn, security: profileEn.security },
  tr: { account: accountTr, errors: errorsTr, identity: identityTr, security: profileTr.security },
};

let site: Site;
/** Passkeys need a name: browsers have none at an IP address. */
let url: string;
test.beforeAll(async () => {
  site = await Site.startPrepared();
  await site.stop();
  site.settings = { SECOND_FACTOR_LEVEL: "10" };
  await site.start();
  url = site.url.replace("127.0.0.1", "localhost");
});
test.afterAll(() => site?.remove());

/** A device that keeps passkeys and has a finger on it. @returns how to lose it. */
async function addDevice(devtools: CDPSession): Promise<() => Promise<void>> {
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async () => {
    await devtools.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
  };
}

const isIn = (page: Page) => expect(page).toHaveURL(/\/admin/);

/** As after logging out: the server's half of a session is other tests' subject. */
async function openLogin(page: Page, lang: Language): Promise<void> {
  // Where no app runs that would lead elsewhere by itself.
  await page.goto(`${url}/robots.txt`);
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${url}/${lang}/login`);
}

async function typePassword(page: Page, lang: Language, { username, password }: Person): Promise<void> {
  const { login, password: words } = TEXTS[lang].account;
  await page.getByLabel(login.name, { exact: true }).fill(username);
  await page.getByLabel(words.label, { exact: true }).fill(password);
  await page.getByRole("button", { name: login.submit, exact: true }).click();
}

async function openSecurity(page: Page, lang: Language): Promise<void> {
  await page.goto(`${url}/${lang}/profile?tab=security`);
  await expect(page.getByRole("heading", { name: TEXTS[lang].security.passkeys })).toBeVisible();
}

const RUNS = [
  { lang: "en", width: 1280, colorScheme: "light", person: OWNER },
  { lang: "tr", width: 360, colorScheme: "dark", person: LIN },
] as const;

for (const { lang, width, colorScheme, person } of RUNS) {
  test(`${lang} at ${width} px: a passkey is registered, used and lost, and the account recovered`, async ({
    browser,
  }) => {
    const viewport = { width, height: 800 };
    const page = await (
      await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" })
    ).newPage();
    const complaints = listen(page);
    // As by the menu: the console speaks the language that was chosen.
    await page.addInitScript((chosen) => localStorage.setItem("preferred-language", chosen), lang);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    const lose = await addDevice(devtools);
    const { account, errors, identity, security } = TEXTS[lang];
    const check = async () => {
      expect(await findBarriers(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    };
    const dialog = page.locator("dialog.identity");

    // The server's answer once the time is over: the console is closed, and says and shows the way on.
    const refuse = { status: 403, json: { code: "second_factor_due", message: "Set one up.", errors: [] } };
    await page.route("**/api/admin/permissions/", (route) => route.fulfill(refuse));
    await page.goto(`${url}/${lang}/login`);
    await typePassword(page, lang, person);
    await expect(page.getByRole("alert")).toBeVisible();
    const way = page.getByRole("main").getByRole("link");
    // axe doesn't see text in the colour of its ground.
    const [ink, ground] = await way.evaluate((link) => {
      const { color, backgroundColor } = getComputedStyle(link);
      return [color, backgroundColor];
    });
    expect(ink).not.toBe(ground);
    await check();
    await page.keyboard.press("Tab");
    await expect(way).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/profile\?tab=security$/);
    await page.unroute("**/api/admin/permissions/");
    expect(complaints.splice(0).filter((text) => !/status of 403/.test(text))).toEqual([]);

    // Who has none yet comes in by password alone, and the console says until when.
    await openLogin(page, lang);
    await typePassword(page, lang, person);
    await isIn(page);
    await expect(page.locator(".factor-notice")).toBeVisible();
    await check();

    // The console asks whether it is still them, and a wrong password is told apart from everything else.
    const again = { status: 403, json: { code: "step_up_required", message: "Is it you?", errors: [] } };
    await page.route(/\/api\/users\/\d+\//, (route) =>
      route.request().method() === "PUT" ? route.fulfill(again) : route.continue(),
    );
    await page.goto(`${url}/admin/users/${person === OWNER ? 2 : 1}`);
    await page.locator("#record_first_name").fill("Grace");
    await page.locator(".refine-save-button").first().click();
    const password = dialog.getByLabel(identity.person.password, { exact: true });
    await password.fill("Not-the-right-1");
    await password.press("Enter");
    await expect(dialog.getByRole("alert")).toHaveText(errors.wrong_password);
    await check();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(page.locator("#record_first_name")).toHaveValue("Grace");
    await page.unroute(/\/api\/users\/\d+\//);
    expect(complaints.splice(0).filter((text) => !/status of 40[03]/.test(text))).toEqual([]);

    await openSecurity(page, lang);
    await page.getByRole("button", { name: security.addPasskey }).click();
    await expect(page.getByRole("heading", { name: security.codesTitle })).toBeVisible();
    const codes = await page.locator(".recovery-codes code").allTextContents();
    expect(codes).toHaveLength(10);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("heading", { name: security.codesTitle })).toBeVisible();
    await check();
    await page.getByRole("button", { name: security.codesKept }).click();
    await expect(page.getByText(security.on)).toBeVisible();
    await check();

    await openLogin(page, lang);
    await check();
    await page.getByRole("button", { name: account.login.passkey }).click();
    await isIn(page);
    await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator(".factor-notice")).toHaveCount(0);

    await openLogin(page, lang);
    await typePassword(page, lang, person);
    await expect(dialog).toBeVisible();
    await check();
    await dialog.getByRole("button", { name: identity.passkey }).click();
    await isIn(page);

    await lose();
    await openLogin(page, lang);
    await typePassword(page, lang, person);
    const field = dialog.getByLabel(identity.factor.recovery, { exact: true });
    // The server refuses it, which the browser notes beside the page's own words.
    const before = complaints.length;
    await field.fill("abcd-abcd-abcd-abcd");
    await field.press("Enter");
    await expect(dialog.getByRole("alert")).not.toBeEmpty();
    await expect(field).toBeFocused();
    await expect(field).toHaveValue("abcd-abcd-abcd-abcd");
    await check();
    await field.fill(codes[0] ?? "");
    await field.press("Enter");
    await isIn(page);
    const refusals = complaints.splice(before);
    expect(refusals.filter((text) => !/status of 40[01]/.test(text))).toEqual([]);

    // A new device in the lost one's place: the last factor of this level may not go before.
    await addDevice(devtools);
    await openSecurity(page, lang);
    await page.getByRole("button", { name: security.addPasskey }).click();
    await expect(page.locator(".factor-row")).toHaveCount(2);
    await page.locator(".factor-row").first().getByRole("button").last().click();
    await page.getByRole("dialog").getByRole("button", { name: security.remove }).click();
    await expect(page.locator(".factor-row")).toHaveCount(1);
    await expect(page.getByRole("heading", { name: security.passkeys })).toBeFocused();
    await openLogin(page, lang);
    await page.getByRole("button", { name: account.login.passkey }).click();
    await isIn(page);
    await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
    expect(complaints.filter((text) => !/status of 401/.test(text))).toEqual([]);
    await page.context().close();
  });
}
