import { expect, type Page } from "@playwright/test";
import { waitForApp } from "./app-ready.ts";
import { listen } from "./complaints.ts";
import { test } from "./shared-site.ts";
import { signIn } from "./sign-in.ts";
import { OWNER, type Site } from "./site.ts";

let site: Site;
test.beforeAll(({ sharedSite }) => {
  site = sharedSite;
});

const PAGES = ["/en/cv", "/tr/contact", "/en/dev", "/tr/terms", "/en/privacy", "/tr/nowhere"];

/** From here on the server says that the signed-in person is an ordinary user. */
async function actAsUser(page: Page) {
  await page.route("**/api/users/me/", async (route) => {
    const answer = await route.fetch();
    const user = { ...(await answer.json()), access_level: 1 };
    await route.fulfill({ response: answer, json: user });
  });
}

const pathOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;

test.describe("the guard", () => {
  for (const [asked, shown] of [
    ["/", "/dev"],
    ["/tr", "/tr/dev"],
    ["/cv", "/cv"],
    ["/contact", "/contact"],
    ["/login", "/login"],
    ["/register", "/register"],
    ["/verify-email", "/verify-email"],
    ["/profile", "/login?redirect=%2Fprofile"],
    ["/tr/profile?tab=1", "/tr/login?redirect=%2Ftr%2Fprofile%3Ftab%3D1"],
    ["/rooms", "/login?redirect=%2Frooms"],
    ["/rooms/abc", "/login?redirect=%2Frooms%2Fabc"],
    ["/room/abc?x=1#y", "/login?redirect=%2Froom%2Fabc%3Fx%3D1%23y"],
    ["/admin/models", "/login?redirect=%2Fadmin%2Fmodels"],
  ] as const) {
    test(`a visitor who asks for ${asked} is shown ${shown}`, async ({ page }) => {
      await page.goto(site.url + asked);
      await expect.poll(() => pathOf(page)).toBe(shown);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    });
  }

  test("an administrator is let in everywhere, and sent from the log-in page to the console", async ({
    page,
  }) => {
    await signIn(page, site.url);
    await page.goto(`${site.url}/en/profile`);
    await expect(page.getByLabel("Email", { exact: true })).toHaveValue(OWNER.email);
    await page.goto(`${site.url}/en/rooms/abc`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is no such room");
    await page.goto(`${site.url}/en/login`);
    await page.waitForURL(/\/admin/);
  });

  test("somebody below the level of the console is sent to Dev", async ({ page }) => {
    await signIn(page, site.url);
    await actAsUser(page);
    await page.goto(`${site.url}/admin`);
    await page.waitForURL(/\/dev$/);
    await page.goto(`${site.url}/tr/login`);
    await page.waitForURL(/\/tr\/dev$/);
  });

  test("a server that can't be asked ends no session", async ({ page }) => {
    await signIn(page, site.url);
    await page.route("**/api/**", (route) => route.abort());
    await page.goto(`${site.url}/en/profile`);
    await expect(page.getByRole("alert")).toContainText("can't be reached");
    await page.unroute("**/api/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByLabel("Email", { exact: true })).toHaveValue(OWNER.email);
  });
});

test.describe("the theme", () => {
  const PAPER = { light: "rgb(251, 251, 249)", dark: "rgb(21, 24, 27)" };

  for (const [name, saved, system, shown] of [
    ["saved dark on a light system", { isDark: true, isSystem: false }, "light", "dark"],
    ["saved light on a dark system", { isDark: false, isSystem: false }, "dark", "light"],
    ["a dark system", null, "dark", "dark"],
    ["a light system", { isDark: true, isSystem: true }, "light", "light"],
  ] as const) {
    test(`${name} shows one background from the first frame to the last`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: system });
      await page.addInitScript((preference) => {
        if (preference) localStorage.setItem("theme-preference", JSON.stringify(preference));
        const seen: string[] = [];
        const look = () => {
          if (document.body) seen.push(getComputedStyle(document.body).backgroundColor);
          requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
        /** The backgrounds of all frames so far, once there are so many more. */
        const waitForFrames = async (more: number) => {
          for (const enough = seen.length + more; seen.length < enough; ) {
            await new Promise(requestAnimationFrame);
          }
          return [...new Set(seen)];
        };
        Object.assign(window, { waitForFrames });
      }, saved);
      const readFrames = () =>
        page.evaluate(() =>
          (window as unknown as Record<string, (more: number) => Promise<string[]>>).waitForFrames?.(3),
        );
      // The page as the server drew it, before any of its scripts but the loader; then with them.
      const gate = Promise.withResolvers<void>();
      await page.route(/\/assets\/.*\.js/, async (route) => {
        await gate.promise;
        await route.continue();
      });
      await page.goto(`${site.url}/en/cv`, { waitUntil: "commit" });
      await expect(page.getByRole("contentinfo")).toBeVisible();
      expect(await readFrames()).toEqual([PAPER[shown]]);
      gate.resolve();
      await waitForApp(page);
      expect(await readFrames()).toEqual([PAPER[shown]]);
      await expect(page.locator("html")).toHaveAttribute("data-theme", shown);
      expect(await page.evaluate(() => document.documentElement.classList.contains("dark"))).toBe(
        shown === "dark",
      );
    });
  }

  test("follows the system until it is toggled, then keeps the choice", async ({ page }) => {
    const html = page.locator("html");
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`${site.url}/en/cv`);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(html).toHaveAttribute("data-theme", "dark");
    await page.getByRole("button", { name: "Use the light theme" }).click();
    await expect(html).toHaveAttribute("data-theme", "light");
    expect(await page.evaluate(() => localStorage.getItem("theme-preference"))).toBe(
      JSON.stringify({ isDark: false, isSystem: false }),
    );
    await page.reload();
    await expect(html).toHaveAttribute("data-theme", "light");
    await page.emulateMedia({ colorScheme: "light" });
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(html).toHaveAttribute("data-theme", "light");
  });

  test("toggles, and menus close, without the app", async ({ page }) => {
    await page.route(/\/assets\/(app|client)-/, (route) => route.abort());
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`${site.url}/en/cv`);
    await page.getByRole("button", { name: "Use the dark theme" }).click();
    await expect(page.locator("html")).toHaveClass("dark");
    await page.locator("summary:visible").click();
    await expect(page.getByRole("link", { name: "Türkçe" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("link", { name: "Türkçe" })).toBeHidden();
  });

  test("something else under its key counts as no choice", async ({ page }) => {
    const complaints = listen(page);
    await page.addInitScript(() => localStorage.setItem("theme-preference", "{broken"));
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(`${site.url}/en/dev`);
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    expect(complaints).toEqual([]);
  });
});

