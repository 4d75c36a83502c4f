import type { z } from "zod/mini";
import { AppError, type FieldFault } from "#server/http/errors.ts";
import { toFieldFaults } from "#server/http/zod-faults.ts";
import type { Field, Model } from "#server/models/model.ts";

/** `create` and `replace` need every required field, `patch` only what changes. */
export type WriteMode = "create" | "replace" | "patch";

/** Kinds whose own check has a more helpful text than "not the right format". */
const FORMAT_CODES: Record<string, string> = {
  partial_date: "invalid_partial_date",
  file: "invalid_file",
  email: "invalid_email",
};

const schemas = new WeakMap<Field, z.ZodMiniType<unknown>>();

function getSchema(field: Field): z.ZodMiniType<unknown> {
  const known = schemas.get(field) ?? field.kind.valueSchema(field);
  schemas.set(field, known);
  return known;
}

type Checked = { value: unknown } | { faults: FieldFault[] };

function checkValue(field: Field, given: unknown): Checked {
  const required = { faults: [{ field: field.name, code: "required" }] };
  if (given === null) return field.isRequired ? required : { value: null };
  const parsed = getSchema(field).safeParse(given);
  if (!parsed.success) {
    const faults = toFieldFaults(parsed.error.issues, given, [field.name]).map((fault) =>
      fault.code === "invalid_format"
        ? { ...fault, code: FORMAT_CODES[field.kind.name] ?? fault.code }
        : fault,
    );
    return field.kind.isEmpty(given) ? checkValue(field, null) : { faults };
  }
  return field.kind.isEmpty(parsed.data) ? checkValue(field, null) : { value: parsed.data };
}

/** An empty text stands for "nothing": forms send it for a cleared field. */
function toGiven(value: unknown): unknown {
  return value === "" || value === undefined ? null : value;
}

function findUnknown(model: Model, body: Record<string, unknown>): FieldFault[] {
  return Object.keys(body)
    .filter((name) => name !== "id" && name !== "repr" && !model.fieldByName.has(name))
    .map((name) => ({ field: name, code: "unknown_field", vars: { field: name } }));
}

/**
 * Checks the body of a write against a model. Read-only fields may be sent back as they were read; they are left alone.
 * @returns values by field, null where the field is emptied.
 * @throws AppError validation_failed with every fault.
 */
export function parseValues(
  model: Model,
  body: Record<string, unknown>,
  mode: WriteMode,
): Map<Field, unknown> {
  const faults = findUnknown(model, body);
  const values = new Map<Field, unknown>();
  for (const field of model.fields) {
    const isAbsent = !(field.name in body);
    // PUT empties what it doesn't name; what can't be empty (a position) stays as it is.
    if (
      field.isReadOnly ||
      (isAbsent && (mode === "patch" || (mode === "replace" && !field.isNullable && !field.isRequired)))
    )
      continue;
    const checked = checkValue(field, toGiven(body[field.name]));
    if ("faults" in checked) faults.push(...checked.faults);
    else values.set(field, checked.value);
  }
  if (faults.length > 0) throw new AppError("validation_failed", { fields: faults });
  return values;
}
