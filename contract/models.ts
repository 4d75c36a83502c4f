import * as z from "zod/mini";

/** Wire types of fields (the documented Django names), as `GET /api/admin/models/` gives them. */
export const WIRE_TYPES = [
  "AutoField",
  "CharField",
  "TextField",
  "LocalizedCharField",
  "LocalizedTextField",
  "LocalizedListField",
  "IntegerField",
  "BooleanField",
  "PartialDateField",
  "DateTimeField",
  "EmailField",
  "URLField",
  "FileField",
  "JSONField",
  "ForeignKey",
] as const;

/** Filter operators of the documented query. */
export const FILTER_OPERATORS = [
  "exact",
  "iexact",
  "contains",
  "startswith",
  "gt",
  "gte",
  "lt",
  "lte",
  "in",
  "isnull",
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** Names of form controls; the admin draws one component for each. */
export const CONTROLS = [
  "text",
  "textarea",
  "localized-text",
  "localized-textarea",
  "localized-list",
  "number",
  "switch",
  "partial-date",
  "datetime",
  "email",
  "url",
  "file",
  "json",
  "relation",
] as const;
export type Control = (typeof CONTROLS)[number];

/** One field of a model: enough to draw its column, its filter and its form control. Texts are in the request's language. */
export const fieldInfo = z.object({
  name: z.string(),
  verbose_name: z.string(),
  type: z.enum(WIRE_TYPES),
  help_text: z.string(),
  control: z.enum(CONTROLS),
  required: z.boolean(),
  read_only: z.boolean(),
  sortable: z.boolean(),
  operators: z.array(z.enum(FILTER_OPERATORS)),
  max_length: z.nullable(z.number()),
  /** Media types a file control accepts; empty elsewhere. */
  accept: z.array(z.string()),
  /** `content_type_id` of the model that a relation points to. */
  related_model: z.nullable(z.number()),
});
export type FieldInfo = z.infer<typeof fieldInfo>;

/** One content model (specification B section 3) and what the signed-in person may do with it. */
export const modelInfo = z.object({
  content_type_id: z.number(),
  app_label: z.string(),
  model_name: z.string(),
  verbose_name: z.string(),
  verbose_name_plural: z.string(),
  description: z.string(),
  count: z.number(),
  count_is_estimate: z.boolean(),
  has_timestamps: z.boolean(),
  is_singleton: z.boolean(),
  /** Columns of a list when nobody chose others; at most five. */
  list_columns: z.array(z.string()),
  is_searchable: z.boolean(),
  /** `[field, direction]` pairs of the order without a sort in the query. */
  default_sort: z.array(z.object({ field: z.string(), direction: z.enum(["asc", "desc"]) })),
  /** Public page that shows the model's objects, or null. */
  site_path: z.nullable(z.string()),
  permissions: z.object({ view: z.boolean(), create: z.boolean(), update: z.boolean(), delete: z.boolean() }),
  fields: z.array(fieldInfo),
});
export type ModelInfo = z.infer<typeof modelInfo>;

export const modelsAnswer = z.object({ models: z.array(modelInfo) });

/** The documented pagination envelope, and whether `total_count` is the planner's estimate. */
const pagination = z.object({
  page: z.number(),
  page_size: z.number(),
  total_count: z.number(),
  total_pages: z.number(),
  count_is_estimate: z.boolean(),
});

/** A row or record: `id`, `repr` (how people call it) and the model's fields by name. */
export const record = z.catchall(z.object({ id: z.number(), repr: z.string() }), z.unknown());
export type ModelRecord = z.infer<typeof record>;

export const objectsAnswer = z.object({ objects: z.array(record), pagination });
export type ObjectsAnswer = z.infer<typeof objectsAnswer>;

/** What an upload answers; `url` is what a file field takes. */
export const uploadAnswer = z.object({
  url: z.string(),
  name: z.string(),
  media_type: z.string(),
  byte_size: z.number(),
});
export type UploadAnswer = z.infer<typeof uploadAnswer>;
