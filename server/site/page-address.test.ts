import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { isFixedPage, isReservedAddress } from "#contract/site/page-address.ts";
import { createTestApp, type TestApp } from "#test/app.ts";

let site: TestApp;
beforeAll(async () => {
  site = await createTestApp();
});
afterAll(() => site.close());

/** First parts of all addresses that the server answers at, but for the one that stands for the owner's pages. */
function listFirstParts(): Set<string> {
  const tree = site.app.printRoutes({ commonPrefix: false, includeHooks: false });
  const paths = [...tree.matchAll(/^ {4}[├└]── (\S+)/gm)].map(([, path = ""]) => path);
  return new Set(paths.map((path) => path.split("/")[0] ?? ""));
}

test("no page of the owner can have an address at which the server answers something else", () => {
  const parts = [...listFirstParts()].filter((part) => /^[a-z0-9-]+$/.test(part));
  expect(parts).toEqual(expect.arrayContaining(["cv", "admin", "api", "files", "en", "tr", "rooms"]));
  expect(parts.filter((part) => !isReservedAddress(part))).toEqual([]);
});

test("the addresses of files that browsers ask a site for are no page's either", () => {
  for (const part of ["assets", "flags", "fonts", "socket", "voice"])
    expect(isReservedAddress(part)).toBe(true);
  for (const slug of ["about", "impressum", "now", "cv-of-mine"]) expect(isReservedAddress(slug)).toBe(false);
});

test("the terms and the privacy notice have addresses of their own", () => {
  for (const slug of ["terms", "privacy"]) {
    expect(isFixedPage(slug)).toBe(true);
    expect(isReservedAddress(slug)).toBe(false);
  }
  expect(isFixedPage("impressum")).toBe(false);
});
