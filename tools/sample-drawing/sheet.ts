import { existsSync } from "node:fs";
import { GlobalFonts } from "@napi-rs/canvas";

const FOLDER = "/usr/share/fonts/truetype";

/** Families of the drawings and their files: open fonts with all Turkish letters. */
const FILES = {
  "Sheet Serif": "liberation/LiberationSerif-Regular.ttf",
  "Sheet Serif Bold": "liberation/LiberationSerif-Bold.ttf",
  "Sheet Serif Italic": "liberation/LiberationSerif-Italic.ttf",
  "Sheet Sans": "liberation/LiberationSans-Regular.ttf",
  "Sheet Sans Bold": "liberation/LiberationSans-Bold.ttf",
  "Sheet Mono": "liberation/LiberationMono-Regular.ttf",
  "Sheet Mono Bold": "liberation/LiberationMono-Bold.ttf",
} as const;

export type Family = keyof typeof FILES;

/** Loads the fonts by path, so that a drawing is the same on every machine that has them. */
export function loadFonts(): void {
  for (const [family, file] of Object.entries(FILES)) {
    const path = `${FOLDER}/${file}`;
    if (!existsSync(path) || !GlobalFonts.registerFromPath(path, family))
      throw new Error(`${path} is missing. In Debian: apt install fonts-liberation`);
  }
}