test.describe("the language", () => {
  test("that is picked is kept for addresses without one", async ({ page, context }) => {
    await page.goto(`${site.url}/en/cv?from=mail#top`);
    await page.locator("summary:visible").click();
    await page.getByRole("link", { name: "Türkçe" }).click();
    await expect.poll(() => page.url()).toBe(`${site.url}/tr/cv?from=mail#top`);
    expect(await page.evaluate(() => localStorage.getItem("preferred-language"))).toBe("tr");
    expect(await context.cookies()).toContainEqual(
      expect.objectContaining({ name: "preferred-language", value: "tr" }),
    );
    await page.goto(`${site.url}/cv`);
    await expect(page.locator("html")).toHaveAttribute("lang", "tr");
  });

  test("is given to the server again when the cookie is lost", async ({ page, context }) => {
    await page.goto(`${site.url}/en/cv`);
    await page.evaluate(() => localStorage.setItem("preferred-language", "tr"));
    await context.clearCookies();
    await page.goto(`${site.url}/en/dev`);
    await expect.poll(() => context.cookies()).toContainEqual(expect.objectContaining({ value: "tr" }));
  });

  test("of a page that isn't there leads to the same address in the other one", async ({ page }) => {
    await page.goto(`${site.url}/en/no/such/page`);
    await page.locator("summary:visible").click();
    await expect(page.getByRole("link", { name: "Türkçe" })).toHaveAttribute("href", "/tr/no/such/page");
  });
});

