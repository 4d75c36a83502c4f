import * as z from "zod/mini";

/**
 * Limits of the console's lists and bulk work (specification B section 9); apart from `LIMITS`, which every visitor's
 * browser loads.
 */
export const ADMIN_LIMITS = {
  pageSizeDefault: 20,
  pageSizeMax: 200,
  searchMaxChars: 200,
  filtersMax: 20,
  sortsMax: 5,
  /** Values of one `in`; depth and conditions of `where`. */
  filterValuesMax: 1000,
  filterTextMaxChars: 2000,
  whereDepthMax: 8,
  whereLeavesMax: 100,
  /** Conditions of one query that read each row's whole text: `contains`, `startswith`, `iexact`. */
  foldingConditionsMax: 10,
  /** Rows that a bulk operation writes in one transaction; more of them are a job. */
  bulkRowsMax: 5000,
  bulkSamplesMax: 20,
  /** Rows of one batch, such as bounces that are marked as processed. */
  batchRowsMax: 500,
} as const;

/** Days of the documented ranges (specification B section 9); a list begins with `DEFAULT_RANGE_DAYS`. */
export const RANGE_DAYS = [7, 30, 90] as const;
export const DEFAULT_RANGE_DAYS = 30;

const DAY_MS = 24 * 60 * 60 * 1000;

/** When a range of so many UTC days, today the last of them, begins. */
export function toDaysStart(days: number, nowMs: number): Date {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return new Date(today - (days - 1) * DAY_MS);
}

/** The same of a filter's value, as ISO text; undefined where the text is no number of days. */
export function toRangeStart(days: string, nowMs: number): string | undefined {
  if (!/^[1-9]\d{0,3}$/.test(days)) return undefined;
  return toDaysStart(Number(days), nowMs).toISOString();
}

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
