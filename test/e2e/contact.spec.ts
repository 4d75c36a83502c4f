import { expect, type Page } from "@playwright/test";
import { waitForApp } from "./app-ready.ts";
import { findBarriers } from "./barriers.ts";
import { listen } from "./complaints.ts";
import { test } from "./shared-site.ts";
import { OWNER, type Site } from "./site.ts";

let site: Site;
test.beforeAll(({ sharedSite }) => {
  site = sharedSite;
});

const WORDS = {
  en: {
    name: "Name",
    email: "Email",
    subject: "Subject",
    message: "Message",
    send: "Send message",
    success: "Message sent successfully! I'll get back to you soon.",
    short: "Subject must be at least 5 characters",
    confirm: "Send this message",
    change: "Change it",
    sent: "Message sent",
  },
  tr: {
    name: "Ad",
    email: "E-posta",
    subject: "Konu",
    message: "Mesaj",
    send: "Mesajı gönder",
    success: "Mesajınız gönderildi! En kısa sürede size dönüş yapacağım.",
    short: "Konu en az 5 karakter olmalı",
    confirm: "Bu mesajı gönder",
    change: "Değiştir",
    sent: "Mesaj gönderildi",
  },
};
type Lang = keyof typeof WORDS;
const FIELDS = ["name", "email", "subject", "message"] as const;
type Values = Record<(typeof FIELDS)[number], string>;

const toValues = (subject: string): Values => ({
  name: "Işıl Örnek",
  email: "isil@foyer.example",
  subject,
  message: "Merhaba,\n\nbunu nasıl denediniz?",
});

/** The two sizes, each in a theme and a language of its own. */
const VIEWS = [
  { width: 1280, scheme: "light", lang: "en" },
  { width: 360, scheme: "dark", lang: "tr" },
] as const;

const fieldOf = (page: Page, lang: Lang, field: keyof Values) =>
  page.getByRole("textbox", { name: WORDS[lang][field], exact: true });

async function fill(page: Page, lang: Lang, values: Values): Promise<void> {
  for (const field of FIELDS) await fieldOf(page, lang, field).fill(values[field]);
}

async function expectValues(page: Page, lang: Lang, values: Values): Promise<void> {
  for (const field of FIELDS) await expect(fieldOf(page, lang, field)).toHaveValue(values[field]);
}

/** The page at rest: its scripts run. */
async function open(page: Page, lang: Lang): Promise<void> {
  await page.goto(`${site.url}/${lang}/contact`);
  await expect(page.getByRole("button", { name: WORDS[lang].send })).toBeDisabled();
}

async function expectNoBarriers(page: Page): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0);
}

