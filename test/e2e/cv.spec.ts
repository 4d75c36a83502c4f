import { expect, type Locator, type Page, type Request } from "@playwright/test";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { Cv } from "#contract/site/cv.ts";
import { waitForApp } from "./app-ready.ts";
import { findBarriers } from "./barriers.ts";
import { listen } from "./complaints.ts";
import { test } from "./shared-site.ts";
import type { Site } from "./site.ts";

/** The preview's own cap is 8 s. */
const AFTER_THE_CAP_MS = 9_000;

let site: Site;
let certificates: Cv["certificates"];
let tools: Cv["confidences"];

test.beforeAll(async ({ sharedSite }) => {
  site = sharedSite;
  const cv: Cv = await (await fetch(`${site.url}/api/cv/?lang=en`)).json();
  certificates = cv.certificates;
  tools = cv.confidences;
});

for (const width of [768, 1920]) {
  test(`at ${width} px the page is no wider than the screen`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await openCv(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });
}

test("the site prints its page with a Chromium of its own, and the page leads there", async ({
  page,
  request,
}) => {
  await openCv(page);
  const downloads = page.getByRole("navigation", { name: "Downloads" });
  const path = await downloads.getByRole("link", { name: "PDF" }).getAttribute("href");
  const answer = await request.get(`${site.url}${path}`, { maxRedirects: 0 });
  expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "application/pdf"]);
  const pdf = await getDocument({ data: new Uint8Array(await answer.body()), verbosity: 0 }).promise;
  const texts = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    texts.push(...items.map((item) => ("str" in item ? item.str : "")));
  }
  const text = texts.join(" ");
  for (const { label } of tools) expect(text).toContain(label);
  for (const word of ["Experience", "References"]) expect(text).toContain(word);
  // The ways to other files are for the screen.
  expect(text).not.toContain("vCard");
});

test("the sample has 7 tools and 15 certificates of every kind", () => {
  const endings = new Set(certificates.map(({ file }) => file?.split(".").at(-1)));
  expect([tools.length, certificates.length]).toEqual([7, 15]);
  expect([...endings].sort()).toEqual(["jpg", "pdf", "png", "svg"]);
});

function findCertificate(ending: string, after = -1) {
  const index = certificates.findIndex(({ file }, at) => at > after && file?.endsWith(`.${ending}`));
  const certificate = certificates[index];
  if (!certificate) throw new Error(`the sample has no further .${ending}`);
  return { ...certificate, index };
}

const getSection = (page: Page, name: string) => page.getByRole("region", { name });
const getDots = (section: Locator) => section.getByRole("group").getByRole("button");
const getCard = (page: Page, { id }: { id: number }) => page.locator(`#certificate-${id}`);
const getDialog = (page: Page) => page.getByRole("dialog");
const getTitle = (page: Page) => getDialog(page).getByRole("heading");
const getNote = (page: Page) => getDialog(page).locator(".preview-note");
const getPicture = (page: Page) => getDialog(page).getByRole("img");

async function openCv(page: Page, path = "/en/cv"): Promise<void> {
  await page.goto(`${site.url}${path}`);
  await waitForApp(page);
}

/** Labels of the items that stand wholly inside of a carousel's box. */
function readShown(section: Locator): Promise<string[]> {
  return section.getByRole("list").evaluate((box) => {
    const frame = box.getBoundingClientRect();
    return [...box.children]
      .filter((item) => {
        const { left, right } = item.getBoundingClientRect();
        return left >= frame.left - 1 && right <= frame.right + 1;
      })
      .map((item) => item.querySelector(".skill-label, .certificate-label")?.textContent ?? "");
  });
}

async function isCanvasDrawn(page: Page): Promise<boolean> {
  return getDialog(page)
    .locator("canvas")
    .evaluate((canvas: HTMLCanvasElement) => {
      const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      return new Set(new Uint32Array(new Uint8Array(pixels).buffer)).size > 10;
    });
}

