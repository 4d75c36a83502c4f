import type { Field, Model } from "#server/models/model.ts";

/** A model as people of one level know it: fields that are hidden from them do not exist, at any door. */
export interface ModelView {
  model: Model;
  level: number;
  fields: readonly Field[];
  /** Visible fields and `id`, for filters and sorts. */
  fieldByName: ReadonlyMap<string, Field>;
}

const views = new WeakMap<Model, Map<number, ModelView>>();

/** The view of a level; made once. */
export function toView(model: Model, level: number): ModelView {
  const byLevel = views.get(model) ?? new Map<number, ModelView>();
  views.set(model, byLevel);
  const known = byLevel.get(level);
  if (known) return known;
  const fields = model.fields.filter((field) => level >= field.viewLevel);
  const fieldByName = new Map([model.idField, ...fields].map((field) => [field.name, field]));
  const view = { model, level, fields, fieldByName };
  byLevel.set(level, view);
  return view;
}

/** Whether a level may write a field; the model's own access is asked before. */
export function isWritable(field: Field, level: number): boolean {
  return !field.isReadOnly && level >= field.viewLevel && level >= field.writeLevel;
}
