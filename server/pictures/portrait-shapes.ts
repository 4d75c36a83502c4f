/** Decoded, four bytes a pixel: 160 MB. Cameras of phones stay below at their usual setting. */
export const MAX_PORTRAIT_PIXELS = 40_000_000;

/** What people show of themselves, and the pixels that it is cut to. */
export const PORTRAIT_SHAPES = {
  avatar: { width: 512, height: 512 },
  cover: { width: 1600, height: 480 },
} as const;
export type PortraitShape = keyof typeof PORTRAIT_SHAPES;
