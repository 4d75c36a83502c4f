import { expect, test } from "@jest/globals";
import { findMove, isIndexed, SCREENS } from "./pages.ts";

test.each([
  ["/cv", "/contact", "contact"],
  ["/terms", "/privacy", "text"],
  ["/cv", "/impressum", "text"],
  ["/rooms", "/room/abc-1", "room"],
  ["/room/abc-1", "/rooms/abc-1", "rooms"],
  ["/room/a", "/rooms", "rooms"],
])("from %s to %s the browser moves by itself and shows %s", (from, to, screen) => {
  expect(findMove(from, to)).toBe(screen);
});

test.each([
  ["/cv", "/rooms", "another group"],
  ["/rooms", "/dev", "another group"],
  ["/cv", "/login", "no group"],
  ["/login", "/cv", "no group"],
  ["/no.where", "/cv", "no screen"],
  ["/cv", "/register", "a screen of its own, which is no page of text"],
  ["/cv", "/cv/nowhere", "no screen"],
  ["/rooms", "/room/a/b", "no screen"],
  ["/rooms", "/room/", "no screen"],
])("from %s to %s a document is loaded: %s", (from, to) => {
  expect(findMove(from, to)).toBeUndefined();
});

test("no address has two screens", () => {
  const paths = Object.values(SCREENS).flatMap(({ paths }) => paths);
  expect(new Set(paths).size).toBe(paths.length);
});

test("a screen of the visitor's own is neither for search engines nor said to be made up", () => {
  const site = { has_sample: true };
  for (const { isOwn, indexing } of Object.values(SCREENS)) if (isOwn) expect(indexing).toBe("none");
  expect(isIndexed({ screen: "rooms" }, { has_sample: false })).toBe(false);
  const hub = { has_sample: false, projects: [] };
  expect(isIndexed({ screen: "dev", hub }, { has_sample: false })).toBe(true);
  expect(isIndexed({ screen: "dev", hub }, site)).toBe(false);
  const sample = { ...hub, has_sample: true };
  expect(isIndexed({ screen: "dev", hub: sample }, { has_sample: false })).toBe(false);
});