/** A finger's way over the page from a point on, as the device reports it. */
async function swipe(page: Page, from: { x: number; y: number }, across: number, down = 0): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", part?: number) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: part === undefined ? [] : [{ x: from.x + across * part, y: from.y + down * part }],
    });
  await touch("touchStart", 0);
  for (const part of [0.2, 0.4, 0.6, 0.8, 1]) await touch("touchMove", part);
  await touch("touchEnd");
  await session.detach();
}

/** Two clicks that come before the first one is answered, as on a slow device. */
function clickTwiceAtOnce(element: Locator): Promise<void> {
  return element.evaluate((target: HTMLElement) => {
    target.click();
    target.click();
  });
}

async function findMiddle(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox();
  if (!box) throw new Error("the element is not drawn");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

for (const { width, toolsShown, cardsShown } of [
  { width: 360, toolsShown: 3, cardsShown: 1 },
  { width: 1280, toolsShown: 4, cardsShown: 2 },
]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    for (const { name, perSlide, getItems } of [
      { name: "Tools", perSlide: toolsShown, getItems: () => tools },
      { name: "Certificates", perSlide: cardsShown, getItems: () => certificates },
    ]) {
      test(`${name}: ${perSlide} a slide, arrows end at the ends, a dot for each slide`, async ({ page }) => {
        const complaints = listen(page);
        await openCv(page);
        const section = getSection(page, name);
        const labels = getItems().map(({ label }) => label);
        const slides = Math.ceil(labels.length / perSlide);
        const dots = getDots(section);
        const [previous, next] = ["previous", "next"].map((to) =>
          section.getByRole("button", { name: `${name}: ${to} slide` }),
        ) as [Locator, Locator];

        await expect(dots).toHaveCount(slides);
        await expect(previous).toBeDisabled();
        for (let slide = 0; slide < slides; slide += 1) {
          const shown = labels.slice(slide * perSlide, (slide + 1) * perSlide);
          await expect.poll(() => readShown(section)).toEqual(shown);
          await expect(dots.nth(slide)).toHaveAttribute("aria-current", "true");
          if (slide < slides - 1) await next.click();
        }
        await expect(next).toBeDisabled();
        await expect(previous).toBeEnabled();

        await dots.first().click();
        await expect.poll(() => readShown(section)).toEqual(labels.slice(0, perSlide));
        await expect(previous).toBeDisabled();
        for (const dot of await dots.all()) {
          const box = await dot.boundingBox();
          expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
        }
        expect(complaints).toEqual([]);
      });
    }

    test("the keyboard scrolls the tools, and the dots follow", async ({ page }) => {
      await openCv(page);
      const section = getSection(page, "Tools");
      await section.getByRole("list").focus();
      await page.keyboard.press("ArrowRight");
      await expect(getDots(section).nth(1)).toHaveAttribute("aria-current", "true");
      const shown = tools.slice(toolsShown, 2 * toolsShown).map(({ label }) => label);
      await expect.poll(() => readShown(section)).toEqual(shown);
    });

    test("Tab leads to every card, and its slide comes with it", async ({ page }) => {
      await openCv(page);
      const section = getSection(page, "Certificates");
      await section.getByRole("link").first().focus();
      for (let card = 0; card < cardsShown; card += 1) await page.keyboard.press("Tab");
      await expect.poll(() => readShown(section)).toContain(certificates[cardsShown]?.label);
      await expect(getDots(section).nth(1)).toHaveAttribute("aria-current", "true");
    });

    test("a card opens by click, Enter and Space; every way to close gives the focus back to it", async ({
      page,
    }) => {
      const complaints = listen(page);
      await openCv(page);
      const [certificate] = certificates;
      if (!certificate) throw new Error("no certificate");
      const card = getCard(page, certificate);
      const dialog = getDialog(page);
      const open = [
        () => card.click(),
        () => card.press("Enter"),
        () => card.press("Space"),
        () => card.click(),
        () => card.evaluate((element: HTMLElement) => element.click()),
      ];
      const close = [
        () => dialog.getByRole("button", { name: "Close" }).click(),
        () => page.keyboard.press("Escape"),
        () => page.mouse.click(4, 4),
        () => page.goBack(),
        () => dialog.getByRole("button", { name: "Close" }).press("Enter"),
      ];
      for (const [index, press] of open.entries()) {
        await press();
        await expect(getTitle(page)).toHaveText(certificate.label);
        await expect(dialog).toContainText(certificate.issuer);
        await close[index]?.();
        await expect(dialog).toBeHidden();
        await expect(card).toBeFocused();
        expect(page.url()).toBe(`${site.url}/en/cv`);
      }
      expect(complaints).toEqual([]);
    });

    test("arrows and arrow keys lead through all certificates and end at the ends", async ({ page }) => {
      await openCv(page);
      await page.locator(".certificate").first().click();
      const [previous, next] = ["Previous certificate", "Next certificate"].map((name) =>
        getDialog(page).getByRole("button", { name }),
      ) as [Locator, Locator];
      await expect(previous).toBeDisabled();
      for (const certificate of certificates.slice(1)) {
        await page.keyboard.press("ArrowRight");
        await expect(getTitle(page)).toHaveText(certificate.label);
      }
      await expect(next).toBeDisabled();
      await page.keyboard.press("ArrowRight");
      await expect(getTitle(page)).toHaveText(certificates.at(-1)?.label ?? "");
      await previous.click();
      await expect(getTitle(page)).toHaveText(certificates.at(-2)?.label ?? "");
      await page.keyboard.press("Escape");
      const last = getCard(page, certificates.at(-2) ?? { id: 0 });
      await expect(last).toBeFocused();
      await expect(last).toBeInViewport();
    });

    test("an arrow key counts from the moment on at which the dialog is open", async ({ page }) => {
      await openCv(page);
      await page.evaluate(() => {
        new MutationObserver((_, observer) => {
          if (!document.querySelector("dialog[open]")) return;
          observer.disconnect();
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        }).observe(document.body, { attributes: true, subtree: true, attributeFilter: ["open"] });
      });
      await page.locator(".certificate").first().click();
      await expect(getTitle(page)).toHaveText(certificates[1]?.label ?? "");
    });

    test("the page behind the dialog stays where it is", async ({ page }) => {
      await openCv(page);
      await page.locator(".certificate").first().click();
      await expect(getTitle(page)).toBeVisible();
      const before = await page.evaluate(() => window.scrollY);
      await page.mouse.move(width / 2, 400);
      await page.mouse.wheel(0, 600);
      await page.mouse.move(4, 4);
      await page.mouse.wheel(0, -600);
      await page.keyboard.press("PageDown");
      // What would scroll has done so by the second frame from here.
      await page.evaluate(async () => {
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      });
      expect(await page.evaluate(() => window.scrollY)).toBe(before);
    });

    test("the address says which certificate is open: it survives a reload, and Back closes", async ({
      page,
    }) => {
      const complaints = listen(page);
      await openCv(page);
      const svg = findCertificate("svg");
      const address = `${site.url}/en/cv#certificate-${svg.id}`;
      await getCard(page, svg).click();
      await expect(page).toHaveURL(address);
      await page.reload();
      await expect(getTitle(page)).toHaveText(svg.label);
      await page.goBack();
      await expect(getDialog(page)).toBeHidden();
      await expect(page).toHaveURL(`${site.url}/en/cv`);
      await page.goForward();
      await expect(getTitle(page)).toHaveText(svg.label);
      expect(complaints).toEqual([]);
    });

    for (const ending of ["png", "jpg", "svg"]) {
      test(`a certificate's .${ending} is shown itself, and fits`, async ({ page }) => {
        await openCv(page);
        const certificate = findCertificate(ending);
        await getCard(page, certificate).click();
        const picture = getPicture(page);
        await expect(picture).toHaveAttribute("src", certificate.file ?? "");
        await expect(picture).toHaveAccessibleName(`Certificate: ${certificate.label}`);
        // The small copy goes when the picture is there.
        await expect(getDialog(page).locator(".thumbnail")).toBeHidden();
        const [inner, outer] = await Promise.all([
          picture.boundingBox(),
          getDialog(page).locator(".viewer-stage").boundingBox(),
        ]);
        if (!inner || !outer) throw new Error("nothing is drawn");
        expect(Math.max(inner.width / outer.width, inner.height / outer.height)).toBeGreaterThan(0.7);
        expect(inner.x).toBeGreaterThanOrEqual(outer.x);
        expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height);
      });
    }

    test("pdf.js comes with the first PDF, draws it without breaking the policy, and its worker is kept", async ({
      page,
    }) => {
      const complaints = listen(page);
      const asked: string[] = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await openCv(page);
      const png = findCertificate("png");
      await getCard(page, png).click();
      await expect(getPicture(page)).toBeVisible();
      await page.keyboard.press("Escape");
      expect(asked.filter((path) => /pdf/.test(path) && !path.startsWith("/pictures/"))).toEqual([]);

      const first = findCertificate("pdf");
      const second = findCertificate("pdf", first.index);
      for (const certificate of [first, second]) {
        await getCard(page, certificate).click();
        await expect(getPicture(page)).toHaveAccessibleName(
          `First page of the certificate: ${certificate.label}`,
        );
        expect(await isCanvasDrawn(page)).toBe(true);
        await expect(getNote(page)).toBeEmpty();
        await page.keyboard.press("Escape");
      }
      expect(asked.filter((path) => path === "/pdf.worker.min.mjs")).toHaveLength(1);
      expect(complaints).toEqual([]);
    });
  });
}

