import { createHash } from "node:crypto";
import { createChangeCache } from "#server/db/change-cache.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
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

/** Finished pages by key, each drawn once until a model that it shows changes. */
export function createHtmlCache(feed: ChangeFeed): HtmlCache {
  const toEncode = createEncoders();
  const pages = createChangeCache<CachedPage | null>(feed, MAX_PAGES);
  return {
    get: (key, { models, status, draw }) =>
      pages.get(key, {
        models,
        async load() {
          const html = await draw();
          return html === null ? null : finishPage(html, status, toEncode);
        },
      }),
  };
}
