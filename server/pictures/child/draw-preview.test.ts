import { readFile } from "node:fs/promises";
import { describe, expect, test } from "@jest/globals";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { makePhoto } from "../fixture.ts";
import type { PreviewJob } from "../job.ts";
import { COLOURS, drawPreview, FOOT, MARGIN, PREVIEW_SIZE } from "./draw-preview.ts";

describe("preview style", () => {
  test("previews have the light colours of the design tokens", async () => {
    const css = await readFile(new URL("../../../src/ui/tokens.css", import.meta.url), "utf8");
    const getLight = (token: string) => new RegExp(`--${token}: light-dark\\((#\\w{6}),`).exec(css)?.[1];
    expect(COLOURS).toEqual({
      paper: getLight("paper"),
      ink: getLight("ink"),
      inkQuiet: getLight("ink-quiet"),
      line: getLight("line"),
    });
  });
});

describe("draw preview", () => {
  // A picture takes half a second on a busy machine, and one test compares fourteen.

  const NONE = Buffer.alloc(0);
  const JOB: PreviewJob = {
    kind: "preview",
    lang: "tr",
    name: "Işıl Örnek",
    title: "Yazılım Mühendisi",
    tagline: "Küçük araçlar, özenle",
    place: "site.test · Çankaya, Ankara",
    accent: "#0b4a63",
    fonts: "newsreader",
    shape: "rounded",
  };
  const LONG: PreviewJob = {
    kind: "preview",
    lang: "tr",
    name: "Ş".repeat(200),
    title: "Muvaffakiyetsizleştiricileştiriveremeyebileceklerimizdenmişsinizcesine ".repeat(3),
    tagline: "Dağıtık sistemler, ölçülebilir güvenilirlik ve sade iç araçlar. ".repeat(5),
    place: `${"uzun-bir-ad.".repeat(15)}example`,
    accent: "#0b4a63",
    fonts: "grotesk",
    shape: "circle",
  };

  /** Where something is drawn: the pixels that are not paper. */
  async function findInk(picture: Buffer, fromTop = 0, toTop: number = PREVIEW_SIZE.height) {
    const image = await loadImage(picture);
    expect([image.width, image.height]).toEqual([1200, 630]);
    const context = createCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data, width } = context.getImageData(0, fromTop, image.width, toTop - fromTop);
    const paper = Number.parseInt(COLOURS.paper.slice(1, 3), 16);
    let [left, right, top, bottom] = [width, 0, image.height, 0];
    for (let at = 0; at < data.length; at += 4) {
      if (Math.abs(Number(data[at]) - paper) < 8) continue;
      const [x, y] = [(at / 4) % width, fromTop + Math.floor(at / 4 / width)];
      [left, right, top, bottom] = [
        Math.min(left, x),
        Math.max(right, x),
        Math.min(top, y),
        Math.max(bottom, y),
      ];
    }
    return { left, right, top, bottom };
  }

  test.each([
    ["plain texts", JOB, NONE],
    ["a portrait", JOB, makePhoto("webp", 768, 768)],
    ["long texts", LONG, NONE],
    ["long texts and a portrait", LONG, makePhoto("webp", 300, 768)],
  ])("%s stay inside the margins and a size that any service takes", async (_, job, portrait) => {
    const picture = await drawPreview(job, portrait);
    expect(picture.length).toBeLessThan(200_000);
    const ink = await findInk(picture);
    expect(ink.left).toBeGreaterThanOrEqual(MARGIN - 2);
    expect(ink.right).toBeLessThanOrEqual(PREVIEW_SIZE.width - MARGIN + 2);
    expect(ink.top).toBeGreaterThanOrEqual(32);
    expect(ink.bottom).toBeLessThan(600);
    expect((await findInk(picture, 0, FOOT.top - 1)).bottom).toBeLessThan(FOOT.top - 20);
  });

  test("a name alone stands in the middle, without a foot", async () => {
    const ink = await findInk(await drawPreview({ ...JOB, title: "", tagline: "", place: "" }, NONE));
    expect(ink.top).toBeGreaterThan(230);
    expect(ink.bottom).toBeLessThan(400);
  });

  test("the letters are those of the product's fonts, Turkish ones too", async () => {
    const draw = (name: string) => drawPreview({ ...JOB, name, title: "", tagline: "", place: "" }, NONE);
    const names = ["İ", "I", "ı", "i", "ğ", "g", "ş", "s", "Ü", "U", "ö", "o", "ç", "c"];
    const drawn = await Promise.all(names.map(draw));
    expect(new Set(drawn.map((picture) => picture.toString("base64"))).size).toBe(names.length);
  });

  test("the accent, the fonts and the shape of the portrait are the look's", async () => {
    const photo = makePhoto("png", 400, 400);
    const looks = [
      {},
      { accent: "#d80301" },
      { fonts: "grotesk" },
      { fonts: "system" },
      { shape: "circle" },
      { shape: "square" },
    ] as const;
    const drawn = await Promise.all(looks.map((look) => drawPreview({ ...JOB, ...look }, photo)));
    expect(new Set(drawn.map((picture) => picture.toString("base64"))).size).toBe(looks.length);
  });

  test("the same content gives the same bytes", async () => {
    expect((await drawPreview(JOB, NONE)).equals(await drawPreview(JOB, NONE))).toBe(true);
  });

  test("a portrait that can't be decoded is an error", async () => {
    await expect(drawPreview(JOB, Buffer.from("no picture"))).rejects.toThrow("decoded");
  });
});
