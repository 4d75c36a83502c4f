import * as z from "zod/mini";
import { pictureSize } from "./cv.ts";

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
