import type { TextStyle } from "./lay-out-text.ts";

/** The light colours of src/ui/tokens.css, which a test compares: nothing of the browser app is loaded here. */
export const COLOURS = {
  paper: "#fbfbf9",
  ink: "#191c1f",
  inkQuiet: "#494f55",
  line: "#dcdfdb",
  accent: "#0b4a63",
} as const;

/** What networks and messengers show a link's picture in. All lengths are pixels of it. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const;
export const MARGIN = 80;
export const PORTRAIT = { side: 272, radius: 17, gap: 56 } as const;
/** The line above the foot ends the room of everything else. */
export const FOOT = { top: 522, rule: 2, baseline: 574 } as const;
export const NAME: TextStyle = {
  font: "heading",
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

export const TITLE: TextStyle = {
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

export const TAGLINE: TextStyle = {
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

export const PLACE: TextStyle = {
  font: "body",
  weight: 400,
  colour: COLOURS.accent,
  fits: [{ maxLines: 1, largest: 30, smallest: 26 }],
  leading: 1,
  gap: 0,
};
