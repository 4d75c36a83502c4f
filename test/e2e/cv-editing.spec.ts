import { expect, type Locator, type Page, test } from "@playwright/test";
import { waitForApp } from "./app-ready.ts";
import { findBarriers } from "./barriers.ts";
import { listen } from "./complaints.ts";
import { openConsole } from "./sign-in.ts";
import { Site } from "./site.ts";

// Each goes on from what the one before it left.
test.describe.configure({ mode: "default" });
let site: Site;
test.beforeAll(async () => {
  site = await Site.startPrepared();
});
test.afterAll(() => site?.remove());

/** The models by name: their numbers are the site's own. */
async function openModel(page: Page, name: string, query = ""): Promise<void> {
  await openConsole(page, site.url, `/admin/models/${name}${query}`);
  await page.waitForURL(/\/admin\/models\/\d+/);
}

const readPage = async (lang: string) => (await fetch(`${site.url}/${lang}/cv`)).text();
/** Where each text stands on the public page: in ascending order when the page has them in that order. */
async function findTexts(lang: string, texts: readonly string[]): Promise<number[]> {
  const body = (await readPage(lang)).split("<body")[1] ?? "";
  return texts.map((text) => body.indexOf(text));
}
async function expectOrder(lang: string, texts: readonly string[]): Promise<void> {
  const places = await findTexts(lang, texts);
  expect(Math.min(...places), texts.join(", ")).toBeGreaterThan(0);
  expect(places).toEqual([...places].sort((a, b) => a - b));
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  const item = page.getByTitle(option, { exact: true }).last();
  // A list that lost the focus to something that came late is closed: it is opened again.
  await expect(async () => {
    // By keyboard: what is chosen lies over the input.
    if (!(await item.isVisible())) await page.getByRole("combobox", { name: label }).press("ArrowDown");
    await item.click({ timeout: 5_000 });
  }).toPass();
}

const orderList = (page: Page) => page.getByRole("list", { name: "Tools in their order" });
const readNames = (page: Page) => orderList(page).locator(".order-name").allInnerTexts();
const saved = (page: Page) => page.getByRole("status").filter({ hasText: /is now \d+ of \d+/ });

/** Where a control stands once it stands still: a drawer slides in. */
async function findMiddle(target: Locator): Promise<{ x: number; y: number }> {
  await target.hover();
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} isn't drawn`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function dragTo(page: Page, handle: Locator, target: Locator): Promise<void> {
  const to = await findMiddle(target);
  const from = await findMiddle(handle);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y - 12, { steps: 4 });
  await page.mouse.move(to.x, to.y - 4, { steps: 12 });
  await page.mouse.up();
}

/** A drag whose events all come in one go, before the browser draws. */
async function flickTo(handle: Locator, target: Locator): Promise<void> {
  const to = await findMiddle(target);
  await findMiddle(handle);
  await handle.evaluate((button, { x, y }) => {
    const box = button.getBoundingClientRect();
    const options = { isPrimary: true, button: 0, bubbles: true, cancelable: true };
    const fire = (type: string, clientX: number, clientY: number) =>
      button.dispatchEvent(new PointerEvent(type, { ...options, clientX, clientY }));
    fire("pointerdown", box.x + box.width / 2, box.y + box.height / 2);
    fire("pointermove", x, y);
    fire("pointerup", x, y);
  }, to);
}

test("an edit is on both public pages once it is saved, and a browser that has the page asks for it anew", async ({
  page,
  context,
}) => {
  const visitor = await context.newPage();
  await visitor.goto(`${site.url}/en/cv`);
  await expect(visitor.getByText("Certified Keeper of Indexes")).toBeVisible();
  await openModel(page, "cv.certificate");
  await page.getByRole("link", { name: "Certified Keeper of Indexes" }).click();
  await page.getByLabel("Label (English)").fill("Keeper of Every Index");
  await page.getByLabel("Label (Turkish)").fill("Her Dizinin Bekçisi");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const link = page.getByRole("dialog").getByRole("link", { name: "View on site" });
  await expect(link).toBeVisible();
  expect(await readPage("en")).toContain("Keeper of Every Index");
  expect(await readPage("tr")).toContain("Her Dizinin Bekçisi");
  await visitor.goto(`${site.url}/en/cv`);
  await expect(visitor.getByText("Keeper of Every Index")).toBeVisible();
  const [opened] = await Promise.all([context.waitForEvent("page"), link.click()]);
  await expect(opened.getByText("Keeper of Every Index")).toBeVisible();
});

