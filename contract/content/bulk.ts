import * as z from "zod/mini";
import { dependents, fieldChanges } from "./objects.ts";

/**
 * Which rows: the same names as the list's query. `where` is a group, a condition, or null. A name that isn't known is
 * refused: a mistyped one must not write every row.
 */
const bulkQuery = z.strictObject({
  search: z._default(z.string(), ""),
  filters: z._default(
    z.array(
      z.strictObject({ field: z.string(), operator: z._default(z.string(), "exact"), value: z.unknown() }),
    ),
    [],
  ),
  where: z._default(z.unknown(), null),
});
export type BulkQuery = z.infer<typeof bulkQuery>;

const scope = {
  operation: z.enum(["delete", "update"]),
  /** At most 5,000. Either these or `query`. */
  object_ids: z.optional(z.array(z.int()).check(z.maxLength(5000))),
  query: z.optional(bulkQuery),
  /** Left out of `query`. */
  exclude_ids: z._default(z.array(z.int()).check(z.maxLength(5000)), []),
  /** Of an update: the fields to write, as PATCH takes them. */
  data: z._default(z.record(z.string(), z.unknown()), {}),
};

/** POST …/objects/bulk/preview/ */
export const bulkPreviewRequest = z.strictObject(scope);
export type BulkPreviewRequest = z.infer<typeof bulkPreviewRequest>;

/** Rows that a bulk operation leaves alone, and why. */
const refusal = z.object({
  reason: z.string(),
  message: z.string(),
  count: z.number(),
  ids: z.array(z.number()),
});
export type Refusal = z.infer<typeof refusal>;

export const bulkPreview = z.object({
  /** Rows that would be written; `expected_count` of what follows, where it is no estimate. */
  count: z.number(),
  /** At most so many: not every row was tried, or a job will find rows that their own rules keep as they are. */
  count_is_estimate: z._default(z.boolean(), false),
  /** The moment that the preview looked at; send it back as `snapshot`. */
  snapshot: z.string(),
  refusals: z.array(refusal),
  /** Up to 20 rows: fields that change, before and after. */
  samples: z.array(
    z.object({
      id: z.number(),
      repr: z.string(),
      changes: fieldChanges,
    }),
  ),
  /** Of a deletion. */
  dependents: z.array(dependents),
  /** More rows, by `query`, than are written at once: 5,000, or 500 of people and access levels. */
  is_job: z.boolean(),
});
export type BulkPreview = z.infer<typeof bulkPreview>;

/** POST …/objects/bulk/ */
export const bulkRequest = z.strictObject({
  ...scope,
  /** ISO moment: rows written since are left alone and reported. */
  snapshot: z.optional(z.iso.datetime({ offset: true })),
  /** From the preview: when the number has changed, nothing is written. */
  expected_count: z.optional(z.int()),
});
export type BulkRequest = z.infer<typeof bulkRequest>;

/** A long piece of bulk work. Counts are of rows. */
export const job = z.object({
  id: z.string(),
  operation: z.enum(["delete", "update"]),
  content_type_id: z.number(),
  verbose_name: z.string(),
  status: z.enum(["queued", "running", "cancelling", "cancelled", "done", "failed"]),
  total_count: z.number(),
  done_count: z.number(),
  affected_count: z.number(),
  /** Left alone by a rule, or written since the snapshot. */
  skipped_count: z.number(),
  failed_count: z.number(),
  /** Cancelled or failed, and the reader's own: POST …/jobs/{id}/resume/ goes on behind its last row. */
  is_resumable: z._default(z.boolean(), false),
  message: z.string(),
  created_at: z.string(),
  started_at: z.nullable(z.string()),
  finished_at: z.nullable(z.string()),
  user: z.nullable(z.object({ id: z.number(), username: z.string() })),
});
export type Job = z.infer<typeof job>;
export const jobsAnswer = z.object({ jobs: z.array(job) });

/** A row that a job left alone or could not write. */
export const jobFailure = z.object({
  id: z.number(),
  repr: z.string(),
  reason: z.string(),
  message: z.string(),
});
export type JobFailure = z.infer<typeof jobFailure>;
export const jobFailuresAnswer = z.object({
  failures: z.array(jobFailure),
  next_after: z.nullable(z.number()),
});

/** 200: done, `job` is null. 202: a job works on it. */
export const bulkAnswer = z.object({
  affected_count: z.number(),
  message: z.string(),
  /** The documented answer ends above; a back end may say no more. */
  refusals: z._default(z.array(refusal), []),
  job: z._default(z.nullable(job), null),
});
export type BulkAnswer = z.infer<typeof bulkAnswer>;

/**
 * Where an undo is posted. Only this site's own API: the path stands in an answer, and the call carries the person's token.
 */
const ownPath = z.string().check(z.regex(/^\/api\/[\w/-]+\/$/));

/** What a write of one or several rows by a call of its own answers (specification B section 7), and Foyer's additions. */
export const batchAnswer = z.object({
  success: z.boolean(),
  message: z._default(z.nullable(z.string()), null),
  /** What became of each row; `message` is why not, or what else to know. */
  results: z.optional(
    z.array(z.object({ id: z.number(), ok: z.boolean(), message: z._default(z.nullable(z.string()), null) })),
  ),
  /** Mails that were held back until now and can be sent again, by their numbers. */
  stopped: z.catch(z.optional(z.array(z.number())), undefined),
  /** POST that puts everything back as it was; one that leads elsewhere is none. */
  undo: z.catch(z.optional(z.nullable(z.object({ path: ownPath, body: z.unknown() }))), null),
});
export type BatchAnswer = z.infer<typeof batchAnswer>;
