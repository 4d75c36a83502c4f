import * as z from "zod/mini";
import { language } from "../values.ts";

/** Who may register. `approval`: everybody, and staff decide about each of them; an invitation spares that. */
export const REGISTRATION_MODES = ["open", "approval", "invitation", "closed"] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** Shapes of the portrait; round corners are the product's own. */
export const PICTURE_SHAPES = ["rounded", "circle", "square"] as const;
export type PictureShape = (typeof PICTURE_SHAPES)[number];

/** What headings are in: Newsreader, Space Grotesk, or the font of the reader's own system, which the text is always in. */
export const FONT_PAIRS = ["newsreader", "grotesk", "system"] as const;
export type FontPair = (typeof FONT_PAIRS)[number];

/** What the owner chooses of how the site looks. */
export interface Look {
  /** `#rrggbb` as it was chosen: `toShades` makes of it what is shown. */
  accent: string;
  fonts: FontPair;
  picture_shape: PictureShape;
}

/** Cards of the developer hub. */
export const hubFeature = z.enum(["voice-chat"]);
export type HubFeature = z.infer<typeof hubFeature>;

/** What the owner says in place of the product's own words, in one language; a sentence that is left out is the product's. */
export const ownerWords = z.object({
  intro: z.optional(z.string()),
  thanks: z.optional(z.string()),
  /** Empty: no time is promised. */
  reply: z.optional(z.string()),
  ways: z.optional(z.string()),
  follow: z.optional(z.string()),
});
export type OwnerWords = z.infer<typeof ownerWords>;
/** A link to a page of text, in the bar or in the footer. `lang`: the title's language, where it isn't the page's; else null. */
const pageLink = z.object({
  slug: z.string(),
  title: z.string(),
  lang: z.nullable(language),
  place: z.enum(["bar", "footer"]),
});
export type PageLink = z.infer<typeof pageLink>;

/** What every public page shows of the site, whatever its screen. A link that isn't set is null. */
export const siteInfo = z.object({
  author: z.string(),
  email: z.nullable(z.string()),
  github: z.nullable(z.string()),
  linkedin: z.nullable(z.string()),
  steam: z.nullable(z.string()),
  /** A place's name, percent-encoded, is added at its end. */
  map_search: z.string(),
  features: z.array(hubFeature),
  /** Pages of text that the owner put into the bar or the footer, in their order. */
  pages: z.array(pageLink),
  /** Path of the front page, without a language. */
  front: z.string(),
  /** What is said here of the site came with the product, in part at least. */
  has_sample: z.boolean(),
  /** Path of the 1200×630 JPEG that link previews show in this language; null while there is none. */
  preview: z.nullable(z.string()),
  /** Of the page's language. */
  words: ownerWords,
  registration: z.enum(REGISTRATION_MODES),
});
export type SiteInfo = z.infer<typeof siteInfo>;

/** `GET /api/pages/{slug}/?lang=`: a page of text. `html` is safe to show: it was made of Markdown without any HTML of the author. */
export const textPage = z.object({
  slug: z.string(),
  lang: language,
  title: z.string(),
  /** The language of the title and of the text: the other one where they are missing in `lang`. */
  title_lang: language,
  html_lang: language,
  html: z.string(),
  /** ISO date of the last change. */
  updated_on: z.string(),
});
export type TextPage = z.infer<typeof textPage>;

/** Models that sample content has rows of. The order in which an import locks their tables too, so that neither waits for the other. */
export const SAMPLE_MODELS = [
  "cv.profile",
  "cv.link",
  "cv.experience",
  "cv.education",
  "cv.certificate",
  "cv.skill",
  "cv.project",
  "cv.volunteer",
  "cv.award",
  "cv.publication",
  "cv.language",
  "cv.interest",
  "cv.reference",
] as const;

const sampleModel = z.object({
  content_type_id: z.nullable(z.number()),
  /** Plural, in the request's language. */
  verbose_name: z.string(),
});

/** GET /api/admin/sample/: what is left of the content that the site came with. Models without any are not listed. */
export const sampleAnswer = z.object({
  models: z.array(
    z.extend(sampleModel, {
      /** As they came: a removal deletes them. */
      untouched_count: z.number(),
      /** Edited since they came: they are the owner's, and stay. */
      edited_count: z.number(),
    }),
  ),
});
export type SampleAnswer = z.infer<typeof sampleAnswer>;

/** POST /api/admin/sample/remove/: what was deleted, files among it, and what stays because it was edited. */
export const sampleRemoval = z.object({
  models: z.array(
    z.extend(sampleModel, {
      removed_count: z.number(),
      kept: z.array(z.object({ id: z.number(), repr: z.string() })),
    }),
  ),
});
export type SampleRemoval = z.infer<typeof sampleRemoval>;
