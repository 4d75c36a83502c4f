import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { ModelOperation } from "#server/models/declare.ts";
import type { Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";

/** Whether a level may do a thing with a model. Every generic door asks here. */
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
