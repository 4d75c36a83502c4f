import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { toShades } from "#contract/site/accent.ts";
import { buildTheme, getColor, getPixels, parseTokens, putAccent } from "./antd-theme.ts";

const CSS = readFileSync(new URL("../../ui/tokens.css", import.meta.url), "utf8");

test("a colour has a light and a dark side", () => {
  const tokens = parseTokens(
    "/* --x: 1; */ :root { --ink: light-dark(#111111, #eeeeee); --plain: #abcdef; }",
  );
  expect(getColor(tokens, "ink", "light")).toBe("#111111");
  expect(getColor(tokens, "ink", "dark")).toBe("#eeeeee");
  expect(getColor(tokens, "plain", "dark")).toBe("#abcdef");
});

test("sizes become pixels", () => {
  const tokens = parseTokens(":root { --a: 8px; --b: 1.2rem; }");
  expect([getPixels(tokens, "a"), getPixels(tokens, "b")]).toEqual([8, 19]);
});

test("a token that is gone is named", () => {
  expect(() => getColor({}, "accent", "light")).toThrow("--accent");
});

test("the owner's accent takes the place of the product's, in all its shades", () => {
  const tokens = putAccent(parseTokens(CSS), "#ffd400");
  expect(getColor(tokens, "accent", "dark")).toBe("#ffd400");
  expect(getColor(tokens, "accent", "light")).toBe(toShades("#ffd400").light.accent);
  expect(getColor(tokens, "on-accent", "dark")).toBe(toShades("#ffd400").dark.on);
  expect(putAccent(parseTokens(CSS), undefined)).toEqual(parseTokens(CSS));
});

test.each(["light", "dark"] as const)(
  "the %s antd theme takes its colours from the design tokens",
  (scheme) => {
    const tokens = parseTokens(CSS);
    const { token } = buildTheme(tokens, scheme, { hasMotion: true, isTouch: false });
    expect(token?.colorPrimary).toBe(getColor(tokens, "accent", scheme));
    expect(
      Object.values(token ?? {}).filter((value) => /light-dark|undefined|NaN/.test(String(value))),
    ).toEqual([]);
  },
);
