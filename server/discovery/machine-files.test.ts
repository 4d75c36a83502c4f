import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { buildManifest } from "./machine-files.ts";

const manifest = JSON.parse(buildManifest("https://site.test", { author: "" }, "en"));

/** Width and height in the header of a PNG. */
function readSize(file: string): string {
  const bytes = readFileSync(file);
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
}

test("a site without an author goes by its host", () => {
  expect(manifest.name).toBe("site.test");
});

test("its colours are the paper of the light theme", () => {
  const paper = /--paper: light-dark\((#\w{6}),/.exec(readFileSync("src/ui/tokens.css", "utf8"))?.[1];
  expect([manifest.theme_color, manifest.background_color]).toEqual([paper, paper]);
});

describe("the icons", () => {
  const pictures = manifest.icons.filter((icon: { type: string }) => icon.type === "image/png");
  test.each(pictures as { src: string; sizes: string }[])(
    "$src is there, in the size of $sizes",
    ({ src, sizes }) => {
      expect(readSize(`public${src}`)).toBe(sizes);
    },
  );

  test("one of them may be cut to any shape", () => {
    expect(pictures).toContainEqual(expect.objectContaining({ sizes: "512x512", purpose: "maskable" }));
  });

  test("home screens of Apple have one of their own", () => {
    expect(readSize("public/apple-touch-icon.png")).toBe("180x180");
  });
});
