import type { HistoryEntry } from "#contract/content/objects.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { ModelOperation, StepUpDeclaration } from "#server/models/declare.ts";
import { type Field, type Model, rulesFor } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";

/** Whether a level may do a thing with a model. Every generic endpoint asks here. */
export function isAllowed(model: Model, operation: ModelOperation, level: number): boolean {
  const needed = model.access[operation];
  return needed !== null && level >= needed;
}

/** The model of a content type, for a person who may do the thing. A model that one may not see does not exist. */
export function requireModel(
  registry: Registry,
  contentTypeId: number,
  operation: ModelOperation,
  actor: Pick<Actor, "level">,
): Model {
  const model = registry.byContentTypeId.get(contentTypeId);
  if (!model || !isAllowed(model, "view", actor.level)) throw new AppError("model_not_found");
  if (!isAllowed(model, operation, actor.level)) throw new AppError("permission_denied");
  return model;
}

/** Whether something asks for a log-in or a confirmation of the last minutes. `fields`: names of those that a change is about. */
export function asksStepUp(
  { stepUp }: Pick<Model, "stepUp">,
  operation: keyof StepUpDeclaration,
  fields: Iterable<string> = [],
): boolean {
  const asked = stepUp[operation];
  if (asked === undefined || asked === true) return asked === true;
  return [...fields].some((name) => asked.includes(name));
}

/** A model as people of one level know it: fields that are hidden from them do not exist, at any endpoint. */
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

/**
 * The field with the place of an object among the others, where people of a level order them by hand: the model is sorted by
 * it when nobody asks otherwise. Of a large model every row would have to be looked at, so it has none.
 */
export function findOrderField(model: Model, level: number): Field | undefined {
  const [first] = model.defaultSort;
  if (first?.direction !== "asc" || model.isLarge) return undefined;
  const field = model.fieldByName.get(first.field);
  return field?.kind.name === "order" && isWritable(field, level) ? field : undefined;
}

/** Whether there may be related rows that a level doesn't meet. */
export function hidesRelated({ related }: Field, level: number): boolean {
  return (
    related !== null && (!isAllowed(related, "view", level) || rulesFor(related, "view", level).length > 0)
  );
}

function toUnnamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toUnnamed);
  if (typeof value !== "object" || value === null || !("id" in value)) return value;
  return { id: value.id, repr: `#${value.id}` };
}

type Changes = HistoryEntry["changes"];

/**
 * What a level may see of an entry's changes: those of fields that it knows. Names of related rows were written down for who
 * changed them: others may not be allowed to read them.
 */
export function toSeenChanges(model: Model, level: number, changes: Changes | null): Changes {
  const { fieldByName } = toView(model, level);
  const seen: Changes = {};
  for (const [name, change] of Object.entries(changes ?? {})) {
    const field = fieldByName.get(name);
    if (!field) continue;
    seen[name] = hidesRelated(field, level)
      ? Object.fromEntries(Object.entries(change).map(([side, value]) => [side, toUnnamed(value)]))
      : change;
  }
  return seen;
}