/** What the owner finds in the console. The messages of this file are few: five pass in ten minutes. */
async function countStored(subject: string): Promise<number> {
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${site.url}${path}`, init);
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return answer.json();
  };
  const { tokens } = await call("/api/users/login/", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: OWNER.username, password: OWNER.password }),
  });
  const headers = { Authorization: `Bearer ${tokens.access_token}` };
  const models: { app_label: string; model_name: string; content_type_id: number }[] = (
    await call("/api/admin/models/", { headers })
  ).models;
  const model = models.find(
    ({ app_label, model_name }) => `${app_label}.${model_name}` === "contact.message",
  );
  const { objects } = await call(
    `/api/admin/models/${model?.content_type_id}/objects/?search=${encodeURIComponent(subject)}`,
    { headers },
  );
  return objects.length;
}

/** Posts a form of this page with the fields of another post. */
async function postAgain(page: Page, fields: string): Promise<void> {
  await page.evaluate((text) => {
    const form = document.createElement("form");
    form.method = "post";
    for (const [name, value] of new URLSearchParams(text)) {
      const input = document.createElement("input");
      Object.assign(input, { type: "hidden", name, value });
      form.append(input);
    }
    document.body.append(form);
    form.submit();
  }, fields);
}

for (const { width, scheme, lang } of VIEWS) {
  const words = WORDS[lang];
  const view = { viewport: { width, height: 800 }, colorScheme: scheme };

  test.describe(`at ${width} px in ${scheme} and ${lang}`, () => {
    test.use(view);

    test("a fault is shown where it is, then the message is sent: no complaint, no barrier", async ({
      page,
    }) => {
      const complaints = listen(page);
      const subject = `With scripts at ${width}`;
      await page.clock.install();
      await open(page, lang);
      await expectNoBarriers(page);
      await fill(page, lang, { ...toValues(subject), subject: "Hey" });
      await fieldOf(page, lang, "message").focus();
      await expect(page.getByText(words.short)).toBeVisible();
      await expect(page.getByRole("button", { name: words.send })).toBeDisabled();
      await expectNoBarriers(page);
      await fieldOf(page, lang, "subject").fill(subject);
      await expect(page.getByText(words.short)).toBeHidden();
      await page.getByRole("button", { name: words.send }).dblclick();
      await expect(page.getByRole("status").filter({ hasText: words.success })).toBeVisible();
      await expectNoBarriers(page);
      await expectValues(page, lang, { name: "", email: "", subject: "", message: "" });
      await expect(page.getByText("0/500")).toBeVisible();
      await expect(async () => {
        await page.clock.fastForward(6_000);
        await expect(page.getByText(words.success)).toBeHidden({ timeout: 1_000 });
      }).toPass();
      expect(await countStored(subject)).toBe(1);
      expect(complaints).toEqual([]);
    });

    test("without JavaScript it is confirmed and stored once; the same post with JavaScript shows the same", async ({
      browser,
      page: scripted,
    }) => {
      const context = await browser.newContext({ ...view, javaScriptEnabled: false });
      const page = await context.newPage();
      const subject = `Without scripts at ${width}`;
      await page.goto(`${site.url}/${lang}/contact`);
      await fill(page, lang, { ...toValues(subject), subject: "Hey" });
      await page.getByRole("button", { name: words.send }).click();
      await expect(page.getByText(words.short)).toBeVisible();
      await expectValues(page, lang, { ...toValues(subject), subject: "Hey" });
      await fieldOf(page, lang, "subject").fill(subject);
      await page.getByRole("button", { name: words.send }).click();
      await page.getByRole("button", { name: words.change }).click();
      await expectValues(page, lang, toValues(subject));
      await page.getByRole("button", { name: words.send }).click();
      for (const value of Object.values(toValues(subject)))
        await expect(page.getByRole("definition").filter({ hasText: value })).toBeVisible();
      // The server takes no confirmation that comes sooner than a person reads: the same post again, until it does.
      let post = "";
      page.on("request", (request) => {
        post = request.postData() ?? post;
      });
      const confirm = page.getByRole("button", { name: words.confirm });
      const sent = page.getByRole("heading", { name: words.sent });
      await expect(async () => {
        if (await confirm.isVisible()) await confirm.click();
        expect(await sent.isVisible()).toBe(true);
      }).toPass();
      await page.reload();
      await expect(sent).toBeVisible();
      await context.close();

      const complaints = listen(scripted);
      await scripted.goto(`${site.url}/${lang}/contact`);
      await postAgain(scripted, post);
      await expect(scripted.getByRole("heading", { name: words.sent })).toBeVisible();
      await waitForApp(scripted);
      await expectNoBarriers(scripted);
      expect(complaints).toEqual([]);
      expect(await countStored(subject)).toBe(1);
    });

    test("the pages of a post hydrate without a complaint, and stay usable", async ({ page }) => {
      const complaints = listen(page);
      await page.route(/\/assets\/.*\.js/, (route) => route.abort());
      await page.goto(`${site.url}/${lang}/contact`);
      await fill(page, lang, { ...toValues("A subject"), subject: "Hey" });
      // Two posts of a browser whose scripts failed to load.
      await page.getByRole("button", { name: words.send }).click();
      await expect(page.getByText(words.short)).toBeVisible();
      await page.unroute(/\/assets\/.*\.js/);
      // The page without scripts may complain late, but before the next one comes.
      page.once("framenavigated", () => {
        complaints.length = 0;
      });
      await page.reload();
      await expect(page.getByRole("button", { name: words.send })).toBeDisabled();
      await expectValues(page, lang, { ...toValues("A subject"), subject: "Hey" });
      await expectNoBarriers(page);
      await fieldOf(page, lang, "subject").fill("A subject");
      await expect(page.getByRole("button", { name: words.send })).toBeEnabled();
      // The answer to a wrong post has the status of a refusal; the browser reports that as a failed load.
      expect(complaints.filter((text) => !text.includes("status of 400"))).toEqual([]);
    });
  });
}

test("where the scripts failed to load, the form asks for a confirmation", async ({ page }) => {
  await page.route(/\/assets\/.*\.js/, (route) => route.abort());
  await page.goto(`${site.url}/en/contact`);
  await fill(page, "en", toValues("No scripts came"));
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByRole("heading", { name: "Check your message" })).toBeVisible();
  const complaints = listen(page);
  await page.unroute(/\/assets\/.*\.js/);
  await page.reload();
  await waitForApp(page);
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Change it" }).click();
  await expectValues(page, "en", toValues("No scripts came"));
  expect(complaints).toEqual([]);
});

test("where the browser offers no SHA-256, the form is posted and asks for a confirmation", async ({
  page,
}) => {
  // As on plain HTTP in a home network.
  await page.addInitScript(() => Object.defineProperty(Crypto.prototype, "subtle", { value: undefined }));
  await open(page, "en");
  await fill(page, "en", toValues("In a home network"));
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByRole("heading", { name: "Check your message" })).toBeVisible();
});

test("what was typed before the scripts came stays, also where a post left text in the form", async ({
  page,
}) => {
  const scripts = /\/assets\/.*\.js/;
  await page.route(scripts, (route) => route.abort());
  await page.goto(`${site.url}/en/contact`);
  await fill(page, "en", { ...toValues("Typed early"), message: "Short" });
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByText("Message must be at least 10 characters")).toBeVisible();
  await page.unroute(scripts);

  const load = [
    // The answer to the post again, then the page that everybody gets.
    () => page.reload({ waitUntil: "commit" }),
    () => page.goto(`${site.url}/en/contact`, { waitUntil: "commit" }),
  ];
  for (const start of load) {
    const gate = Promise.withResolvers<void>();
    await page.route(scripts, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await start();
    await fill(page, "en", toValues("Typed early"));
    gate.resolve();
    await expect(page.getByText("31/500")).toBeVisible();
    await expectValues(page, "en", toValues("Typed early"));
    await page.unroute(scripts);
  }
});

test("without a connection, and when the answer is lost, a toast says so and the text stays; it is stored once", async ({
  page,
  context,
}) => {
  const values = toValues("On a bad network");
  const expectFailure = async () => {
    await page.getByRole("button", { name: "Send message" }).click();
    await expect(page.getByRole("alert")).toContainText(
      "Sorry, there was an error sending your message. Please try again.",
    );
    await expectValues(page, "en", values);
  };
  await open(page, "en");
  await fill(page, "en", values);
  await context.setOffline(true);
  await expectFailure();
  await context.setOffline(false);
  expect(await countStored(values.subject)).toBe(0);

  await page.route("**/api/contact/", async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await expectFailure();
  expect(await countStored(values.subject)).toBe(1);
  await page.unroute("**/api/contact/");
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByText(WORDS.en.success)).toBeVisible();
  expect(await countStored(values.subject)).toBe(1);
});

test("the keyboard leads through the form in its order, past the trap", async ({ page }) => {
  await open(page, "en");
  await fieldOf(page, "en", "name").focus();
  for (const field of FIELDS) {
    await expect(fieldOf(page, "en", field)).toBeFocused();
    await page.keyboard.insertText(toValues("By keyboard")[field]);
    await page.keyboard.press("Tab");
  }
  await expect(page.getByRole("button", { name: "Send message" })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(fieldOf(page, "en", "message")).toBeFocused();
});

test("a click on a link is not lost to the error of the field that it leaves", async ({ page }) => {
  await page.goto(`${site.url}/en/contact`);
  await waitForApp(page);
  await fieldOf(page, "en", "message").fill("short");
  await page.getByRole("link", { name: "Terms" }).click();
  await page.waitForURL(/\/en\/terms$/);
  await page.goBack();
  await expect(fieldOf(page, "en", "message")).toHaveValue("short");
});
