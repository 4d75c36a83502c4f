import type { FieldInfo } from "#contract/models.ts";
import { objectsResource } from "#resources/objects.ts";
import type { RecordSource } from "#resources/record-source.ts";

/** The key as a field: models don't name it, but their rows can be sorted and filtered by it. */
const ID_FIELD: FieldInfo = {
  name: "id",
  verbose_name: "ID",
  type: "BigIntegerField",
  help_text: "",
  control: "read-only",
  required: false,
  read_only: true,
  sortable: true,
  operators: ["exact", "in", "gte", "lte", "range"],
  max_length: null,
  accept: [],
  related_model: null,
  choices: [],
  digits: null,
};

/** A content model whose lists offer the key beside its own fields; other kinds of records as they are. */
export function withId(model: RecordSource): RecordSource {
  const isContent = model.resource === objectsResource(model.content_type_id);
  if (!isContent || model.fields.some(({ name }) => name === "id")) return model;
  return { ...model, fields: [...model.fields, ID_FIELD] };
}
