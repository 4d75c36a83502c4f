import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCanvas, loadImage } from "@napi-rs/canvas";

/**
 * `node bin/draw-icons.mjs`: draws public/favicon.svg at the sizes that browsers and home screens ask for, into public/.
 * The files are kept in the repository; run it again after changing the drawing.
 */
const PUBLIC = join(import.meta.dirname, "../public");
const SVG = readFileSync(join(PUBLIC, "favicon.svg"), "utf8");
/** Home screens cut their own shape out of the picture: its ground goes to the edges. */
const SQUARE_SVG = SVG.replace(/ rx="\d+"/, "");

async function draw(svg, size) {
  const sized = svg.replace("<svg ", `<svg width="${size}" height="${size}" `);
  const canvas = createCanvas(size, size);
  canvas.getContext("2d").drawImage(await loadImage(Buffer.from(sized)), 0, 0, size, size);
  return canvas.encode("png");
}

/** An ICO file that holds PNG pictures: a header of 6 bytes, 16 bytes for each picture, then the pictures. */
function toIco(pictures) {
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const at = 6 + 16 * index;
    header.writeUInt8(size, at);
    header.writeUInt8(size, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(png.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...pictures.map(({ png }) => png)]);
}

const small = await Promise.all([16, 32].map(async (size) => ({ size, png: await draw(SVG, size) })));
const files = {
  "favicon.ico": toIco(small),
  "apple-touch-icon.png": await draw(SQUARE_SVG, 180),
  "icon-192.png": await draw(SVG, 192),
  "icon-512.png": await draw(SQUARE_SVG, 512),
};
for (const [name, bytes] of Object.entries(files)) {
  writeFileSync(join(PUBLIC, name), bytes);
  console.log(`${String(bytes.length).padStart(6)}  public/${name}`);
}
