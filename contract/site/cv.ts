import * as z from "zod/mini";
import { isCalendarDate, PARTIAL_DATE } from "../partial-date.ts";
import { language } from "../values.ts";

/** A partial date of the calendar. */
export const partialDate = z
  .string()
  .check(z.regex(PARTIAL_DATE, { abort: true }), z.refine(isCalendarDate, { error: "invalid_partial_date" }));

/** A smaller copy of a picture, as WebP, for `srcset`. `width` in pixels. */
const pictureSize = z.object({ src: z.string(), width: z.number() });
export type PictureSize = z.infer<typeof pictureSize>;

const link = z.object({ network: z.string(), url: z.string(), username: z.nullable(z.string()) });

/** The CV in one language, as `GET /api/cv/?lang=` answers it and the page draws it. Files are addresses on this site. */
export const cv = z.object({
  lang: language,
  /** Some of it came with the product. */
  has_sample: z.boolean(),
  name: z.string(),
  title: z.string(),
  tagline: z.string(),
  description: z.string(),
  photo: z.nullable(z.string()),
  photo_sizes: z.array(pictureSize),
  email: z.nullable(z.string()),
  website: z.nullable(z.string()),
  address: z.object({ province: z.string(), district: z.string() }),
  links: z.array(link),
  confidences: z.array(z.object({ id: z.number(), label: z.string(), icon: z.nullable(z.string()) })),
  experience: z.array(
    z.object({
      id: z.number(),
      role: z.string(),
      company: z.string(),
      url: z.nullable(z.string()),
      location: z.nullable(z.string()),
      start_date: z.nullable(z.string()),
      end_date: z.nullable(z.string()),
      /** Both as text in the language of the CV (`Mar 2021 – present`). */
      date: z.nullable(z.string()),
      description: z.string(),
      highlights: z.array(z.string()),
    }),
  ),
  education: z.array(
    z.object({
      id: z.number(),
      degree: z.string(),
      institution: z.string(),
      url: z.nullable(z.string()),
      start_date: z.nullable(z.string()),
      end_date: z.nullable(z.string()),
      /** Both as text in the language of the CV (`Mar 2021 – present`). */
      date: z.nullable(z.string()),
    }),
  ),
  certificates: z.array(
    z.object({
      id: z.number(),
      label: z.string(),
      issuer: z.string(),
      date: z.nullable(z.string()),
      file: z.nullable(z.string()),
      /** Pictures of the file, a PDF's first page among them; empty where there is no file. */
      thumbnails: z.array(pictureSize),
      url: z.nullable(z.string()),
    }),
  ),
});
export type Cv = z.infer<typeof cv>;
