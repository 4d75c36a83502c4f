import { CONTROLS, type FieldInfo, type ModelRecord } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { isLocalizedControl } from "./field-errors.ts";
import type { FieldKind, Kinds, WritingControl } from "./kind.tsx";

type AllKinds = Readonly<Record<WritingControl, FieldKind>>;

function isComplete(kinds: Kinds): kinds is AllKinds {
  return CONTROLS.every((control) => control === "read-only" || kinds[control] !== undefined);
}

/**
 * The kinds of all files in one table. @throws Error that names the control or the type that two files have, or the control
 * that none has: its fields would show as something that they aren't.
 */
export function collectKinds(files: Readonly<Record<string, Kinds>>): AllKinds {
  const found: Partial<Record<WritingControl, FieldKind>> = {};
  const owners = new Map<string, string>();
  for (const [file, kinds] of Object.entries(files)) {
    const names = [...Object.keys(kinds), ...Object.values(kinds).flatMap(({ types }) => types)];
    for (const name of names) {
      const owner = owners.get(name);
      if (owner !== undefined) throw new Error(`${file} has "${name}", which ${owner} has already`);
      owners.set(name, file);
    }
    Object.assign(found, kinds);
  }
  if (isComplete(found)) return found;
  const missing = CONTROLS.filter((control) => control !== "read-only" && !found[control]);
  throw new Error(`No file of src/admin/views/kinds/controls has the control ${missing.join(", ")}`);
}

/** What the console knows of each control that the server may name. */
export const KINDS = collectKinds(
  import.meta.glob<Kinds>("./controls/*.tsx", { eager: true, import: "kinds" }),
);

const BY_TYPE = new Map(Object.values(KINDS).flatMap((kind) => kind.types.map((type) => [type, kind])));

/** Controls with an input for each language are called so. */
const LOCALIZED = new Set(
  Object.entries(KINDS).flatMap(([control, kind]) => (isLocalizedControl(control) ? [kind] : [])),
);

/** The kind of a field: by its control, or by its type where it has none that writes. */
export function kindOf({ control, type }: Pick<FieldInfo, "control" | "type">): FieldKind {
  return control === "read-only" ? (BY_TYPE.get(type) ?? KINDS.text) : KINDS[control];
}

/** Whether its value has a side for each language. */
export function isLocalized(field: FieldInfo): boolean {
  return LOCALIZED.has(kindOf(field));
}

/** What the inputs hold, by field. */
export type Inputs = Record<string, unknown>;

function writableFields(source: RecordSource) {
  return source.fields.filter((field) => !field.read_only);
}

/** The inputs of a record, or of a new one. */
export function toInputs(source: RecordSource, record: ModelRecord | null): Inputs {
  const values = record ?? source.defaults;
  return Object.fromEntries(
    writableFields(source).map((field) => [field.name, kindOf(field).toInput(values?.[field.name])]),
  );
}

/** Names of the fields whose input differs from the last saved one. Typing something and undoing it is no change. */
export function changedFields(source: RecordSource, saved: Inputs, current: Inputs): string[] {
  return writableFields(source)
    .map((field) => field.name)
    .filter((name) => JSON.stringify(saved[name]) !== JSON.stringify(current[name]));
}

/** The body of a write: the named fields only, so that a PATCH never writes back what somebody else changed meanwhile. */
export function toBody(
  source: RecordSource,
  inputs: Inputs,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    writableFields(source)
      .filter((field) => names.includes(field.name))
      .map((field) => [field.name, kindOf(field).toWire(inputs[field.name], field)]),
  );
}
