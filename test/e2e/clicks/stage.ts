import type { Browser, CDPSession, Page } from "playwright-core";
import { signIn } from "../sign-in.ts";
import { Site } from "../site.ts";

/** A window on a page, with the session that sends it raw clicks. */
export interface Act {
  page: Page;
  cdp: CDPSession;
}

/** A site of its own, whose records a press may change, with somebody before it. */
export interface Stage {
  url: string;
  /** A new page; the one before is given up, whatever was typed. */
  next(): Promise<Act>;
  signIn(): Promise<void>;
  close(): Promise<void>;
}

export async function openStage(
  browser: Browser,
  { slowdown, isOwner }: { slowdown: number; isOwner: boolean },
): Promise<Stage> {
  const site = await Site.startPrepared();
  const context = await browser.newContext({
    locale: "en",
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
  });
  let page: Page | undefined;
  const stage: Stage = {
    url: site.url,
    async next() {
      // Opened before the former one goes: a headless Chromium whose last page is closed while it loads opens no other.
      const former = page;
      page = await context.newPage();
      await former?.close();
      const cdp = await context.newCDPSession(page);
      if (slowdown > 1) await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
      return { page, cdp };
    },
    async signIn() {
      const { page: door } = await stage.next();
      if (isOwner) await signIn(door, site.url);
    },
    async close() {
      await context.close();
      await site.remove();
    },
  };
  await stage.signIn();
  return stage;
}
