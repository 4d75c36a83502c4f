import type { FieldInfo } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { type InputPath, inputPaths, isSameInput } from "../kinds/field-errors.ts";
import type { Inputs } from "../kinds/registry.ts";

/** One input of the form: what two people can disagree on. A localized field has one for each language. */
export interface InputUnit {
  key: string;
  field: FieldInfo;
  path: InputPath;
}

export function listUnits(source: RecordSource): InputUnit[] {
  return source.fields.flatMap((field) =>
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
function writeUnit(inputs: Inputs, [name, part]: InputPath, value: unknown): Inputs {
  if (part === undefined) return { ...inputs, [name]: value };
  const before = inputs[name];
  return { ...inputs, [name]: { ...(typeof before === "object" ? before : {}), [part]: value } };
}

/** Two versions that grew out of one. */
export interface ThreeWay {
  /** As it was when this form took it over. */
  base: Inputs;
  /** As it is typed here. */
  mine: Inputs;
  /** As somebody else has stored it. */
  theirs: Inputs;
}

export interface UnitDifference {
  unit: InputUnit;
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

export interface Differences {
  /** Changed there and here, to different values: a person has to choose. */
  conflicts: UnitDifference[];
  /** Changed there alone. */
  others: UnitDifference[];
}

export type Choice = "mine" | "theirs";
/** By the input's key. */
export type Choices = Readonly<Record<string, Choice>>;

/** What somebody else changed, input by input, and where it meets what was typed here. */
export function findDifferences(units: readonly InputUnit[], { base, mine, theirs }: ThreeWay): Differences {
  const differences = units
    .map((unit) => ({
      unit,
      base: readUnit(base, unit.path),
      mine: readUnit(mine, unit.path),
      theirs: readUnit(theirs, unit.path),
    }))
    .filter((one) => !isSameInput(one.base, one.theirs) && !isSameInput(one.mine, one.theirs));
  const isMine = (one: UnitDifference) => !isSameInput(one.base, one.mine);
  return {
    conflicts: differences.filter(isMine),
    others: differences.filter((one) => !isMine(one)),
  };
}

/** Their version with what was typed here put on top; where both changed an input, the choice decides. */
export function mergeInputs(units: readonly InputUnit[], three: ThreeWay, choices: Choices): Inputs {
  return units.reduce((merged, { key, path }) => {
    const mine = readUnit(three.mine, path);
    const isTyped = !isSameInput(readUnit(three.base, path), mine);
    return isTyped && choices[key] !== "theirs" ? writeUnit(merged, path, mine) : merged;
  }, three.theirs);
}

/** Somebody else has stored a newer version than the one that this form grew out of. */
export interface Conflict {
  /** `refused`: a save came too late. `noticed`: it was received before one. */
  reason: "refused" | "noticed";
  theirs: Inputs;
  /** Theirs, for `If-Match`; undefined where the server names none. */
  version: string | undefined;
  differences: Differences;
  choices: Choices;
  /** A choice was missing when it was needed: another object each time, for the attention that it asks for. */
  asked: object | null;
}

export type Theirs = Pick<Conflict, "theirs" | "version">;

/** A choice was between two values: where somebody has stored a third one since, it has to be made anew. */
function keepChoices({ choices, differences }: Conflict, { conflicts }: Differences): Choices {
  const seen = new Map(differences.conflicts.map(({ unit, theirs }) => [unit.key, theirs]));
  const kept = conflicts.filter(({ unit, theirs }) => isSameInput(seen.get(unit.key), theirs));
  const keys = kept.map(({ unit }) => unit.key);
  return Object.fromEntries(Object.entries(choices).filter(([key]) => keys.includes(key)));
}

/** A newer version beside what is known of one before. */
export function toConflict(
  before: Conflict | null,
  reason: Conflict["reason"],
  { theirs, version }: Theirs,
  differences: Differences,
): Conflict {
  return {
    reason: before?.reason === "refused" ? "refused" : reason,
    theirs,
    version,
    differences,
    choices: before ? keepChoices(before, differences) : {},
    asked: before?.asked ?? null,
  };
}