test.describe("by finger", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test("a swipe of more than 40 px moves, one of 40 px or down the screen does not", async ({ page }) => {
    await openCv(page);
    await getCard(page, certificates[1] ?? { id: 0 }).tap();
    const [first, second, third] = certificates.map(({ label }) => label);
    for (const [across, down, label] of [
      [-40, 0, second],
      [-41, 0, third],
      [40, 0, third],
      [41, 0, second],
      [20, 200, second],
      [-60, -200, second],
      [120, 10, first],
    ] as const) {
      await swipe(page, await findMiddle(getDialog(page).locator(".viewer-stage")), across, down);
      await expect(getTitle(page), `${across}, ${down}`).toHaveText(label ?? "");
    }
    // The browser takes a fast flick for its way back where the page lets it have fingers that go sideways.
    await expect(getDialog(page)).toHaveCSS("touch-action", "pan-y pinch-zoom");
    await page.evaluate(() => {
      Object.defineProperty(window.visualViewport, "scale", { value: 2 });
      window.visualViewport?.dispatchEvent(new Event("resize"));
    });
    await expect(getDialog(page), "an enlarged page is moved by one finger").toHaveCSS(
      "touch-action",
      "auto",
    );
  });

  test("swiping the carousel is the browser's own scrolling", async ({ page }) => {
    await openCv(page);
    const section = getSection(page, "Certificates");
    const list = section.getByRole("list");
    await list.scrollIntoViewIfNeeded();
    const { x, y } = await findMiddle(list);
    // More than half of a slide: it doesn't come back, however slowly the finger is reported. A fast one goes further.
    await swipe(page, { x: x + 120, y }, -240);
    await expect(getDots(section).first()).not.toHaveAttribute("aria-current");
    const isSettled = async () => {
      const current = await getDots(section).evaluateAll((dots) =>
        dots.findIndex((dot) => dot.ariaCurrent === "true"),
      );
      const shown = await readShown(section);
      return current > 0 && shown.length === 1 && shown[0] === certificates[current]?.label;
    };
    await expect.poll(isSettled).toBe(true);
  });
});

