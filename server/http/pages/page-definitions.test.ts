import { expect, test } from "@jest/globals";
import { type ContentSources, toPageDefinitions } from "./page-definitions.ts";

const asked: string[] = [];
const SOURCES: ContentSources = {
  cv: { models: ["cv.profile"], load: async () => null },
  contact: { models: [], load: async () => ({ screen: "contact", draft: null }) },
  text: {
    models: ["site.page"],
    async load(lang, path) {
      asked.push(`${lang} ${path}`);
      return null;
    },
  },
};

test("every address of a screen with content asks that content's source, which is told the address", async () => {
  const texts = toPageDefinitions(SOURCES).filter(({ screen }) => screen === "text");
  expect(texts.map(({ path, models }) => [path, models])).toEqual([
    ["/terms", ["site.page"]],
    ["/privacy", ["site.page"]],
  ]);
  for (const page of texts) await page.load("tr");
  expect(asked).toEqual(["tr /terms", "tr /privacy"]);
});

test("a screen without content of its own is its name, at all its addresses", async () => {
  const rooms = toPageDefinitions(SOURCES).filter(({ screen }) => screen === "rooms");
  expect(rooms.map(({ path }) => path)).toEqual(["/rooms", "/rooms/:room"]);
  for (const { models, load } of rooms) expect([models, await load("en")]).toEqual([[], { screen: "rooms" }]);
});

test("a screen without an address has no page", () => {
  const screens = toPageDefinitions(SOURCES).map(({ screen }) => screen);
  expect(screens).not.toContain("not-found");
  expect(screens).not.toContain("unsubscribe");
});
