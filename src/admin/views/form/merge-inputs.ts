import type { Inputs } from "./form-values.ts";
import { type InputUnit, readUnit, writeUnit } from "./input-units.ts";
import { isSameInput } from "./same-input.ts";

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
