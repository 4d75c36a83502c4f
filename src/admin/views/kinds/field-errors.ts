import { createContext } from "react";
import type { FieldInfo } from "#contract/content/models.ts";
import type { FieldError } from "#contract/errors.ts";
import { LANGUAGES } from "#contract/languages.ts";

/** Path of a form input: `["label", "tr"]`. */
export type InputPath = readonly [string] | readonly [string, string];

/** What is wrong with one input. */
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
export function isLocalizedControl(control: string): boolean {
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

/** Whether two values of an input are the same to whoever looks at it. */
export function isSameInput(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

/**
 * What the server said of values that it refused. Inputs are checked again when they are left, and rules of the browser know
 * nothing of the server's: the message stands for as long as the input holds the refused value.
 */
export interface Refusals {
  note: (refused: readonly InputErrors[], read: (path: InputPath) => unknown) => void;
  /** What the server says of this value; undefined where it has not refused it. */
  find: (path: InputPath, value: unknown) => string | undefined;
  /** Before a save: the same value may be sent again, as what stood against it can be gone. */
  clear: () => void;
}

export function createRefusals(): Refusals {
  const refused = new Map<string, { value: unknown; message: string }>();
  const toKey = (path: InputPath) => path.join(".");
  return {
    note(entries, read) {
      for (const { name, errors } of entries)
        refused.set(toKey(name), { value: read(name), message: errors.join(" ") });
    },
    find(path, value) {
      const entry = refused.get(toKey(path));
      return entry && isSameInput(entry.value, value) ? entry.message : undefined;
    },
    clear: () => refused.clear(),
  };
}

/** Of the form around an input; a form without one forgets what the server said when the input is left. */
export const RefusalsContext = createContext<Refusals | null>(null);
