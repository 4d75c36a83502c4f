import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { PERSON } from "../admin/person.ts";

/** Debian's Chromium without what would call out; root needs it without its sandbox. */
const ARGS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.FOYER_CHROMIUM ?? "/usr/bin/chromium", args: ARGS });
}

/** Calls to the API, in their order. */
export function watchCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/api/")) calls.push(`${request.method()} ${pathname}${search}`);
  });
  return calls;
}

/** A page on which the bench's person has logged in, at an address of the console. */
export async function logIn(context: BrowserContext, url: string, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(() => localStorage.setItem("preferred-language", "en"));
  await page.goto(`${url}/login?redirect=${encodeURIComponent(path)}`);
  await page.getByLabel("Username").fill(PERSON.username);
  await page.getByLabel("Password", { exact: true }).fill(PERSON.password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL(url + path);
  await page.waitForLoadState("networkidle");
  return page;
}
