import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";

/** Whether the person may save this form: a new record needs `create`, an old one `update`. */
export function canSave(model: RecordSource, isNew: boolean): boolean {
  return isNew ? model.permissions.create : model.permissions.update;
}

function asText(model: RecordSource): RecordSource {
  return {
    ...model,
    permissions: { ...model.permissions, update: false },
    fields: model.fields.map((field) => ({ ...field, read_only: true })),
  };
}

/** The model as the person may edit one record of it, null a new one: without the permission every field is text. */
export function toEditableModel(model: RecordSource, record: ModelRecord | null): RecordSource {
  const own = model.ofRecord?.(record) ?? model;
  return record === null || canSave(own, false) ? own : asText(own);
}

/** The model for who only looks at a record: every field is text, and nothing can be done to it. */
export function toReadModel(model: RecordSource, record: ModelRecord): RecordSource {
  const { permissions, ...text } = asText(toEditableModel(model, record));
  return { ...text, permissions: { ...permissions, delete: false } };
}
