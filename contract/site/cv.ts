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

/** Lists of the CV with a documented shape of their own. */
const cvList = z.enum(["confidences", "experience", "education", "certificates"]);
export type CvList = z.infer<typeof cvList>;

/**
 * A section: a documented list, or the rows of any model with each item's values by field, and what each field is on the page.
 * Built of what other schemas use already: a union or a record would cost every public page 270 bytes.
 */
const cvSection = z.object({
  /** The model's name in kebab-case, with its app in front where that isn't `cv`. */
  name: z.string(),
  heading: z.string(),
  /** The list that holds the items, whose shape is documented; null: `items` does. */
  list: z.nullable(cvList),
  /** Property of schema.org's Person that the items are. */
  person: z.nullable(z.string()),
  fields: z.nullable(
    z.object({
      /** The first that is there stands above the item. */
      titles: z.array(z.string()),
      /** Partial dates; both the same where the model has one. */
      start: z.nullable(z.string()),
      end: z.nullable(z.string()),
      url: z.nullable(z.string()),
      /** Short texts in one line. */
      line: z.array(z.string()),
      /** Lists of short words. */
      words: z.array(z.string()),
      /** Long texts. */
      texts: z.array(z.string()),
      /** Lists of sentences. */
      lists: z.array(z.string()),
      /** Addresses of pictures. */
      images: z.array(z.string()),
      /** All others, which need their label; a file's value is its address. */
      facts: z.array(z.object({ name: z.string(), label: z.string(), is_file: z.boolean() })),
    }),
  ),
  items: z.array(
    z.object({
      id: z.number(),
      /** Of each field that says something, by its name: texts as they are shown, one or several. */
      values: z.array(z.object({ name: z.string(), texts: z.array(z.string()) })),
    }),
  ),
});
export type CvSection = z.infer<typeof cvSection>;
export type SectionFields = NonNullable<CvSection["fields"]>;

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
  address: z.object({
    province: z.string(),
    district: z.string(),
    street: z.nullable(z.string()),
    postal_code: z.nullable(z.string()),
    /** A name in the language of the CV. */
    country: z.nullable(z.string()),
    /** ISO 3166, two letters; null where the country is no such code. */
    country_code: z.nullable(z.string()),
  }),
  links: z.array(link),
  /** Skills, under their documented name. */
  confidences: z.array(
    z.object({
      id: z.number(),
      label: z.string(),
      icon: z.nullable(z.string()),
      level: z.nullable(z.string()),
      keywords: z.array(z.string()),
    }),
  ),
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
      /** Of the company. */
      company_description: z.nullable(z.string()),
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
      score: z.nullable(z.string()),
      courses: z.array(z.string()),
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
  /** Everything below the person, in the order of the page. A section without items isn't there. */
  sections: z.array(cvSection),
});
export type Cv = z.infer<typeof cv>;

/** A project of the owner, as a card of the developer hub shows it. */
const hubProject = z.object({
  id: z.number(),
  name: z.string(),
  text: z.string(),
  url: z.nullable(z.string()),
  /** From when to when, as text in the language of the page. */
  date: z.nullable(z.string()),
  /** Technologies and other keywords. */
  tags: z.array(z.string()),
  /** Smaller copies of its picture; empty where it has none. */
  pictures: z.array(pictureSize),
});
export type HubProject = z.infer<typeof hubProject>;

/** `GET /api/projects/?lang=`: what the developer hub shows, in the order by hand. */
export const hub = z.object({
  /** Some of it came with the product. */
  has_sample: z.boolean(),
  projects: z.array(hubProject),
});
export type Hub = z.infer<typeof hub>;
