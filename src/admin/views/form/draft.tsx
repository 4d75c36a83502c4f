import type { FieldInfo } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import type { Draft } from "./drafts.ts";
import { changedFields, type Inputs } from "./form-values.ts";
import { type InputUnit, listUnits } from "./input-units.ts";
import { findDifferences, mergeInputs, type ThreeWay } from "./merge-inputs.ts";

/** Names of what must never lie in a browser's storage, for back ends that don't say `is_secret`. */
const SECRET_NAME = /passw|secret|token|api_?key/i;

function mayBeKept({ name, is_secret }: FieldInfo): boolean {
  return is_secret !== true && !SECRET_NAME.test(name);
}

/** What a draft keeps of a form: fields that were changed and are no secrets. */
export function toDraftFields(model: RecordSource, base: Inputs, typed: Inputs): Draft["fields"] {
  const names = changedFields(model, base, typed);
  const kept = model.fields.filter((field) => names.includes(field.name) && mayBeKept(field));
  return Object.fromEntries(
    kept.map(({ name, control }) => [name, { control, base: base[name], typed: typed[name] }]),
  );
}

/** The draft laid over the record as it is now. Fields that are gone, or have another control by now, are left out. */
function toThreeWay(model: RecordSource, current: Inputs, draft: Draft): ThreeWay {
  const fields = model.fields.filter(
    ({ name, control, read_only }) => !read_only && draft.fields[name]?.control === control,
  );
  const pick = (side: "base" | "typed") =>
    Object.fromEntries(fields.map(({ name }) => [name, draft.fields[name]?.[side]]));
  return { base: { ...current, ...pick("base") }, mine: { ...current, ...pick("typed") }, theirs: current };
}

export interface DraftPlan {
  /** What the form holds once the draft is restored. */
  inputs: Inputs;
  /** Fields that the draft changes. */
  names: string[];
  /** Inputs that the draft and somebody else have changed since. */
  conflicts: InputUnit[];
}

/** What restoring the draft would do; undefined where it would change nothing. */
export function planRestore(model: RecordSource, current: Inputs, draft: Draft): DraftPlan | undefined {
  const units = listUnits(model);
  const three = toThreeWay(model, current, draft);
  const inputs = mergeInputs(units, three, {});
  const names = changedFields(model, current, inputs);
  if (names.length === 0) return undefined;
  return { inputs, names, conflicts: findDifferences(units, three).conflicts.map(({ unit }) => unit) };
}