test("a mouse that drags the picture swipes too, and a drag out of the dialog doesn't close it", async ({
  page,
}) => {
  await openCv(page);
  await page.locator(".certificate").first().click();
  const { x, y } = await findMiddle(getPicture(page));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 60, y, { steps: 4 });
  await page.mouse.up();
  await expect(getTitle(page)).toHaveText(certificates[1]?.label ?? "");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(4, 4, { steps: 4 });
  await page.mouse.up();
  await expect(getDialog(page)).toBeVisible();
});

test("two clicks at once open a certificate once: every way to close it does, and it opens again", async ({
  page,
}) => {
  await openCv(page);
  const card = page.locator(".certificate").first();
  const dialog = getDialog(page);
  for (const close of [
    () => dialog.getByRole("button", { name: "Close" }).click(),
    () => page.keyboard.press("Escape"),
    () => page.mouse.click(4, 4),
    () => page.goBack(),
  ]) {
    await clickTwiceAtOnce(card);
    await expect(dialog).toBeVisible();
    await close();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(`${site.url}/en/cv`);
  }
});

test("the page that was opened with a dialog comes back at the same place, without the server", async ({
  page,
}) => {
  await page.goto(`${site.url}/en/cv#certificate-${certificates[2]?.id}`);
  await expect(getDialog(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(getDialog(page)).toBeHidden();
  await page.evaluate(() => scrollTo({ top: 900, behavior: "instant" }));
  await page.getByRole("contentinfo").getByRole("link", { name: "Terms" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Terms/i);
  await page.route("**/api/cv/**", (route) => route.abort());
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.goBack();
  await expect(page.locator("a.certificate").first()).toBeAttached();
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThanOrEqual(900);
  expect(await page.evaluate(() => "isSame" in window)).toBe(true);
});

test("a click that comes before the app opens what it would have opened", async ({ page }) => {
  const gate = Promise.withResolvers<void>();
  await page.route(/\/assets\/(app|client)-/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto(`${site.url}/en/cv`, { waitUntil: "domcontentloaded" });
  await page.locator("a.certificate").first().click();
  await expect(getDialog(page)).toBeHidden();
  gate.resolve();
  await expect(getDialog(page)).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/en/cv");
});

test("a click with Ctrl opens the file in a tab of its own, and no dialog", async ({ page, context }) => {
  await openCv(page);
  const png = findCertificate("png");
  const file = `${site.url}${png.file}`;
  const isAsked = (request: Request) => request.url() === file && request.isNavigationRequest();
  // Of a tab in the background Playwright may receive the request or the tab: each can come before it listens, or never.
  const opened = Promise.any([
    context.waitForEvent("request", isAsked),
    context.waitForEvent("page").then((tab) => tab.waitForURL(file)),
  ]);
  await getCard(page, png).click({ modifiers: ["Control"] });
  await opened;
  await expect(page).toHaveURL(`${site.url}/en/cv`);
  await expect(getDialog(page)).toBeHidden();
});

test.describe("where a PDF can't be shown", () => {
  const breakages: Record<string, (page: Page) => Promise<unknown>> = {
    "its worker is missing": (page) => page.route("**/pdf.worker.min.mjs*", (route) => route.abort()),
    "pdf.js is missing": (page) => page.route("**/assets/pdf-*.js", (route) => route.abort()),
    "the file is missing": (page) => page.route("**/files/*.pdf", (route) => route.fulfill({ status: 404 })),
    "the file is broken": (page) =>
      page.route("**/files/*.pdf", (route) =>
        route.fulfill({ contentType: "application/pdf", body: "%PDF-1.7 and then nothing of use" }),
      ),
    "the file never ends": async (page) => {
      await page.clock.install();
      // No answer; the time passes once it is asked for.
      await page.route("**/files/*.pdf", () => page.clock.fastForward(AFTER_THE_CAP_MS));
    },
    "the device has 2 GB of memory": (page) =>
      page.addInitScript(() => Object.defineProperty(navigator, "deviceMemory", { value: 2 })),
    "the visitor saves data": (page) =>
      page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } })),
    "the browser has no workers": (page) =>
      page.addInitScript(() => Reflect.deleteProperty(globalThis, "Worker")),
  };
  for (const [reason, spoil] of Object.entries(breakages)) {
    test(`because ${reason}: its small picture, a note and a link`, async ({ page }) => {
      const pdf = findCertificate("pdf");
      await spoil(page);
      await openCv(page);
      const answer = page.waitForResponse((response) => response.url().includes("/pictures/"));
      await getCard(page, pdf).click();
      expect((await answer).ok()).toBe(true);
      await expect(getNote(page)).toHaveText(/^The preview is limited/);
      await expect(getPicture(page)).toHaveAttribute("src", /^\/pictures\//);
      await expect
        .poll(() => getPicture(page).evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0);
      const link = getDialog(page).getByRole("link", { name: "Open in a new tab" });
      await expect(link).toHaveAttribute("href", pdf.file ?? "");
      await expect(link).toHaveAttribute("target", "_blank");
    });
  }

  test("the next one is tried anew", async ({ page }) => {
    const first = findCertificate("pdf");
    const second = findCertificate("pdf", first.index);
    await page.route(`**${first.file}`, (route) => route.abort());
    await openCv(page);
    await getCard(page, first).click();
    await expect(getNote(page)).toHaveText(/^The preview is limited/);
    await page.keyboard.press("Escape");
    await getCard(page, second).click();
    await expect(getDialog(page).locator("canvas")).toBeVisible();
  });
});

test("a PDF is drawn in a browser that lacks the newest functions", async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Map.prototype, "getOrInsertComputed");
    Reflect.deleteProperty(Math, "sumPrecise");
    Reflect.deleteProperty(Promise, "try");
  });
  await openCv(page);
  await getCard(page, findCertificate("pdf")).click();
  await expect(getDialog(page).locator("canvas")).toBeVisible();
  expect(await isCanvasDrawn(page)).toBe(true);
});

