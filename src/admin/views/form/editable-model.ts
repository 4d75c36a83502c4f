import type { ModelInfo } from "#contract/models.ts";

/** Whether the person may save this form: a new record needs `create`, an old one `update`. */
export function canSave(model: ModelInfo, isNew: boolean): boolean {
  return isNew ? model.permissions.create : model.permissions.update;
}

/** The model as the person may edit it: without the permission every field is text. */
export function toEditableModel(model: ModelInfo, isNew: boolean): ModelInfo {
  if (canSave(model, isNew)) return model;
  return { ...model, fields: model.fields.map((field) => ({ ...field, read_only: true })) };
}
