import { expect, test } from "@jest/globals";
import { toSafeRedirect } from "./arrival.ts";

const ORIGIN = "https://foyer.example";

test.each(["/admin", "/admin/models?page=2#top", "/tr/cv", "/rooms/a%20b", "/?x=//y"])(
  "%s is a path on this site",
  (value) => {
    expect(toSafeRedirect(value, ORIGIN)).toBe(value);
  },
);

test.each([
  null,
  "",
  "admin",
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "\\/evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  " //evil.example",
  "javascript:alert(1)",
  "/\u0000/",
])("%j leads elsewhere", (value) => {
  const target = toSafeRedirect(value, ORIGIN);
  if (target !== null) expect(new URL(target, ORIGIN).origin).toBe(ORIGIN);
  expect(target?.startsWith("//") ?? false).toBe(false);
});

test.each(["/login", "/en/login?redirect=/login", "/tr/login/"])("%s would be a circle", (value) => {
  expect(toSafeRedirect(value, ORIGIN)).toBeNull();
});