for (const [lang, scheme] of [
  ["en", "light"],
  ["en", "dark"],
  ["tr", "light"],
  ["tr", "dark"],
] as const) {
  test(`axe finds nothing on the open dialog in ${lang}, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: 320, height: 640 });
    await openCv(page, `/${lang}/cv#certificate-${findCertificate("svg").id}`);
    await expect(getPicture(page)).toBeVisible();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const ending of ["png", "pdf"]) {
        await page.keyboard.press("Escape");
        await expect(getDialog(page)).toBeHidden();
        await getCard(page, findCertificate(ending)).click();
        await expect(getPicture(page)).toBeVisible();
        await expect(getNote(page)).toBeEmpty();
        expect(await findBarriers(page), `${ending}, ${width} px`).toEqual([]);
      }
    }
  });
}

test("without scripting every tool and certificate stands on the page, and nothing that needs it", async ({
  browser,
}) => {
  for (const width of [360, 1280]) {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width, height: 800 } });
    const page = await context.newPage();
    await page.goto(`${site.url}/en/cv`);
    expect(await readShown(getSection(page, "Tools"))).toHaveLength(tools.length);
    expect(await readShown(getSection(page, "Certificates"))).toEqual(certificates.map(({ label }) => label));
    await expect(page.locator(".carousel-arrows, .carousel-dots").filter({ visible: true })).toHaveCount(0);
    const pdf = findCertificate("pdf");
    await expect(getCard(page, pdf)).toHaveAttribute("href", pdf.file ?? "");
    await context.close();
  }
});

