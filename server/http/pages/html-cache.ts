import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type ChangeFeed, createChangeCache } from "../../db/change-feed.ts";

export type Coding = "br" | "gzip";
export type Encode = (coding: Coding) => Promise<Buffer>;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** A CV page of 43 kB: 6.6 kB after 2 ms of quality 5, 5.7 kB after 55 ms of quality 11. */
const QUICK_QUALITY = 5;
const BEST_QUALITY = 11;

function toBrotli(bytes: Buffer, quality: number): Promise<Buffer> {
  return compressBrotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

/**
 * Gives finished texts in the codings that are asked for. The first request waits for the quick brotli only; the second one
 * shows that the text is asked for again, and the best one is made beside the answers. So a new page comes at once, and a page
 * that nobody asks for twice costs no more than that. One best one is made at a time: a caller that asks for the page under a thousand
 * forged hosts, twice each, keeps one thread busy and not all of them.
 */
export function createEncoders(): (bytes: Buffer) => Encode {
  let isImproving = false;

  return (bytes) => {
    let gzipped: Promise<Buffer> | undefined;
    let brotli: Promise<Buffer> | undefined;
    let isImproved = false;

    async function improve(): Promise<void> {
      isImproving = true;
      isImproved = true;
      try {
        const best = await toBrotli(bytes, BEST_QUALITY);
        brotli = Promise.resolve(best);
      } finally {
        isImproving = false;
      }
    }

    return (coding) => {
      if (coding === "gzip") {
        gzipped ??= compressGzip(bytes);
        return gzipped;
      }
      if (!brotli) brotli = toBrotli(bytes, QUICK_QUALITY);
      else if (!isImproved && !isImproving) improve().catch(() => undefined); // the quick one stays, and serves as well
      return brotli;
    };
  };
}

const MAX_PAGES = 500;

/** A finished page: its bytes, the same in each encoding, and what identifies them. */
export interface CachedPage {
  status: number;
  etag: string;
  identity: Buffer;
  encode: Encode;
  /** Of the drawing, for the policy that the page is sent with. */
  style: string;
}

interface Drawing {
  html: string;
  /** Text of the style element that the site's look put in. */
  style?: string;
}

/** Names a drawn page by its content. */
function finishPage(
  { html, style = "" }: Drawing,
  status: number,
  toEncode: (bytes: Buffer) => Encode,
): CachedPage {
  const identity = Buffer.from(html, "utf8");
  const hash = createHash("sha256").update(identity).digest("base64url").slice(0, 22);
  return { status, etag: `W/"${hash}"`, identity, encode: toEncode(identity), style };
}

/** What draws a page that isn't there, and the models whose change makes it stale. */
export interface PageSource {
  models: readonly string[];
  status: number;
  /** Null: there is no such page. */
  draw(): Promise<Drawing | null>;
}

/** Since the process began. */
export interface CacheFigures {
  /** In memory now. */
  readonly entries: number;
  readonly asked: number;
  /** Of these, what wasn't there. */
  readonly drawn: number;
}

export interface HtmlCache {
  readonly figures: CacheFigures;
  get(key: string, source: PageSource): Promise<CachedPage | null>;
}

/** Finished pages by key, each drawn once until a model that it shows changes. */
export function createHtmlCache(feed: ChangeFeed): HtmlCache {
  const toEncode = createEncoders();
  const pages = createChangeCache<CachedPage | null>(feed, MAX_PAGES);
  let asked = 0;
  let drawn = 0;
  return {
    figures: {
      get entries() {
        return pages.size;
      },
      get asked() {
        return asked;
      },
      get drawn() {
        return drawn;
      },
    },
    get(key, { models, status, draw }) {
      asked += 1;
      return pages.get(key, {
        models,
        async load() {
          drawn += 1;
          const drawing = await draw();
          return drawing && finishPage(drawing, status, toEncode);
        },
      });
    },
  };
}
