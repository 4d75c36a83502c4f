import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import { type CachedPage, createHtmlCache, type HtmlCache, type PageSource } from "./html-cache.ts";

function createFeed() {
  const listeners: ((key: string | undefined) => void)[] = [];
  const feed = {
    live: true,
    subscribe: (listener: (key: string | undefined) => void) => void listeners.push(listener),
    subscribeRows: () => undefined,
    announce: () => undefined,
    isLive: () => feed.live,
    close: async () => {},
    tell: (key: string | undefined) => {
      for (const listener of listeners) listener(key);
    },
  };
  return feed satisfies ChangeFeed & { tell(key: string | undefined): void };
}

async function getPage(cache: HtmlCache, key: string, source: PageSource): Promise<CachedPage> {
  const page = await cache.get(key, source);
  if (!page) throw new Error("no page");
  return page;
}

function createSource(models: string[] = ["cv.certificate"]) {
  const source = { drawn: 0, models, status: 200, draw: async () => `page ${++source.drawn}` };
  return source;
}

test("a page is drawn once and served in three encodings", async () => {
  const cache = createHtmlCache(createFeed());
  const source = createSource();
  const [a, b] = await Promise.all([getPage(cache, "k", source), getPage(cache, "k", source)]);
  expect(source.drawn).toBe(1);
  expect(a).toBe(b);
  const [br, gzip] = await Promise.all([a.encode("br"), a.encode("gzip")]);
  expect([a.identity, brotliDecompressSync(br), gunzipSync(gzip)].map(String)).toEqual([
    "page 1",
    "page 1",
    "page 1",
  ]);
});

test("a change of a model drops the pages that read it, and only those", async () => {
  const feed = createFeed();
  const cache = createHtmlCache(feed);
  const [cv, login] = [createSource(), createSource([])];
  const before = await getPage(cache, "cv", cv);
  await getPage(cache, "login", login);
  feed.tell("cv.certificate");
  const after = await getPage(cache, "cv", cv);
  await getPage(cache, "login", login);
  expect([cv.drawn, login.drawn]).toEqual([2, 1]);
  expect(after.etag).not.toBe(before.etag);
});

test("a change while a page is drawn makes the next visitor's page a new one", async () => {
  const feed = createFeed();
  const cache = createHtmlCache(feed);
  const source = createSource();
  const first = getPage(cache, "k", source);
  feed.tell("cv.certificate");
  expect(String((await getPage(cache, "k", source)).identity)).toBe("page 2");
  expect(String((await first).identity)).toBe("page 1");
  expect(String((await getPage(cache, "k", source)).identity)).toBe("page 2");
});

test("nothing is kept while nobody hears of changes, and all is dropped after", async () => {
  const feed = createFeed();
  const cache = createHtmlCache(feed);
  const source = createSource();
  await getPage(cache, "k", source);
  feed.live = false;
  await getPage(cache, "k", source);
  await getPage(cache, "k", source);
  expect(source.drawn).toBe(3);
  feed.live = true;
  feed.tell(undefined);
  await getPage(cache, "k", source);
  expect(source.drawn).toBe(4);
});

test("a failed drawing is not kept", async () => {
  const cache = createHtmlCache(createFeed());
  const failing = { models: [], status: 200, draw: () => Promise.reject(new Error("no database")) };
  await expect(getPage(cache, "k", failing)).rejects.toThrow("no database");
  expect((await getPage(cache, "k", createSource())).status).toBe(200);
});
