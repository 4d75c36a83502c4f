import * as z from "zod/mini";
import type { Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";

/** Schema of a written object of a model, for the OpenAPI page: the same checks that `parseValues` makes. */
function toWriteSchema(model: Model): z.ZodMiniType {
  const shape = Object.fromEntries(
    model.fields
      .filter((field) => !field.isReadOnly)
      .map((field) => {
        const value = field.kind.valueSchema(field);
        return [field.name, field.isRequired ? value : z.optional(z.nullable(value))];
      }),
  );
  return z.strictObject(shape);
}

/** `app.name` → schema, for every model that the generic doors write. */
export function toModelSchemas(registry: Registry): Record<string, z.ZodMiniType> {
  return Object.fromEntries(
    registry.models
      .filter((model) => model.access.create !== null || model.access.update !== null)
      .map((model) => [model.key, toWriteSchema(model)]),
  );
}