test("dividers fade in as they are scrolled into view, and stand there at once under reduced motion", async ({
  page,
}) => {
  const last = page.locator(".divider").last();
  const readOpacity = () => last.evaluate((line) => Number(getComputedStyle(line).opacity));
  await openCv(page);
  await expect(page.locator(".divider")).toHaveCount(11);
  await expect.poll(readOpacity).toBe(0);
  await last.evaluate((line) => line.scrollIntoView({ block: "center" }));
  await expect.poll(readOpacity).toBe(1);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(() => window.scrollTo(0, 0));
  expect(await readOpacity()).toBe(1);
  const box = getSection(page, "Tools").getByRole("list");
  expect(await box.evaluate((element) => getComputedStyle(element).scrollBehavior)).toBe("auto");
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

/** What moved on the page since it was opened, as Chromium tells it: one line for each shift, none on a page that stands still. */
async function listenForShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    const say = (box: DOMRectReadOnly) => `${box.x},${box.y} ${box.width}×${box.height}`;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const sources = Reflect.get(entry, "sources") as {
          node: Node | null;
          previousRect: DOMRectReadOnly;
          currentRect: DOMRectReadOnly;
        }[];
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const name =
            node instanceof Element ? node.outerHTML.slice(0, 60) : node?.textContent?.slice(0, 60);
          return `${name}: ${say(previousRect)} → ${say(currentRect)}`;
        });
        shifts.push(
          `${Reflect.get(entry, "value")} at ${Math.round(entry.startTime)} ms: ${moved.join("; ")}`,
        );
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate(() => Reflect.get(window, "shifts"));
}

