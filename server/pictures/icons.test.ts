import { describe, expect, test } from "@jest/globals";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { drawIcon } from "./child/draw-icon.ts";
import { getIconVersion, ICONS, toIconLetters } from "./icons.ts";
import type { IconJob } from "./job.ts";

test.each([
  ["Ada Taslakoğlu", "AT"],
  ["Işıl Nur Örnek", "IÖ"],
  ["Şule", "Ş"],
  ["irem Çelik", "iÇ"],
  ["  Łukasz   Čapek (Dr.) ", "C"],
  ["Čeněk Novák", "CN"],
  ["李 明", ""],
  ["— 🙂", ""],
  ["", ""],
])("of %j an icon shows %j", (name, letters) => {
  expect(toIconLetters(name)).toBe(letters);
});

test("icons have another address when their letters, accent or fonts are others, and only then", () => {
  const content = { name: "Ada Taslakoğlu", accent: "#0b4a63", fonts: "newsreader" } as const;
  const version = getIconVersion(content);
  expect(getIconVersion({ ...content, name: "Ada Beril Tan" })).toBe(version);
  for (const other of [{ name: "Ada" }, { accent: "#111111" }, { fonts: "system" as const }])
    expect(getIconVersion({ ...content, ...other })).not.toBe(version);
});

describe("drawing", () => {
  const JOB: IconJob = {
    kind: "icon",
    format: "png",
    size: 192,
    isSquare: false,
    letters: "AT",
    fonts: "newsreader",
    ground: "#d80301",
    ink: "#ffffff",
  };

  /** Where ink is, as parts of the side; and the colours of a corner and of an edge's middle. */
  async function look(picture: Buffer, size: number) {
    const image = await loadImage(picture);
    expect([image.width, image.height]).toEqual([size, size]);
    const context = createCanvas(size, size).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, size, size);
    const at = (x: number, y: number) => [...data.subarray(4 * (y * size + x), 4 * (y * size + x) + 4)];
    const xs: number[] = [];
    const ys: number[] = [];
    for (let y = 0; y < size; y++)
      for (let x = 0; x < size; x++)
        if (Number(at(x, y)[1]) > 200) {
          xs.push(x / size);
          ys.push(y / size);
        }
    const range = (list: number[]) => [Math.min(...list), Math.max(...list)] as const;
    return { x: range(xs), y: range(ys), corner: at(0, 0), edge: at(size / 2, 1) };
  }

  test("letters stand in the middle of a ground of the accent with round corners", async () => {
    const { x, y, corner, edge } = await look(await drawIcon(JOB), 192);
    expect(corner[3]).toBe(0);
    expect(edge).toEqual([0xd8, 3, 1, 255]);
    expect(Math.abs(x[0] + x[1] - 1)).toBeLessThan(0.02);
    expect(Math.abs(y[0] + y[1] - 1)).toBeLessThan(0.03);
  });

  test.each(["W", "WM", "İ", "ŞÖ", "ij", ""])(
    "%j leaves a square room for whatever shape it is cut to",
    async (letters) => {
      for (const fonts of ["newsreader", "grotesk", "system"] as const) {
        const { x, y, corner } = await look(await drawIcon({ ...JOB, letters, fonts, isSquare: true }), 192);
        expect(corner).toEqual([0xd8, 3, 1, 255]);
        for (const [from, to] of [x, y]) {
          expect(from).toBeGreaterThan(0.15);
          expect(to).toBeLessThan(0.85);
        }
      }
    },
  );

  test("an SVG has outlines and no text: it looks the same wherever it is shown, and is small", async () => {
    for (const fonts of ["newsreader", "grotesk", "system"] as const) {
      const svg = (await drawIcon({ ...JOB, format: "svg", fonts })).toString();
      expect(svg).toMatch(/^<svg xmlns="[^"]+" viewBox="0 0 32 32"><rect [^>]*fill="#d80301"\/><path /);
      expect(svg).not.toMatch(/<text|font-family/);
      expect(svg.length).toBeLessThan(4000);
    }
  });

  test("without letters it is the product's mark, in the same colours", async () => {
    const svg = (await drawIcon({ ...JOB, format: "svg", letters: "" })).toString();
    expect(svg).toContain('d="M10 26V10.5a6 6 0 0 1 12 0V26"');
    expect(svg).toContain('fill="#d80301"');
    const { x } = await look(await drawIcon({ ...JOB, letters: "" }), 192);
    expect(Math.abs(x[0] + x[1] - 1)).toBeLessThan(0.02);
  });

  test("an ICO says what it holds", async () => {
    const { mediaType: _, ...form } = ICONS["favicon.ico"];
    const ico = await drawIcon({ ...JOB, ...form });
    expect([ico.readUInt16LE(2), ico.readUInt16LE(4), ico.readUInt8(6), ico.readUInt32LE(18)]).toEqual([
      1, 1, 32, 22,
    ]);
    const png = ico.subarray(22);
    expect(ico.readUInt32LE(14)).toBe(png.length);
    await look(png, 32);
  });
});
