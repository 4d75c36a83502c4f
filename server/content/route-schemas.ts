import * as z from "zod/mini";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import { FILTER_OPERATORS } from "#contract/content/models.ts";
import { MAX_INT4 } from "#server/db/sql.ts";
import type { Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";

const contentTypeId = z.pipe(
  z.string().check(z.regex(/^\d{1,10}$/)),
  z.pipe(z.transform(Number), z.int().check(z.maximum(MAX_INT4))),
);
/** Ids of large logs are bigints; they travel as numbers. */
const objectId = z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number));

/** Of a path. One that is none names nothing that is there. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const modelParams = z.object({ content_type_id: contentTypeId });
export const objectParams = z.object({ content_type_id: contentTypeId, id: objectId });
export const objectBody = z.record(z.string(), z.unknown());

/** A name of the list's query as OpenAPI shows it. `parseListQuery` checks it, so that every fault is answered the same way. */
function described(description: string, type: object = { type: "string" }) {
  return z.optional(z.unknown().register(z.globalRegistry, { ...type, description }));
}

const OPERATOR = { type: "string", enum: [...FILTER_OPERATORS], default: "exact" };

/** Filters and sorts have more indexes than 0. */
export const listQuery = z.catchall(
  z.object({
    page: described("From 1. Not together with a cursor.", { type: "integer", minimum: 1, default: 1 }),
    page_size: described("Objects of a page.", {
      type: "integer",
      minimum: 1,
      maximum: ADMIN_LIMITS.pageSizeMax,
      default: ADMIN_LIMITS.pageSizeDefault,
    }),
    search: described("A part of one of the model's searched texts, in any case, with or without marks.", {
      type: "string",
      maxLength: ADMIN_LIMITS.searchMaxChars,
    }),
    "filters[0][field]": described("A field of the model, or `id`."),
    "filters[0][operator]": described("One of the field's operators.", OPERATOR),
    "filters[0][value]": described(
      "`a,b` or a JSON array for `in` and `range`; `true` or `false` for `isnull`.",
    ),
    where: described(
      'Nested groups as JSON: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, `{"field", "operator", "value"}`. ' +
        "All filters and this have to be fulfilled; together they have at most " +
        `${ADMIN_LIMITS.foldingConditionsMax} of the operators contains, startswith and iexact on texts.`,
    ),
    "sort[0][field]": described("A sortable field of the model, or `id`."),
    "sort[0][direction]": described("Which way.", { type: "string", enum: ["asc", "desc"], default: "asc" }),
    cursor: described("`next_cursor` of the page before, with the same sort and language."),
    count: described("`exact` counts the total; else it may be an estimate, and says so.", {
      type: "string",
      enum: ["exact"],
    }),
  }),
  z.unknown(),
);

const positive = (max: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,15}$/)),
    z.pipe(z.transform(Number), z.int().check(z.minimum(1), z.maximum(max))),
  );
/** `before` is the number of an entry. */
export const historyQuery = z.object({
  before: z.optional(positive(Number.MAX_SAFE_INTEGER)),
  page_size: z.optional(positive(ADMIN_LIMITS.pageSizeMax)),
});

export const OBJECTS_PATH = "/api/admin/models/:content_type_id/objects";

/** Schema of a written object of a model, for the OpenAPI page: the same checks that `parseValues` makes. */
function toWriteSchema(model: Model): z.ZodMiniType {
  const shape = Object.fromEntries(
    model.fields
      .filter((field) => !field.isReadOnly)
      .map((field) => {
        const value = field.kind.valueSchema(field);
        return [field.name, field.isRequired ? value : z.optional(z.nullable(value))];
      }),
  );
  return z.strictObject(shape);
}

/** `app.name` → schema, for every model that the generic endpoints write. */
export function toModelSchemas(registry: Registry): Record<string, z.ZodMiniType> {
  return Object.fromEntries(
    registry.models
      .filter((model) => model.access.create !== null || model.access.update !== null)
      .map((model) => [model.key, toWriteSchema(model)]),
  );
}
