import type { FieldInfo, ModelInfo } from "#contract/content/models.ts";
import { type RecordSource, toRecordSource } from "#resources/record-source.ts";

/** A field for tests: an optional text unless given otherwise. */
export function buildField(part: Partial<FieldInfo> = {}): FieldInfo {
  const name = part.name ?? "label";
  const type = part.type ?? "CharField";
  return {
    name,
    verbose_name: part.verbose_name ?? name,
    type,
    help_text: "",
    // A type alone shows as what it is.
    control: type === "CharField" ? "text" : "read-only",
    required: false,
    read_only: false,
    sortable: true,
    operators: ["contains", "exact"],
    max_length: null,
    accept: [],
    related_model: null,
    choices: [],
    digits: null,
    ...part,
  };
}

/** A model for tests that its viewer may do everything with. */
export function buildModel(part: Partial<ModelInfo> = {}): RecordSource {
  const fields = part.fields ?? [buildField()];
  return toRecordSource({
    content_type_id: 7,
    app_label: "cv",
    model_name: "certificate",
    verbose_name: "Certificate",
    verbose_name_plural: "Certificates",
    description: "",
    count: 1,
    count_is_estimate: false,
    has_timestamps: true,
    is_singleton: false,
    is_large: false,
    list_columns: fields.slice(0, 5).map((field) => field.name),
    is_searchable: true,
    order_field: null,
    hidden_field: null,
    default_sort: [],
    site_path: null,
    permissions: { view: true, create: true, update: true, delete: true },
    ...part,
    fields,
  });
}
