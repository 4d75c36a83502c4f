import * as z from "zod/mini";
import type { Language } from "#contract/languages.ts";
import type { FontPair, PictureShape } from "#contract/site/site.ts";

/** A smaller copy of a file: `photo` is PNG, JPEG or WebP. The file's bytes are the job's input. */
export interface ThumbnailJob {
  kind: "thumbnail";
  type: "photo" | "svg" | "pdf";
  width: number;
}

/** What a link's preview picture says. The portrait's bytes, if there is one, are the job's input. */
export interface PreviewJob {
  kind: "preview";
  lang: Language;
  name: string;
  title: string;
  tagline: string;
  /** Where the person or the site is: the last line. */
  place: string;
  /** `#rrggbb`, read on paper. */
  accent: string;
  fonts: FontPair;
  shape: PictureShape;
}

/** What stands for the site in a tab or on a home screen. Without letters: the product's mark. */
export interface IconJob {
  kind: "icon";
  format: "svg" | "png" | "ico";
  /** Pixels. */
  size: number;
  /** The ground goes to the corners. */
  isSquare: boolean;
  letters: string;
  fonts: FontPair;
  ground: string;
  ink: string;
}

/** A person's picture, cut to `width` × `height` around its middle. The bytes of the upload are the job's input. */
export interface PortraitJob {
  kind: "portrait";
  width: number;
  height: number;
}

export type DrawJob = ThumbnailJob | PreviewJob | PortraitJob | IconJob;

/** What the server sends before `byteSize` bytes of input. */
export interface DrawRequest {
  job: DrawJob;
  byteSize: number;
}

/** What the child answers. `isSpent`: it has grown or worked so much that a fresh one should follow. */
export const drawAnswer = z.discriminatedUnion("isOk", [
  z.object({
    isOk: z.literal(true),
    picture: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    isSpent: z.boolean(),
  }),
  z.object({ isOk: z.literal(false), reason: z.string() }),
]);
export type DrawAnswer = z.infer<typeof drawAnswer>;
