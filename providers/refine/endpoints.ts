import * as z from "zod/mini";
import type { Control, FilterOperator } from "#contract/content/models.ts";

// The documented model and its objects (specification B section 3) say less than Foyer's: a back end that offers the
// documented endpoints and nothing more gets the rest from here. What an answer says itself always counts.

const documentedField = z.looseObject({ name: z.string(), type: z.catch(z.string(), "") });
const documentedModel = z.looseObject({ verbose_name: z.string(), fields: z.array(documentedField) });
const documentedRecord = z.looseObject({ id: z.number() });

/** Controls by the documented type. Files are shown and not written: uploads are no documented call. */
const CONTROLS: Readonly<Record<string, Control>> = {
  CharField: "text",
  TextField: "textarea",
  BooleanField: "switch",
  IntegerField: "number",
  BigIntegerField: "number",
  SmallIntegerField: "number",
  PositiveIntegerField: "number",
  FloatField: "number",
  ForeignKey: "number",
  DecimalField: "decimal",
  DateField: "date",
  DateTimeField: "datetime",
  EmailField: "email",
  URLField: "url",
  SlugField: "slug",
  JSONField: "json",
};
/** The operators of the specification's own filters; order means something for these controls alone. */
const ORDERED: ReadonlySet<Control> = new Set(["number", "decimal", "date", "datetime"]);
const RANGE_OPERATORS: readonly FilterOperator[] = ["exact", "gte", "lt", "in"];

/** Written by the server, and left out of the columns that nobody chose (specification B section 2). */
const OWN_FIELDS: ReadonlySet<string> = new Set(["id", "created_at", "updated_at"]);
const COLUMNS_MAX = 5;

function completeField(field: z.infer<typeof documentedField>): object {
  const control = CONTROLS[field.type] ?? "read-only";
  return {
    verbose_name: field.name,
    help_text: "",
    control,
    required: false,
    read_only: control === "read-only" || OWN_FIELDS.has(field.name),
    sortable: true,
    operators: ORDERED.has(control) ? RANGE_OPERATORS : ["exact"],
    max_length: null,
    accept: [],
    related_model: null,
    ...field,
  };
}

/** Permissions: all of them, which `withinPermissions` narrows to what the person's role allows. */
export function completeModel(answer: unknown): unknown {
  const { data: model } = documentedModel.safeParse(answer);
  if (!model) return answer;
  const names = model.fields.map(({ name }) => name).filter((name) => !OWN_FIELDS.has(name));
  return {
    verbose_name_plural: model.verbose_name,
    description: "",
    count_is_estimate: false,
    has_timestamps: false,
    is_singleton: false,
    list_columns: names.slice(0, COLUMNS_MAX),
    is_searchable: true,
    default_sort: [],
    site_path: null,
    permissions: { view: true, create: true, update: true, delete: true },
    ...model,
    fields: model.fields.map(completeField),
  };
}

/** What people call the object: its first text, else its number. */
function toRepr(row: z.infer<typeof documentedRecord>): string {
  const texts = Object.entries(row).filter(([name]) => !OWN_FIELDS.has(name));
  const first = texts.map(([, value]) => value).find((value) => typeof value === "string" && value !== "");
  return typeof first === "string" ? first : `#${row.id}`;
}

export function completeRecord(answer: unknown): unknown {
  const { data: row } = documentedRecord.safeParse(answer);
  return row ? { repr: toRepr(row), ...row } : answer;
}

/** The same for each entry of the list under a name: `{ models: [...] }`. */
export function completeEach(answer: unknown, name: string, complete: (entry: unknown) => unknown): unknown {
  const { data } = z.looseObject({ [name]: z.array(z.unknown()) }).safeParse(answer);
  return data ? { ...data, [name]: z.array(z.unknown()).parse(data[name]).map(complete) } : answer;
}

/** GET /api/admin/dashboard/ names models too. */
export function completeDashboard(answer: unknown): unknown {
  return completeEach(answer, "available_models", completeModel);
}
