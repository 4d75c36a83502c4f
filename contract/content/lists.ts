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