test("dragging by pointer and by keyboard is the order of the page; the last move is taken back", async ({
  page,
}) => {
  const complaints = listen(page);
  await openModel(page, "cv.skill");
  await page.getByRole("button", { name: "Order" }).click();
  await expect(orderList(page)).toBeVisible();
  expect((await readNames(page)).slice(0, 3)).toEqual(["TypeScript", "PostgreSQL", "Linux"]);

  await dragTo(
    page,
    page.getByRole("button", { name: "Move Linux", exact: true }),
    orderList(page).getByText("TypeScript"),
  );
  await expect(saved(page)).toHaveText(/“Linux” is now 1 of 7/);
  await expectOrder("en", ["Linux", "TypeScript", "PostgreSQL"]);
  await expectOrder("tr", ["Linux", "TypeScript", "PostgreSQL"]);

  const handle = page.getByRole("button", { name: "Move Linux", exact: true });
  await handle.focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("“Linux” is lifted. It is 1 of 7.")).toBeAttached();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByText("“Linux” would be 2 of 7.")).toBeAttached();
  await page.keyboard.press("Escape");
  await expect(page.getByText("“Linux” stays where it was.")).toBeAttached();
  await expect(orderList(page)).toBeVisible();
  await expect(handle).toBeFocused();

  await page.keyboard.press("Space");
  await expect(page.getByText("“Linux” is lifted. It is 1 of 7.")).toBeAttached();
  for (const place of [2, 3]) {
    await page.keyboard.press("ArrowDown");
    await expect(page.getByText(`“Linux” would be ${place} of 7.`)).toBeAttached();
  }
  await page.keyboard.press("Space");
  await expect(saved(page)).toHaveText(/“Linux” is now 3 of 7/);
  await expectOrder("en", ["TypeScript", "PostgreSQL", "Linux"]);

  await page.getByRole("button", { name: /^Undo/ }).click();
  await expect(saved(page)).toHaveText(/“Linux” is now 1 of 7/);
  await expectOrder("en", ["Linux", "TypeScript", "PostgreSQL"]);

  await flickTo(handle, orderList(page).getByText("PostgreSQL"));
  await expect(saved(page)).toHaveText(/“Linux” is now 3 of 7/);
  await flickTo(handle, orderList(page).getByText("TypeScript"));
  await expect(saved(page)).toHaveText(/“Linux” is now 1 of 7/);
  await page.keyboard.press("Escape");
  await expect(orderList(page)).toBeHidden();
  expect(complaints).toEqual([]);
});

test("two people who order at once see one order", async ({ page, browser }) => {
  const context = await browser.newContext();
  const other = await context.newPage();
  await openModel(page, "cv.skill");
  await page.getByRole("button", { name: "Order" }).click();
  await openModel(other, "cv.skill");
  await other.getByRole("button", { name: "Order" }).click();
  await expect(orderList(other)).toBeVisible();
  await page.getByRole("button", { name: "Move Git down" }).click();
  await other.getByRole("button", { name: "Move Load tests up" }).click();
  await expect(saved(page)).toBeVisible();
  await expect(saved(other)).toBeVisible();
  await expect.poll(async () => (await readNames(page)).join()).toBe((await readNames(other)).join());
  await expect
    .poll(async () => (await readNames(other)).join())
    .toMatch(/Queues,Git,.*Load tests,Monitoring/);
  await context.close();
});

test("what is hidden is gone from both pages, and back when shown", async ({ page }) => {
  await openModel(page, "cv.skill");
  await page.getByRole("button", { name: "Hide Queues" }).click();
  await expect(page.getByText("Hidden from the site")).toBeVisible();
  for (const lang of ["en", "tr"]) expect(await readPage(lang)).not.toContain(">Queues<");
  await page.getByRole("button", { name: "Order" }).click();
  const shown = page.getByRole("switch", { name: "Show Queues on the site" });
  await expect(shown).not.toBeChecked();
  await shown.click();
  await expect(shown).toBeChecked();
  await expectOrder("en", ["Queues"]);
});

