import type { Browser, CDPSession, Page } from "playwright-core";
import { AUTH_STATE_KEY } from "#providers/browser-storage.ts";
import { signIn } from "../sign-in.ts";
import { Site } from "../site.ts";
import { type Traffic, watchTraffic } from "./traffic.ts";
import { within } from "./within.ts";

/** A window on a page, with the session that sends it raw clicks. */
export interface Act {
  page: Page;
  cdp: CDPSession;
  traffic: Traffic;
}

/** A site of its own, whose records a press may change, with a browser of its own, and somebody before it. */
export interface Stage {
  url: string;
  /** A new page; the one before is given up, whatever was typed. */
  next(): Promise<Act>;
  /** Whether the last page's press has ended the session. */
  hasLostSession(): Promise<boolean>;
  /** Answers within its limit, whether or not the browser does. */
  close(): Promise<void>;
}

/** Far above what a busy machine takes. */
const CALL_LIMIT_MS = 60_000;

export async function openStage(
  openBrowser: () => Promise<Browser>,
  { isOwner }: { isOwner: boolean },
): Promise<Stage> {
  const site = await Site.startPrepared();
  const browser = await openBrowser();
  const close = async () => {
    // A hung browser is left to the end of this process, which takes it along.
    await within(CALL_LIMIT_MS, "close the browser", browser.close()).catch(() => undefined);
    await site.remove();
  };
  try {
    const context = await within(
      CALL_LIMIT_MS,
      "new context",
      browser.newContext({ locale: "en", viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" }),
    );
    context.setDefaultTimeout(CALL_LIMIT_MS);
    let page: Page | undefined;
    const openNext = async (): Promise<Act> => {
      // Opened before the former one goes: a headless Chromium whose last page is closed while it loads opens no other.
      const former = page;
      page = await context.newPage();
      await former?.close();
      return { page, cdp: await context.newCDPSession(page), traffic: watchTraffic(page) };
    };
    const next = () => within(CALL_LIMIT_MS, "new page", openNext());
    if (isOwner)
      await within(
        CALL_LIMIT_MS,
        "sign in",
        next().then((act) => signIn(act.page, site.url)),
      );
    return {
      url: site.url,
      next,
      async hasLostSession() {
        // A page that was left for nowhere has no storage.
        if (!isOwner || !page?.url().startsWith(site.url)) return false;
        const kept = page.evaluate((key) => localStorage.getItem(key), AUTH_STATE_KEY);
        return (await within(CALL_LIMIT_MS, "look for the session", kept)) === null;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
