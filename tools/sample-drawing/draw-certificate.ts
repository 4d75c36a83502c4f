import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLORS = 256;

function toChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function distance(a: number, b: number): number {
  const part = (shift: number) => ((a >> shift) & 255) - ((b >> shift) & 255);
  return part(16) ** 2 + part(8) ** 2 + part(0) ** 2;
}

/** The most frequent colours, each as 0xRRGGBB, and the place among them of every colour's nearest. */
function choosePalette(colors: Uint32Array): { palette: number[]; places: Map<number, number> } {
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || a - b).map(([color]) => color);
  const palette = sorted.slice(0, MAX_COLORS);
  const places = new Map(palette.map((color, place) => [color, place]));
  for (const color of sorted.slice(MAX_COLORS)) {
    const distances = palette.map((known) => distance(color, known));
    places.set(color, distances.indexOf(Math.min(...distances)));
  }
  return { palette, places };
}

/** A PNG of at most 256 colours, a third of the size of a full one where areas are flat. `pixels` are opaque RGBA. */
export function encodeIndexedPng(pixels: Uint8ClampedArray, width: number, height: number): Buffer {
  const colors = new Uint32Array(width * height);
  for (let at = 0; at < colors.length; at++) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at * 4, at * 4 + 3);
    colors[at] = (red << 16) | (green << 8) | blue;
  }
  const { palette, places } = choosePalette(colors);
  const rows = Buffer.alloc((width + 1) * height); // each row begins with its filter: 0, none
  for (const [at, color] of colors.entries())
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = places.get(color) ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // 8 bits, indexed, no interlace
  return Buffer.concat([
    SIGNATURE,
    toChunk("IHDR", header),
    toChunk("PLTE", Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))),
    toChunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    toChunk("IEND", Buffer.alloc(0)),
  ]);
}
