import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ChangeFeed } from "#server/db/changes.ts";
import { createEncoders, type Encode } from "./encoder.ts";

const MAX_PAGES = 500;

/** A finished page: its bytes, the same in each encoding, and what identifies them. */
export interface CachedPage {
  status: number;
  etag: string;
  identity: Buffer;
  encode: Encode;
}

/** Names a drawn page by its content. */
function finishPage(html: string, status: number, toEncode: (bytes: Buffer) => Encode): CachedPage {
  const identity = Buffer.from(html, "utf8");
  const hash = createHash("sha256").update(identity).digest("base64url").slice(0, 22);
  return { status, etag: `W/"${hash}"`, identity, encode: toEncode(identity) };
}

/** What draws a page that isn't there, and the models whose change makes it stale. */
export interface PageSource {
  models: readonly string[];
  status: number;
  /** Null: there is no such page. */
  draw(): Promise<string | null>;
}

export interface HtmlCache {
  get(key: string, source: PageSource): Promise<CachedPage | null>;
}

interface Entry {
  models: readonly string[];
  /** Shared by all who ask while it is drawn: a cold page is drawn once. */
  page: Promise<CachedPage | null>;
}

/**
 * Finished pages by key. A change of a model drops the pages that read it, also one that is being drawn right now: who
 * asks after the change gets a page drawn after it. While no connection hears of changes, every page is drawn anew.
 */
export function createHtmlCache(feed: ChangeFeed): HtmlCache {
  const toEncode = createEncoders();
  const entries = new LRUCache<string, Entry>({ max: MAX_PAGES });
  feed.subscribe((modelKey) => {
    if (modelKey === undefined) return entries.clear();
    for (const [key, entry] of entries.entries()) if (entry.models.includes(modelKey)) entries.delete(key);
  });
  const draw = async (source: PageSource) => {
    const html = await source.draw();
    return html === null ? null : finishPage(html, source.status, toEncode);
  };
  return {
    get(key, source) {
      if (!feed.isLive()) return draw(source);
      const known = entries.get(key);
      if (known) return known.page;
      const entry: Entry = { models: source.models, page: draw(source) };
      entries.set(key, entry);
      entry.page.catch(() => {
        if (entries.get(key) === entry) entries.delete(key);
      });
      return entry.page;
    },
  };
}