test.describe("moving between pages", () => {
  const mark = (page: Page) => page.evaluate(() => Object.assign(window, { isSame: true }));
  const isSame = (page: Page) => page.evaluate(() => "isSame" in window);

  test("keeps the document, and gives it the new page's head, beginning and focus", async ({ page }) => {
    const complaints = listen(page);
    await page.goto(`${site.url}/en/cv`);
    await waitForApp(page);
    await mark(page);
    const titleOfCv = await page.title();
    await page.evaluate(() => scrollTo(0, 500));
    await page.getByRole("link", { name: "Privacy" }).click();
    await page.waitForURL(/\/en\/privacy$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Privacy/i);
    await expect(page).not.toHaveTitle(titleOfCv);
    await expect(page.locator("#content")).toBeFocused();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.getByRole("navigation").getByRole("link", { name: "CV" }).click();
    await expect(page).toHaveTitle(titleOfCv);
    await expect(page.getByRole("navigation").getByRole("link", { name: "CV" })).toHaveAttribute(
      "aria-current",
      "page",
    );
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Privacy/i);
    await page.goForward();
    await expect(page).toHaveTitle(titleOfCv);
    expect(await isSame(page)).toBe(true);
    expect(complaints).toEqual([]);
  });

  test("from a screen of the visitor's own loads a document, whose policies are its own", async ({
    page,
  }) => {
    await page.goto(`${site.url}/en/login`);
    await waitForApp(page);
    await mark(page);
    await page.getByRole("navigation").getByRole("link", { name: "Dev" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Developer hub");
    expect(await isSame(page)).toBe(false);
    const isMine = await page.getByRole("link", { name: "Voice Chat" }).getAttribute("href");
    expect(isMine).toBe("/en/rooms");
  });

  test("leaves the skip link on its page", async ({ page }) => {
    await page.goto(`${site.url}/en/cv`);
    await waitForApp(page);
    await page.getByRole("navigation").getByRole("link", { name: "Contact", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Get in touch");
    await page.getByRole("link", { name: "Skip to content" }).press("Enter");
    await expect.poll(() => page.url()).toBe(`${site.url}/en/contact#content`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Get in touch");
    await expect(page.locator("#content")).toBeFocused();
    await page.goBack();
    await expect.poll(() => page.url()).toBe(`${site.url}/en/contact`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Get in touch");
  });

  test("loads the shown page anew by a link to itself", async ({ page }) => {
    await page.goto(`${site.url}/en/dev?q=zzz`);
    await expect(page.getByText("No matches")).toBeVisible();
    await page.getByRole("navigation").getByRole("link", { name: "Dev" }).click();
    await expect(page.getByRole("heading", { name: "Voice Chat" })).toBeVisible();
    await expect(page.getByLabel("Search projects")).toHaveValue("");
  });

  test("loads the document when the page's data can't be had", async ({ page }) => {
    await page.goto(`${site.url}/en/dev`);
    await waitForApp(page);
    await mark(page);
    await page.route("**/api/**", (route) => route.abort());
    await page.getByRole("link", { name: "Terms" }).click();
    await page.waitForURL(/\/en\/terms$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Terms/i);
    expect(await isSame(page)).toBe(false);
  });

  test("works from the collapsed menu by keyboard at 360 px", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${site.url}/en/cv`);
    await waitForApp(page);
    const links = page.getByRole("navigation", { name: "Main" });
    await expect(links).toBeHidden();
    await page.getByRole("button", { name: "Menu" }).press("Enter");
    await expect(links).toBeVisible();
    await links.getByRole("link", { name: "Contact", exact: true }).press("Enter");
    await page.waitForURL(/\/en\/contact$/);
    await expect(links).toBeHidden();
  });
});

test("what is remembered of somebody without a refresh token shows nobody", async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem("auth_state", '{"user":{"access_level":999}}'));
  await page.goto(`${site.url}/en/cv`);
  await expect(page.getByRole("link", { name: "Login" })).toBeVisible();
  await expect(page.locator("html")).not.toHaveAttribute("data-session");
});

test("a document may use what its screens need, and says so without a complaint of the browser", async ({
  page,
}) => {
  const complaints = listen(page);
  await signIn(page, site.url);
  const passkeys = ["publickey-credentials-create", "publickey-credentials-get"];
  const voice = ["camera", "clipboard-write", "microphone", "publickey-credentials-get", "screen-wake-lock"];
  for (const [path, allowed] of [
    ["/en/cv", ["clipboard-write"]],
    ["/en/profile", ["clipboard-write", ...passkeys]],
    ["/en/rooms", voice],
    ["/tr/room/abc", voice],
    ["/admin", ["clipboard-write", "publickey-credentials-get"]],
    ["/api/docs/", []],
  ] as const) {
    await page.goto(site.url + path);
    await expect(page.getByRole("heading").first()).toBeVisible();
    const found = await page.evaluate(
      (asked) => {
        // Chromium alone shows a page its policy, and TypeScript doesn't know that.
        const { featurePolicy } = document as unknown as { featurePolicy: { allowedFeatures(): string[] } };
        return featurePolicy.allowedFeatures().filter((feature) => asked.includes(feature));
      },
      [...voice, ...passkeys, "geolocation", "display-capture"],
    );
    expect(found.sort(), path).toEqual(allowed);
  }
  expect(complaints.filter((text) => /(permissions|content.security).policy/i.test(text))).toEqual([]);
});

test("each screen brings its styles in the document, behind those of all pages, and no other screen's", async ({
  page,
}) => {
  const readStyles = async (path: string) => {
    const html = await (await page.request.get(site.url + path)).text();
    const head = html.slice(0, html.indexOf("</head>"));
    // The link fetches nothing: it tells the app that the sheet is there.
    const sheet = /<style>[\s\S]+?<\/style><link rel="stylesheet" href="\/assets\/(\w+)-[^"]*" disabled>/g;
    expect(head.match(/rel="stylesheet"/g)).toEqual(head.match(/ disabled>/g)?.map(() => 'rel="stylesheet"'));
    return [...head.matchAll(sheet)].map(([, name]) => name);
  };
  for (const path of ["/en/rooms", "/rooms/abc", "/tr/room/abc"])
    expect(await readStyles(path)).toEqual(["site", "voice"]);
  expect(await readStyles("/en/cv")).toEqual(["site", "cv"]);
  for (const path of ["/en/login", "/register"]) expect(await readStyles(path)).toEqual(["site", "account"]);
  expect(await readStyles("/en/profile")).toEqual(expect.arrayContaining(["site", "account", "profile"]));
});

test.describe("somebody signed in", () => {
  test("sees Profile in place of Log in before anything is drawn, and signs out in all tabs", async ({
    page,
    context,
  }) => {
    await signIn(page, site.url);
    // What is known when the parser comes to the body; the loader's module runs after the whole document.
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (!document.body) return;
        Object.assign(window, { sessionAtBody: document.documentElement.dataset.session ?? "none" });
        observer.disconnect();
      });
      observer.observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${site.url}/en/cv`);
    expect(await page.evaluate(() => Reflect.get(window, "sessionAtBody"))).not.toBe("none");
    const other = await context.newPage();
    await other.goto(`${site.url}/en/dev`);
    await expect(page.getByRole("link", { name: "Login" })).toBeHidden();
    await page.locator("summary", { hasText: "Profile" }).click();
    await expect(page.getByRole("link", { name: "Console" })).toBeVisible();
    await page.getByRole("button", { name: "Logout" }).click();
    await page.waitForURL(/\/en\/login$/);
    expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain("auth_state");
    await expect(other.getByRole("link", { name: "Login" })).toBeVisible();
  });
});

test("signing out works where the app doesn't come", async ({ page }) => {
  await signIn(page, site.url);
  await page.route(/\/assets\/(app|client)-/, (route) => route.abort());
  await page.goto(`${site.url}/en/cv`);
  await page.locator("summary", { hasText: "Profile" }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("link", { name: "Login" })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain("refresh_token");
});

test("a log-in page whose scripts don't come says so", async ({ page }) => {
  await page.route(/\/assets\/(app|client)-/, (route) => route.abort());
  await page.goto(`${site.url}/en/login`);
  await expect(page.getByText("could not be loaded completely")).toBeVisible();
});

test("without JavaScript every page says everything, and the menus work", async ({ browser }) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  for (const path of PAGES) {
    await page.goto(site.url + path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("[data-theme-toggle]")).toBeHidden();
    await page.locator(".menu-toggle").click();
    await expect(page.getByRole("navigation").getByRole("link").first()).toBeVisible();
  }
  await page.goto(`${site.url}/en/profile`);
  // Chromium parses `noscript` as text when scripts are switched off from outside only.
  expect(await page.content()).toContain("needs JavaScript");
  await context.close();
});

for (const width of [320, 768, 1920]) {
  test(`at ${width} px no page is wider than the screen`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const path of PAGES) {
      await page.goto(site.url + path);
      await waitForApp(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, path).toBeLessThanOrEqual(0);
    }
  });
}
