import * as z from "zod/mini";

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
  "range",
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** One documented filter. `value` is text; `in` takes `a,b,c`, `isnull` takes `true` or `false`. */
export interface QueryFilter {
  field: string;
  operator: FilterOperator;
  value: string;
}

export interface QuerySort {
  field: string;
  direction: "asc" | "desc";
}

/** Names of form controls; the admin draws one component for each. */
export const CONTROLS = [
  "text",
  "textarea",
  "localized-text",
  "localized-textarea",
  "localized-list",
  "markdown",
  "localized-markdown",
  "number",
  "decimal",
  "switch",
  "date",
  "partial-date",
  "datetime",
  "choice",
  "choices",
  "email",
  "url",
  "colour",
  "accent",
  "slug",
  "file",
  "image",
  "file-uses",
  "json",
  "relation",
  "relations",
  /** Shown, never written. */
  "read-only",
] as const;
export type Control = (typeof CONTROLS)[number];

/** One field of a model: enough to draw its column, its filter and its form control. Texts are in the request's language. */
export const fieldInfo = z.object({
  name: z.string(),
  verbose_name: z.string(),
  /** Wire type: the documented Django name, such as `CharField`. */
  type: z.string(),
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
  /** What a choice may be, in order; empty elsewhere. */
  choices: z._default(z.array(z.object({ value: z.string(), label: z.string() })), []),
  /** What can be written into a text for something else to stand there on the page; absent: nothing. */
  placeholders: z.optional(z.array(z.object({ value: z.string(), label: z.string() }))),
  /** Digits in all and after the point of a decimal; null elsewhere. */
  digits: z._default(z.nullable(z.object({ total: z.number(), scale: z.number() })), null),
  /** Its values are kept nowhere else: not in the log, not in drafts of a browser. */
  is_secret: z.optional(z.boolean()),
  /** No two records have the same value. */
  is_unique: z.optional(z.boolean()),
  /** What a new record has of it where nothing else is written; absent: nothing, or what the server finds then. */
  initial: z.optional(z.union([z.string(), z.number(), z.boolean()])),
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
  /** So many rows that only declared fields can be sorted by, and totals are estimates. */
  is_large: z._default(z.boolean(), false),
  /** Columns of a list when nobody chose others; at most five. */
  list_columns: z.array(z.string()),
  is_searchable: z.boolean(),
  /** Field with the place of an object among the others, where the person may order them by hand; else null. */
  order_field: z._default(z.nullable(z.string()), null),
  /** Switch that keeps an object from the public page without deleting it; else null. */
  hidden_field: z._default(z.nullable(z.string()), null),
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
export const pagination = z.object({
  page: z.number(),
  page_size: z.number(),
  total_count: z.number(),
  total_pages: z.number(),
  count_is_estimate: z._default(z.boolean(), false),
  /** For `cursor` of the next page, whatever was written meanwhile; null at the end. */
  next_cursor: z._default(z.nullable(z.string()), null),
});
export type Pagination = z.infer<typeof pagination>;

/** A row or record: `id`, `repr` (how people call it) and the model's fields by name. */
export const record = z.catchall(z.object({ id: z.number(), repr: z.string() }), z.unknown());
export type ModelRecord = z.infer<typeof record>;

export const objectsAnswer = z.object({ objects: z.array(record), pagination });
export type ObjectsAnswer = z.infer<typeof objectsAnswer>;
