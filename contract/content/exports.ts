import * as z from "zod/mini";

export const EXPORT_FORMATS = ["csv", "json", "ndjson", "xlsx"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/**
 * Who is to read a csv. `programs`: names of fields, commas. `spreadsheets`: people, in the language of the request: a byte order
 * mark, labels as headers, and in Turkish semicolons and decimal commas.
 */
export const EXPORT_USES = ["programs", "spreadsheets"] as const;

const ids = z.array(z.int()).check(z.maxLength(5000));

/** POST …/objects/export/: the same names as the list's query; for choices that don't fit into an address. */
export const exportBody = z.strictObject({
  format: z._default(z.enum(EXPORT_FORMATS), "csv"),
  /** Names of fields, `id` and `repr` in their order; empty: all that the reader may see. */
  columns: z._default(z.array(z.string()), []),
  /** `keep`: texts that a spreadsheet would calculate stay as they are. */
  formulas: z.optional(z.literal("keep")),
  /** Of csv alone; `programs` where it is left out. */
  use: z.optional(z.enum(EXPORT_USES)),
  search: z._default(z.string(), ""),
  filters: z._default(
    z.array(
      z.strictObject({ field: z.string(), operator: z._default(z.string(), "exact"), value: z.unknown() }),
    ),
    [],
  ),
  /** A group, a condition, or null. */
  where: z._default(z.unknown(), null),
  sort: z._default(
    z.array(z.strictObject({ field: z.string(), direction: z._default(z.enum(["asc", "desc"]), "asc") })),
    [],
  ),
  /** Of what the rest leaves, these rows alone. */
  object_ids: z.optional(ids),
  exclude_ids: z._default(ids, []),
});
export type ExportBody = z.infer<typeof exportBody>;

/** GET /api/admin/exports/{id}/: what became of an export; the header `X-Export-Id` of its answer names it. */
export const exportInfo = z.object({
  id: z.string(),
  content_type_id: z.number(),
  format: z.enum(EXPORT_FORMATS),
  file_name: z.string(),
  /** `abandoned`: the reader left or stalled. */
  status: z.enum(["running", "complete", "failed", "abandoned"]),
  /** Of the finished file; null until then. */
  row_count: z.nullable(z.number()),
  byte_count: z.nullable(z.number()),
  sha256: z.nullable(z.string()),
  created_at: z.string(),
  finished_at: z.nullable(z.string()),
});
export type ExportInfo = z.infer<typeof exportInfo>;
