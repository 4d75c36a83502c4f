import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { modelsAnswer } from "#contract/content/models.ts";
import type { Language } from "#contract/languages.ts";
import entranceEn from "#locales/en/account.json" with { type: "json" };
import stepsEn from "#locales/en/account-steps.json" with { type: "json" };
import usersEn from "#locales/en/admin-users.json" with { type: "json" };
import profileEn from "#locales/en/profile.json" with { type: "json" };
import sessionEn from "#locales/en/session.json" with { type: "json" };
import siteEn from "#locales/en/site.json" with { type: "json" };
import entranceTr from "#locales/tr/account.json" with { type: "json" };
import stepsTr from "#locales/tr/account-steps.json" with { type: "json" };
import profileTr from "#locales/tr/profile.json" with { type: "json" };
import sessionTr from "#locales/tr/session.json" with { type: "json" };
import siteTr from "#locales/tr/site.json" with { type: "json" };
import { findBarriers } from "./barriers.ts";
import { listen } from "./complaints.ts";
import { readCode, waitForMail } from "./mailbox.ts";
import { openConsole, signIn } from "./sign-in.ts";
import { OWNER, REPOSITORY, Site } from "./site.ts";

const accountEn = { ...entranceEn, ...stepsEn };
const accountTr = { ...entranceTr, ...stepsTr };
const SESSION = { en: sessionEn, tr: sessionTr };
const TEXTS = {
  en: { account: accountEn, profile: profileEn, site: siteEn },
  tr: { account: accountTr, profile: profileTr, site: siteTr },
};
const PASSWORD = "Correct-Horse-2";
const NEW_PASSWORD = "Correct-Horse-3";

// A site that is started for the first time: its link makes the owner once.
test.describe.configure({ mode: "default" });
let site: Site;
test.beforeAll(async () => {
  site = new Site();
  await site.start();
});
test.afterAll(() => site?.remove());

const pathOf = (page: Page) => new URL(page.url()).pathname;

async function register(page: Page, lang: Language, username: string): Promise<void> {
  const { register, password } = TEXTS[lang].account;
  await page.goto(`${site.url}/${lang}/register`);
  const button = page.getByRole("button", { name: register.submit });
  await expect(button).toBeDisabled();
  await page.getByLabel(register.username, { exact: true }).fill(username);
  await page.getByLabel(register.email, { exact: true }).fill(`${username}@example.org`);
  await page.getByLabel(password.label, { exact: true }).fill(PASSWORD);
  await page.getByLabel(password.repeat, { exact: true }).fill(PASSWORD);
  await page.getByRole("checkbox", { name: register.terms }).check();
  await button.click();
  await expect(page).toHaveURL(new RegExp(`/${lang}/verify-email\\?`));
}

async function typeCode(page: Page, lang: Language, code: string): Promise<void> {
  await page
    .getByRole("group", { name: TEXTS[lang].account.code.label })
    .getByRole("textbox")
    .first()
    .focus();
  await page.keyboard.type(code);
}

async function registerAndVerify(page: Page, lang: Language, username: string): Promise<void> {
  await register(page, lang, username);
  await typeCode(page, lang, readCode(await waitForMail(site, `${username}@example.org`)));
  await expect(page).toHaveURL(new RegExp(`/${lang}/profile$`));
}

async function logIn(page: Page, lang: Language, username: string, password: string): Promise<void> {
  const { login, password: words } = TEXTS[lang].account;
  await page.getByLabel(login.name, { exact: true }).fill(username);
  await page.getByLabel(words.label, { exact: true }).fill(password);
  await page.getByRole("button", { name: login.submit, exact: true }).click();
}

async function logOut(page: Page, lang: Language): Promise<void> {
  const { layout } = TEXTS[lang].site;
  const menu = page.locator("summary", { hasText: layout.profile });
  if (!(await menu.isVisible())) await page.getByRole("button", { name: layout.menu }).click();
  await menu.click();
  await page.getByRole("button", { name: layout.logout }).click();
  await expect(page).toHaveURL(new RegExp(`/${lang}/login$`));
}

test("the start prints a link that makes the owner, once", async ({ page, browser }) => {
  const link = /http\S+\/setup#\S+/.exec(site.output)?.[0] ?? "";
  expect(link).not.toBe("");
  await page.goto(link);
  const { register, password, setup } = accountEn;
  await page.getByLabel(register.username, { exact: true }).fill(OWNER.username);
  await page.getByLabel(register.email, { exact: true }).fill(OWNER.email);
  await page.getByLabel(password.label, { exact: true }).fill(OWNER.password);
  await page.getByLabel(password.repeat, { exact: true }).fill(OWNER.password);
  expect(page.url()).not.toContain("#");
  await page.getByRole("button", { name: setup.submit }).click();
  await expect(page).toHaveURL(/\/admin/);

  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await expect(other.getByRole("heading", { name: setup.closedTitle })).toBeVisible();
  await other.context().close();
});

