import type { RecordSource } from "#resources/record-source.ts";

/** Whether the person may save this form: a new record needs `create`, an old one `update`. */
export function canSave(model: RecordSource, isNew: boolean): boolean {
  return isNew ? model.permissions.create : model.permissions.update;
}

/** The model as the person may edit it: without the permission every field is text. */
export function toEditableModel(model: RecordSource, isNew: boolean): RecordSource {
  if (canSave(model, isNew)) return model;
  return { ...model, fields: model.fields.map((field) => ({ ...field, read_only: true })) };
}
