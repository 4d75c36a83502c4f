import * as z from "zod/mini";

/** Models that sample content has rows of. The order in which an import locks their tables too, so that neither waits for the other. */
export const SAMPLE_MODELS = [
  "cv.profile",
  "cv.link",
  "cv.experience",
  "cv.education",
  "cv.certificate",
  "cv.confidence",
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