for (const lang of ["en", "tr"] as const) {
  const { account, site: words } = TEXTS[lang];

  test(`${lang}: register → code from the mailbox → verify → profile → log out → log in → reset`, async ({
    page,
  }) => {
    const complaints = listen(page);
    const username = `visitor_${lang}`;
    const address = `${username}@example.org`;
    await registerAndVerify(page, lang, username);
    await expect(page.getByRole("heading", { name: username })).toBeVisible();
    expect(await findBarriers(page)).toEqual([]);

    await logOut(page, lang);
    await logIn(page, lang, username, PASSWORD);
    await expect(page).toHaveURL(new RegExp(`/${lang}/dev$`));

    await logOut(page, lang);
    await page.getByRole("link", { name: account.login.forgot }).click();
    await page.getByLabel(account.forgot.email, { exact: true }).fill(address);
    await page.getByRole("button", { name: account.forgot.send }).click();
    await typeCode(page, lang, readCode(await waitForMail(site, address, 2)));
    await page.getByLabel(account.password.new, { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel(account.password.repeatNew, { exact: true }).fill(NEW_PASSWORD);
    // The page goes on by itself after a while, which loads another header: its clock stands still before that.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole("button", { name: account.forgot.submit }).click();
    await expect(page.getByText(account.forgot.done)).toBeVisible();
    await expect(page.locator("summary", { hasText: words.layout.profile })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/${lang}/forgot-password#code$`));
    await page.clock.resume();

    await page.goto(`${site.url}/${lang}/profile`);
    await logOut(page, lang);
    await logIn(page, lang, username, PASSWORD);
    await expect(page.getByRole("alert")).toHaveText(SESSION[lang].errors.invalidCredentials);
    await logIn(page, lang, username, NEW_PASSWORD);
    await expect(page).toHaveURL(new RegExp(`/${lang}/dev$`));
    expect(complaints.filter((text) => !/status of 40[01]/.test(text))).toEqual([]);
  });
}

/** Sets a password on the page that an address led to which was confirmed elsewhere than it was registered. */
async function chooseAnew(page: Page, lang: Language, username: string): Promise<void> {
  const { account } = TEXTS[lang];
  await expect(page).toHaveURL(new RegExp(`/${lang}/forgot-password#`));
  const lead = account.forgot.confirmedLead.replace("{{email}}", `${username}@example.org`);
  await expect(page.getByText(lead)).toBeVisible();
  await page.getByLabel(account.password.new, { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel(account.password.repeatNew, { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole("button", { name: account.forgot.submit }).click();
  await expect(page.getByText(account.forgot.done)).toBeVisible();
}

test("a code typed in another browser leads there to a new password, and the one before is worth nothing", async ({
  page,
  browser,
}) => {
  await register(page, "en", "elsewhere");
  const other = await (await browser.newContext()).newPage();
  await other.goto(`${site.url}/en/verify-email?email=elsewhere%40example.org`);
  await typeCode(other, "en", readCode(await waitForMail(site, "elsewhere@example.org")));
  await chooseAnew(other, "en", "elsewhere");
  await page.goto(`${site.url}/en/login`);
  await logIn(page, "en", "elsewhere", PASSWORD);
  await expect(page.getByRole("alert")).toHaveText(SESSION.en.errors.invalidCredentials);
  await other.context().close();
});

test("the button of a mail confirms an address, and sets a password, on another device", async ({
  page,
  browser,
}) => {
  await register(page, "tr", "baska");
  const toLink = (mail: { text?: string | undefined }) => /http\S+#\S+/.exec(mail.text ?? "")?.[0] ?? "";
  const phone = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
  await phone.goto(toLink(await waitForMail(site, "baska@example.org")));
  await phone.getByRole("button", { name: accountTr.verify.confirm }).click();
  await chooseAnew(phone, "tr", "baska");
  await expect(phone).toHaveURL(/\/tr\/dev$/);
  await page.goto(`${site.url}/tr/forgot-password`);
  await page.getByLabel(accountTr.forgot.email, { exact: true }).fill("baska@example.org");
  await page.getByRole("button", { name: accountTr.forgot.send }).click();
  await expect(page.getByRole("group", { name: accountTr.code.label })).toBeVisible();
  // The first mail, that of the new password, and the one that was asked for now.
  await phone.goto(toLink(await waitForMail(site, "baska@example.org", 3)));
  await expect(phone.getByRole("heading", { name: accountTr.forgot.linkTitle })).toBeVisible();
  expect(await findBarriers(phone)).toEqual([]);
  await phone.context().close();
});

test("a picture, names and a bio are saved and there after a reload", async ({ page }) => {
  await registerAndVerify(page, "en", "painter");
  await page.getByRole("button", { name: profileEn.edit.edit, exact: true }).click();
  await page.getByLabel(profileEn.form.firstName, { exact: true }).fill("Işıl");
  await page.getByLabel(profileEn.form.bio, { exact: true }).fill("Paints\ndatabases <b>");
  const portrait = readFileSync(join(REPOSITORY, "server/sample/files/portrait.jpg"));
  await page
    .getByLabel(profileEn.picture.changeAvatar)
    .setInputFiles({ name: "me.jpg", mimeType: "image/jpeg", buffer: portrait });
  await page.getByRole("button", { name: profileEn.edit.save, exact: true }).click();
  await expect(page.getByText(profileEn.edit.saved)).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Işıl" })).toBeVisible();
  await expect(page.getByLabel(profileEn.form.bio, { exact: true })).toHaveValue("Paints\ndatabases <b>");
  const picture = page.locator('img[src^="/pictures/people/"]').first();
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
});

test("signing out in one tab signs out the other", async ({ page, context }) => {
  await registerAndVerify(page, "en", "two_tabs");
  const other = await context.newPage();
  await other.goto(`${site.url}/en/profile`);
  await expect(other.getByRole("heading", { name: "two_tabs" })).toBeVisible();
  await logOut(page, "en");
  await expect(other).toHaveURL(/\/login/);
  for (const tab of [page, other])
    expect(await tab.evaluate(() => localStorage.getItem("auth_state"))).toBeNull();
});

test("what is typed survives a session that dies, and is saved after signing in in place", async ({
  page,
  request,
}) => {
  await registerAndVerify(page, "en", "long_writer");
  await page.getByRole("button", { name: profileEn.edit.edit, exact: true }).click();
  await page.getByLabel(profileEn.form.bio, { exact: true }).fill("A long text.");
  // Another device signs everybody out.
  const answer = await request.post(`${site.url}/api/users/login/`, {
    data: { username: "long_writer", password: PASSWORD },
  });
  const { tokens } = (await answer.json()) as { tokens: { access_token: string } };
  const headers = { Authorization: `Bearer ${tokens.access_token}` };
  expect((await request.delete(`${site.url}/api/users/sessions/`, { headers })).ok()).toBe(true);

  await page.getByRole("button", { name: profileEn.edit.save, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: accountEn.signInAgain.title });
  await dialog.getByLabel(accountEn.password.label, { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: accountEn.signInAgain.submit }).click();
  await expect(page.getByText(profileEn.edit.saved)).toBeVisible();
  expect(pathOf(page)).toBe("/en/profile");
  await page.reload();
  await expect(page.getByLabel(profileEn.form.bio, { exact: true })).toHaveValue("A long text.");
});

/** As the owner chooses it in the console, where nobody has chosen before. */
async function chooseRegistration(page: Page, mode: string): Promise<void> {
  const headers = { Authorization: `Bearer ${await signIn(page, site.url)}` };
  const answer = await page.request.get(`${site.url}/api/admin/models/`, { headers });
  const { models } = modelsAnswer.parse(await answer.json());
  const id = models.find(({ model_name }) => model_name === "registration")?.content_type_id;
  const saved = await page.request.post(`${site.url}/api/admin/models/${id}/objects/`, {
    headers,
    data: { mode },
  });
  expect(saved.status()).toBe(201);
}

// The last one: the site stays as it is then.
test("by approval: register → code → waiting → approved in the console → log in", async ({
  page,
  browser,
}) => {
  const staff = await (await browser.newContext()).newPage();
  await chooseRegistration(staff, "approval");

  await register(page, "en", "newcomer");
  await typeCode(page, "en", readCode(await waitForMail(site, "newcomer@example.org")));
  await expect(page).toHaveURL(/\/en\/register\/waiting$/);
  await expect(page.getByRole("heading", { name: stepsEn.waiting.title })).toBeVisible();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("link", { name: stepsEn.waiting.login }).click();
  await logIn(page, "en", "newcomer", PASSWORD);
  await expect(page).toHaveURL(/\/en\/register\/waiting$/);

  const { users } = usersEn;
  await openConsole(staff, site.url, "/admin/users?filter=admission:exact:waiting");
  await staff.getByRole("button", { name: users.actions.approve.replace("{{name}}", "newcomer") }).click();
  const question = staff.getByRole("dialog");
  await expect(question).toContainText(users.decisionMail.sent);
  await question.getByRole("button", { name: users.approve.ok, exact: true }).click();
  await expect(staff.getByText(users.approve.done.replace("{{name}}", "newcomer"))).toBeVisible();
  await expect(staff.getByText(users.none)).toBeVisible();
  await staff.context().close();

  const told = await waitForMail(site, "newcomer@example.org", 2);
  expect(told.text).toContain("/en/login");
  await page.goto(`${site.url}/en/login`);
  await logIn(page, "en", "newcomer", PASSWORD);
  await expect(page).toHaveURL(/\/en\/dev$/);
});
