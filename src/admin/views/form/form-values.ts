import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { CONTROLS } from "../kinds/registry.ts";

/** What the inputs hold, by field. */
export type Inputs = Record<string, unknown>;

function writableFields(model: RecordSource) {
  return model.fields.filter((field) => !field.read_only);
}

/** The inputs of a record, or of a new one. */
export function toInputs(model: RecordSource, record: ModelRecord | null): Inputs {
  const values = record ?? model.defaults;
  return Object.fromEntries(
    writableFields(model).map((field) => [field.name, CONTROLS[field.control].toInput(values?.[field.name])]),
  );
}

/** Names of the fields whose input differs from the last saved one. Typing something and undoing it is no change. */
export function changedFields(model: RecordSource, saved: Inputs, current: Inputs): string[] {
  return writableFields(model)
    .map((field) => field.name)
    .filter((name) => JSON.stringify(saved[name]) !== JSON.stringify(current[name]));
}

/** The body of a write: the named fields only, so that a PATCH never writes back what somebody else changed meanwhile. */
export function toBody(
  model: RecordSource,
  inputs: Inputs,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    writableFields(model)
      .filter((field) => names.includes(field.name))
      .map((field) => [field.name, CONTROLS[field.control].toWire(inputs[field.name], field)]),
  );
}
