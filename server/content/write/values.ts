import type { z } from "zod/mini";
import { AppError, type FieldFault } from "#server/base/errors.ts";
import { toFieldFaults } from "#server/http/zod.ts";
import type { Field } from "#server/models/model.ts";
import { isWritable, type ModelView } from "../view.ts";

/** `create` and `replace` need every required field, `patch` only what changes. */
export type WriteMode = "create" | "replace" | "patch";

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
      fault.code === "invalid_format" ? { ...fault, code: field.kind.formatFault ?? fault.code } : fault,
    );
    return field.kind.isEmpty(given) ? checkValue(field, null) : { faults };
  }
  return field.kind.isEmpty(parsed.data) ? checkValue(field, null) : { value: parsed.data };
}

/** An empty text stands for "nothing": forms send it for a cleared field. */
function toGiven(value: unknown): unknown {
  return value === "" || value === undefined ? null : value;
}

function findUnknown(view: ModelView, body: Record<string, unknown>): FieldFault[] {
  return Object.keys(body)
    .filter((name) => name !== "id" && name !== "repr" && !view.fieldByName.has(name))
    .map((name) => ({ field: name, code: "unknown_field", vars: { field: name } }));
}

/**
 * Checks the body of a write against a model. Read-only fields may be sent back as they were read; they are left alone.
 * `findMore`: what else is wrong with a body that is refused.
 * @returns values by field, null where the field is emptied.
 * @throws AppError validation_failed with every fault.
 */
export function parseValues(
  view: ModelView,
  body: Record<string, unknown>,
  mode: WriteMode,
  findMore?: (given: Record<string, unknown>) => readonly FieldFault[],
): Map<Field, unknown> {
  const faults = findUnknown(view, body);
  const values = new Map<Field, unknown>();
  for (const field of view.fields) {
    const isAbsent = !(field.name in body);
    // PUT empties what it doesn't name; what can't be empty (a position) stays as it is.
    if (
      !isWritable(field, view.level) ||
      (isAbsent && (mode === "patch" || (mode === "replace" && !field.isNullable && !field.isRequired)))
    )
      continue;
    const checked = checkValue(field, toGiven(body[field.name]));
    if ("faults" in checked) faults.push(...checked.faults);
    else values.set(field, checked.value);
  }
  if (faults.length > 0) {
    const told = new Set(faults.map(({ field }) => field));
    const more = findMore?.(body).filter(({ field }) => !told.has(field)) ?? [];
    throw new AppError("validation_failed", { fields: [...faults, ...more] });
  }
  return values;
}

/** The id of a relation that is sent back as it was read. */
function toSentBack(field: Field, value: unknown): unknown {
  if (field.kind.relates === "many" && Array.isArray(value)) return value.map((item) => toId(item));
  return field.kind.relates ? toId(value) : value;
}

function toId(value: unknown): unknown {
  return typeof value === "object" && value !== null && "id" in value ? value.id : value;
}

/**
 * Values of fields that the level may see but not write: they may be sent back as they are, and must then still be the row's.
 * What the server alone writes is left alone whatever is sent.
 * @throws AppError validation_failed where a value can't be the row's.
 */
export function parseKept(view: ModelView, body: Record<string, unknown>): Map<Field, unknown> {
  const kept = new Map<Field, unknown>();
  const faults: FieldFault[] = [];
  for (const field of view.fields) {
    if (!(field.name in body) || field.isReadOnly || isWritable(field, view.level)) continue;
    const checked = checkValue(field, toGiven(toSentBack(field, body[field.name])));
    if ("faults" in checked) faults.push(toKeptFault(field));
    else kept.set(field, checked.value);
  }
  if (faults.length > 0) throw new AppError("validation_failed", { fields: faults });
  return kept;
}

/** The fault of a changed value of a field that the level may not write. */
export function toKeptFault(field: Field): FieldFault {
  return { field: field.name, code: "read_only_field" };
}