test("the portrait's skeleton holds its place until it is there, and nothing on the page shifts", async ({
  page,
}) => {
  const readShifts = await listenForShifts(page);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/pictures\//, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${site.url}/en/cv`, { waitUntil: "domcontentloaded" });
  const frame = page.locator(".hero-photo");
  const before = await frame.boundingBox();
  expect(before?.width).toBeGreaterThan(100);
  await expect(frame).not.toHaveClass(/is-settled/);
  release();
  await expect(frame).toHaveClass(/is-settled/);
  expect(await frame.boundingBox()).toEqual(before);
  expect(await frame.locator("img").evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(
    /\/pictures\/.*\.webp$/,
  );
  expect(await readShifts()).toEqual([]);
});

/** Waits until what the page has by now is on the screen. */
function waitForDrawing(page: Page): Promise<unknown> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

for (const path of ["cv", "contact", "dev", "terms", "login", "register"].flatMap((page) => [
  `/en/${page}`,
  `/tr/${page}`,
])) {
  test(`nothing shifts on ${path}, however late the font of headings comes`, async ({ browser }) => {
    for (const width of [360, 1280]) {
      const context = await browser.newContext({ viewport: { width, height: 800 } });
      const page = await context.newPage();
      const readShifts = await listenForShifts(page);
      const font = Promise.withResolvers<void>();
      await page.route("**/fonts/*.woff2", (route) => font.promise.then(() => route.continue()));
      await page.goto(site.url + path, { waitUntil: "domcontentloaded" });
      await expect.poll(() => page.evaluate(() => performance.getEntriesByType("paint").length)).toBe(2);
      expect(await page.evaluate(() => document.fonts.check("600 1em Newsreader"))).toBe(false);
      font.resolve();
      await page.evaluate(() => document.fonts.load("600 1em Newsreader"));
      await page.waitForLoadState("networkidle");
      await waitForDrawing(page);
      expect(await readShifts(), `${width} px`).toEqual([]);
      await context.close();
    }
  });
}

for (const lang of ["en", "tr"] as const) {
  test(`the CV in ${lang} prints on at most two pages of A4, with every certificate, light`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await openCv(page, `/${lang}/cv`);
    const labels = await page.locator(".certificate-label").allTextContents();
    const bytes = await page.pdf({ preferCSSPageSize: true });
    const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
    expect(pdf.numPages).toBeLessThanOrEqual(2);
    const pages = await Promise.all(
      Array.from({ length: pdf.numPages }, async (_, index) => {
        const { items } = await (await pdf.getPage(index + 1)).getTextContent();
        return items.map((item) => ("str" in item ? item.str : "")).join(" ");
      }),
    );
    const text = pages.join(" ").replace(/\s+/g, " ");
    for (const label of labels) expect(text).toContain(label);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const ink = await page.locator("h1").evaluate((heading) => getComputedStyle(heading).color);
    expect(ink).toBe("rgb(25, 28, 31)");
    expect(await page.locator(".step-button, .carousel-dot").filter({ visible: true }).count()).toBe(0);
  });
}