for (const { scheme, locale, width, name } of [
  { scheme: "light", locale: "en", width: 1280, name: /in their order/ },
  { scheme: "dark", locale: "tr", width: 320, name: /^Sırasıyla/ },
] as const) {
  test(`the order in ${scheme}, ${locale}, ${width} px: axe finds nothing, nothing scrolls sideways`, async ({
    browser,
  }) => {
    const context = await browser.newContext({
      colorScheme: scheme,
      locale,
      viewport: { width, height: 800 },
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.addInitScript((lang) => localStorage.setItem("preferred-language", lang), locale);
    await openModel(page, "cv.certificate");
    await page.goto(`${page.url()}?order=1`);
    await expect(page.getByRole("list", { name })).toBeVisible();
    expect(await findBarriers(page)).toEqual([]);
    const drawer = page.locator(".ant-drawer-body");
    expect(await drawer.evaluate((body) => body.scrollWidth - body.clientWidth)).toBeLessThanOrEqual(0);
    await context.close();
  });
}

test("a look that is chosen is on the next page, stays while the browser moves, and is the console's too", async ({
  page,
  context,
}) => {
  const accent = (of: Page) =>
    of
      .getByRole("link", { name: "ada.taslakoglu@example.org" })
      .first()
      .evaluate((link) => getComputedStyle(link).color);
  await openModel(page, "site.look");
  await page.getByRole("textbox", { name: "Accent colour", exact: true }).fill("#7a1fa2");
  await expect(page.getByText("Light theme: #7a1fa2")).toBeVisible();
  await choose(page, "Fonts", "Space Grotesk (geometric)");
  await choose(page, "Shape of your picture", "Circle");
  expect(await findBarriers(page)).toEqual([]);
  const [written] = await Promise.all([
    page.waitForResponse(
      (answer) => /\/objects\/$/.test(answer.url()) && answer.request().method() === "POST",
    ),
    page.getByRole("button", { name: "Save", exact: true }).click(),
  ]);
  expect(written.status()).toBe(201);

  const visitor = await context.newPage();
  const complaints = listen(visitor);
  await visitor.emulateMedia({ colorScheme: "light" });
  await visitor.goto(`${site.url}/en/cv`);
  await waitForApp(visitor);
  expect(await accent(visitor)).toBe("rgb(122, 31, 162)");
  const heading = visitor.getByRole("heading", { level: 1 });
  const font = () => heading.evaluate((title) => getComputedStyle(title).fontFamily);
  expect(await font()).toContain("Space Grotesk");
  expect(await visitor.evaluate(() => document.fonts.check('600 20px "Space Grotesk"', "ğüşıöçİ"))).toBe(
    true,
  );
  const photo = visitor.locator(".hero-photo");
  expect(await photo.evaluate((box) => getComputedStyle(box).borderRadius)).toBe("50%");
  await visitor.getByRole("navigation").getByRole("link", { name: "Contact", exact: true }).click();
  await expect(heading).toHaveText("Get in touch");
  expect(await font()).toContain("Space Grotesk");
  expect(await accent(visitor)).toBe("rgb(122, 31, 162)");
  expect(complaints).toEqual([]);

  await page.reload();
  const save = page.getByRole("button", { name: "Save", exact: true });
  await page.getByRole("textbox", { name: "Accent colour", exact: true }).fill("#7a1fa1");
  await expect(save).toHaveCSS("background-color", "rgb(122, 31, 162)");
});

test("the sample content goes with one button; what was edited stays", async ({ page }) => {
  await openConsole(page, site.url, "/admin/settings");
  const card = page.getByRole("region", { name: /This site shows sample content/ });
  await card.getByRole("button", { name: "Remove sample content" }).click();
  const question = page.getByRole("dialog");
  await expect(question).toContainText(/Remove \d+ sample objects\?/);
  // Those that were only put in order are sample content still.
  await expect(question).toContainText("Certificates: 14");
  await expect(question).toContainText("Tools: 6");
  expect(await findBarriers(page)).toEqual([]);
  await question.getByRole("button", { name: "Remove sample content" }).click();
  const result = page.getByRole("region", { name: "The sample content is gone" });
  await expect(result).toContainText("Experience: 4");
  await expect(result.getByRole("link", { name: "Keeper of Every Index" })).toBeVisible();
  const html = await readPage("en");
  expect(html).toContain("Keeper of Every Index");
  for (const gone of ["Ada Taslakoğlu", "Unhurried Queue", "Grade Eight"]) expect(html).not.toContain(gone);

  await page.goto(`${site.url}/admin/models`);
  await expect(page.getByRole("listitem").filter({ hasText: "Certificates" })).toContainText("1 object");
  await page.getByRole("link", { name: "Experience" }).click();
  await expect(page.getByText("No objects found")).toBeVisible();
  await expect(page.getByText("npm run foyer -- import cv.json")).toBeVisible();
  await page.goto(`${site.url}/admin/settings`);
  await page.waitForLoadState("networkidle");
  await expect(card).toBeHidden();
});
