import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { PictureShape } from "#contract/site/site.ts";
import type { PreviewJob } from "../job.ts";
import { loadImage } from "./load-image.ts";
import {
  drawText,
  HEADING_FONTS,
  type PlacedText,
  registerFonts,
  setText,
  type TextStyle,
} from "./set-text.ts";

/** The light colours of src/ui/tokens.css, which a test compares: nothing of the browser app is loaded here. */
export const COLOURS = {
  paper: "#fbfbf9",
  ink: "#191c1f",
  inkQuiet: "#494f55",
  line: "#dcdfdb",
} as const;

/** What networks and messengers show a link's picture in. All lengths are pixels of it. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const;
export const MARGIN = 80;
const PORTRAIT = { side: 272, gap: 56, radii: { rounded: 17, circle: 136, square: 0 } } as const;
/** The line above the foot ends the room of everything else. */
export const FOOT = { top: 522, rule: 2, baseline: 574 } as const;
const NAME: Omit<TextStyle, "font"> = {
  weight: 600,
  colour: COLOURS.ink,
  fits: [
    { maxLines: 1, largest: 96, smallest: 68 },
    { maxLines: 2, largest: 68, smallest: 54 },
    { maxLines: 3, largest: 54, smallest: 44 },
  ],
  leading: 1.1,
  gap: 0,
};

const TITLE: TextStyle = {
  font: "body",
  weight: 400,
  colour: COLOURS.inkQuiet,
  fits: [
    { maxLines: 1, largest: 40, smallest: 34 },
    { maxLines: 2, largest: 34, smallest: 30 },
  ],
  leading: 1.25,
  gap: 12,
};

const TAGLINE: TextStyle = {
  font: "body",
  weight: 400,
  colour: COLOURS.ink,
  fits: [
    { maxLines: 2, largest: 34, smallest: 30 },
    { maxLines: 3, largest: 30, smallest: 28 },
  ],
  leading: 1.35,
  gap: 32,
};

const PLACE: Omit<TextStyle, "colour"> = {
  font: "body",
  weight: 400,
  fits: [{ maxLines: 1, largest: 30, smallest: 26 }],
  leading: 1,
  gap: 0,
};

/** Text stays crisp; 56 kB with the portrait of the sample content. Services that fetch previews are sure to know JPEG and PNG alone. */
const JPEG_QUALITY = 88;

/** The middle of the portrait, in its shape. */
async function drawPortrait(
  context: SKRSContext2D,
  bytes: Buffer,
  room: number,
  shape: PictureShape,
): Promise<void> {
  const image = await loadImage(bytes);
  const { side, radii } = PORTRAIT;
  const cut = Math.min(image.width, image.height);
  const top = (room - side) / 2;
  context.save();
  context.beginPath();
  context.roundRect(MARGIN, top, side, side, radii[shape]);
  context.clip();
  context.imageSmoothingQuality = "high";
  const [cutLeft, cutTop] = [(image.width - cut) / 2, (image.height - cut) / 2];
  context.drawImage(image, cutLeft, cutTop, cut, cut, MARGIN, top, side, side);
  context.restore();
}

/** Name, title and tagline as one block in the middle of the room's height. */
function drawTexts(context: SKRSContext2D, job: PreviewJob, left: number, room: number): void {
  const width = PREVIEW_SIZE.width - MARGIN - left;
  const given: [string, TextStyle][] = [
    [job.name, { ...NAME, font: HEADING_FONTS[job.fonts] }],
    [job.title, TITLE],
    [job.tagline, TAGLINE],
  ];
  const placed: PlacedText[] = [];
  let height = 0;
  for (const [text, style] of given) {
    const set = setText(context, text, style, width);
    if (set.lines.length === 0) continue;
    const top = height + (placed.length > 0 ? style.gap : 0);
    placed.push({ ...set, style, left, top });
    height = top + set.lines.length * set.fontSize * style.leading;
  }
  const offset = (room - height) / 2;
  for (const text of placed) drawText(context, { ...text, top: text.top + offset });
}

function drawFoot(context: SKRSContext2D, { place, accent }: PreviewJob): void {
  const width = PREVIEW_SIZE.width - 2 * MARGIN;
  context.fillStyle = COLOURS.line;
  context.fillRect(MARGIN, FOOT.top, width, FOOT.rule);
  const style = { ...PLACE, colour: accent };
  const set = setText(context, place, style, width);
  drawText(context, { ...set, style, left: MARGIN, top: FOOT.baseline - set.fontSize });
}

/** The picture that a shared link shows, as JPEG. An empty portrait is none. @throws Error when the portrait is broken. */
export async function drawPreview(job: PreviewJob, portrait: Buffer): Promise<Buffer> {
  registerFonts();
  const { width, height } = PREVIEW_SIZE;
  const context = createCanvas(width, height).getContext("2d");
  context.lang = job.lang;
  context.fillStyle = COLOURS.paper;
  context.fillRect(0, 0, width, height);
  const hasPortrait = portrait.length > 0;
  const room = job.place ? FOOT.top : height;
  if (hasPortrait) await drawPortrait(context, portrait, room, job.shape);
  drawTexts(context, job, hasPortrait ? MARGIN + PORTRAIT.side + PORTRAIT.gap : MARGIN, room);
  if (job.place) drawFoot(context, job);
  return context.canvas.encode("jpeg", JPEG_QUALITY);
}
