import type { FieldInfo } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { type InputPath, inputPaths } from "../kinds/field-errors.ts";
import type { Inputs } from "./form-values.ts";

/** One input of the form: what two people can disagree on. A localized field has one for each language. */
export interface InputUnit {
  key: string;
  field: FieldInfo;
  path: InputPath;
}

export function listUnits(model: RecordSource): InputUnit[] {
  return model.fields.flatMap((field) =>
    inputPaths(field).map((path) => ({ key: path.join("."), field, path })),
  );
}

export function readUnit(inputs: Inputs, [name, part]: InputPath): unknown {
  const value = inputs[name];
  if (part === undefined) return value;
  const side = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return side.find(([key]) => key === part)?.[1];
}

/** The same inputs with one of them changed. */
export function writeUnit(inputs: Inputs, [name, part]: InputPath, value: unknown): Inputs {
  if (part === undefined) return { ...inputs, [name]: value };
  const before = inputs[name];
  return { ...inputs, [name]: { ...(typeof before === "object" ? before : {}), [part]: value } };
}
