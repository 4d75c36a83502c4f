import type { Field, Model } from "#server/models/model.ts";
import { isWritable } from "./view.ts";

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
