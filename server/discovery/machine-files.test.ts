import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { ICONS } from "#server/pictures/icons.ts";
import { buildManifest } from "./machine-files.ts";

const manifest = JSON.parse(buildManifest("https://site.test", { author: "" }, "en"));

test("a site without an author goes by its host", () => {
  expect(manifest.name).toBe("site.test");
});

test("its colours are the paper of the light theme", () => {
  const paper = /--paper: light-dark\((#\w{6}),/.exec(readFileSync("src/ui/tokens.css", "utf8"))?.[1];
  expect([manifest.theme_color, manifest.background_color]).toEqual([paper, paper]);
});

describe("the icons", () => {
  const pictures = manifest.icons as { src: string; sizes: string; type: string }[];
  test.each(pictures)("$src is one that is drawn, in the size of $sizes", ({ src, sizes, type }) => {
    const icon = Object.entries(ICONS).find(([name]) => src === `/${name}`)?.[1];
    expect(icon?.mediaType).toBe(type);
    expect(sizes).toBe(icon?.format === "svg" ? "any" : `${icon?.size}x${icon?.size}`);
  });

  test("one of them may be cut to any shape, and its ground goes to the edges", () => {
    expect(pictures).toContainEqual(expect.objectContaining({ sizes: "512x512", purpose: "maskable" }));
    expect(ICONS["icon-512.png"].isSquare).toBe(true);
  });

  test("home screens of Apple have one of their own", () => {
    expect(ICONS["apple-touch-icon.png"]).toMatchObject({ size: 180, isSquare: true });
  });
});
