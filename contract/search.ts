import * as z from "zod/mini";

/** What a search over all records begins at; shorter texts find nearly everything. */
export const SEARCH_MIN_CHARS = 2;

/** A record that a search over every model has found. Texts are in the request's language. */
export const searchResult = z.object({
  content_type_id: z.number(),
  /** Of its model. */
  verbose_name: z.string(),
  id: z.number(),
  repr: z.string(),
});
export type SearchResult = z.infer<typeof searchResult>;

/** GET /api/admin/search/?search=…: a few records of each model that the person may see, the likeliest first. */
export const searchAnswer = z.object({
  results: z.array(searchResult),
  /** False: some model took too long, or needs a longer text, and was left out. */
  is_complete: z._default(z.boolean(), true),
});
export type SearchAnswer = z.infer<typeof searchAnswer>;
