import type { FieldError } from "#contract/errors.ts";
import { LANGUAGES } from "#contract/languages.ts";
import type { FieldInfo } from "#contract/models.ts";

/** Path of a form input: `["label", "tr"]`. */
export type InputPath = readonly [string] | readonly [string, string];

export interface InputErrors {
  name: InputPath;
  errors: string[];
}

export interface PlacedErrors {
  /** Errors that belong under an input. */
  inputs: InputErrors[];
  /** Errors of fields that the form doesn't show; they stand at its head. */
  others: string[];
}

/** Controls that have an input for each language. */
function isLocalizedControl(control: FieldInfo["control"]): boolean {
  return control.startsWith("localized-");
}

/** The inputs that a field has in the form, in their order. Read-only fields have none. */
export function inputPaths(field: FieldInfo): InputPath[] {
  if (field.read_only) return [];
  return isLocalizedControl(field.control)
    ? LANGUAGES.map((lang) => [field.name, lang] as const)
    : [[field.name]];
}

/** `label.tr` is the Turkish input of `label`; `label` its first one; `links.0.url` the one input of `links`. */
function findInput(error: FieldError, fields: readonly FieldInfo[]): InputPath | undefined {
  const [name, part] = error.field.split(".");
  const field = fields.find((candidate) => candidate.name === name);
  if (!field) return undefined;
  const paths = inputPaths(field);
  return paths.find((path) => path[1] === part) ?? paths[0];
}

/** Puts the server's field errors where the person can mend them. */
export function placeErrors(errors: readonly FieldError[], fields: readonly FieldInfo[]): PlacedErrors {
  const inputs = new Map<string, InputErrors>();
  const others: string[] = [];
  for (const error of errors) {
    const name = findInput(error, fields);
    if (!name) {
      others.push(error.field === "" ? error.message : `${error.field}: ${error.message}`);
      continue;
    }
    const entry = inputs.get(name.join(".")) ?? { name, errors: [] };
    entry.errors.push(error.message);
    inputs.set(name.join("."), entry);
  }
  return { inputs: [...inputs.values()], others };
}
