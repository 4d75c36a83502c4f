import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { until } from "#test/until.ts";
import type { ChangeFeed } from "../../db/change-feed.ts";
import {
  type CachedPage,
  createEncoders,
  createHtmlCache,
  type Encode,
  type HtmlCache,
  type PageSource,
} from "./html-cache.ts";

describe("encoder", () => {
  const TEXT = Array.from(
    { length: 400 },
    (_, index) => `<li>certificate ${index * 7919} of ${index}</li>`,
  ).join("");

  /** Asks until there is another brotli than the one before. */
  async function waitForBetter(encode: Encode, before: Buffer): Promise<Buffer> {
    let last = before;
    await until(async () => {
      last = await encode("br");
      return last !== before;
    });
    return last;
  }

  test("each coding gives the same text back", async () => {
    const encode = createEncoders()(Buffer.from(TEXT));
    expect(String(brotliDecompressSync(await encode("br")))).toBe(TEXT);
    expect(String(gunzipSync(await encode("gzip")))).toBe(TEXT);
  });

  test("a text that is asked for again gets smaller, and is the same", async () => {
    const encode = createEncoders()(Buffer.from(TEXT));
    const first = await encode("br");
    expect(await encode("br")).toBe(first);
    const last = await waitForBetter(encode, first);
    expect(last.length).toBeLessThan(first.length);
    expect(String(brotliDecompressSync(last))).toBe(TEXT);
  });

  test("one text is made smaller at a time, the next one when it is asked for again", async () => {
    const toEncode = createEncoders();
    const [long, short] = [toEncode(Buffer.from(TEXT.repeat(20))), toEncode(Buffer.from(TEXT))];
    const [firstLong, firstShort] = [await long("br"), await short("br")];
    await Promise.all([long("br"), short("br")]);
    expect((await waitForBetter(long, firstLong)).length).toBeLessThan(firstLong.length);
    expect(await short("br")).toBe(firstShort);
    expect((await waitForBetter(short, firstShort)).length).toBeLessThan(firstShort.length);
  });
});

describe("html cache", () => {
  function createFeed() {
    const listeners: ((key: string | undefined) => void)[] = [];
    const feed = {
      live: true,
      subscribe: (listener: (key: string | undefined) => void) => void listeners.push(listener),
      subscribeRows: () => undefined,
      announce: () => undefined,
      isLive: () => feed.live,
      ping: async () => undefined,
      close: async () => {},
      publish: (key: string | undefined) => {
        for (const listener of listeners) listener(key);
      },
    };
    return feed satisfies ChangeFeed & { publish(key: string | undefined): void };
  }

  async function getPage(cache: HtmlCache, key: string, source: PageSource): Promise<CachedPage> {
    const page = await cache.get(key, source);
    if (!page) throw new Error("no page");
    return page;
  }

  function createSource(models: string[] = ["cv.certificate"]) {
    const source = { drawn: 0, models, status: 200, draw: async () => ({ html: `page ${++source.drawn}` }) };
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
    feed.publish("cv.certificate");
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
    feed.publish("cv.certificate");
    expect(String((await getPage(cache, "k", source)).identity)).toBe("page 2");
    expect(String((await first).identity)).toBe("page 1");
    expect(String((await getPage(cache, "k", source)).identity)).toBe("page 2");
  });

  test("nothing is cached while nobody receives changes, and all is dropped after", async () => {
    const feed = createFeed();
    const cache = createHtmlCache(feed);
    const source = createSource();
    await getPage(cache, "k", source);
    feed.live = false;
    await getPage(cache, "k", source);
    await getPage(cache, "k", source);
    expect(source.drawn).toBe(3);
    feed.live = true;
    feed.publish(undefined);
    await getPage(cache, "k", source);
    expect(source.drawn).toBe(4);
  });

  test("a failed drawing is not cached", async () => {
    const cache = createHtmlCache(createFeed());
    const failing = { models: [], status: 200, draw: () => Promise.reject(new Error("no database")) };
    await expect(getPage(cache, "k", failing)).rejects.toThrow("no database");
    expect((await getPage(cache, "k", createSource())).status).toBe(200);
  });
});
