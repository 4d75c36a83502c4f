import type { z } from "zod/mini";
import type { Reader } from "#server/base/actor.ts";
import { AppError, type FieldFault } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { quoteName } from "#server/db/sql.ts";
import { toFieldFaults } from "#server/http/zod.ts";
import type { AddParameter, Field } from "#server/models/model.ts";
import { requireRelated, rowRuleSql } from "#server/models/row-sql.ts";
import { hidesRelated, isAllowed, isWritable, type ModelView } from "../records/access.ts";
import { createParameters } from "../records/record-sql.ts";
import { differsSql, linkedIdsSql, type Values, valueSql } from "./judge-sql.ts";

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
    const faulty = new Set(faults.map(({ field }) => field));
    const more = findMore?.(body).filter(({ field }) => !faulty.has(field)) ?? [];
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
export function parseUnwritable(view: ModelView, body: Record<string, unknown>): Map<Field, unknown> {
  const unwritable = new Map<Field, unknown>();
  const faults: FieldFault[] = [];
  for (const field of view.fields) {
    if (!(field.name in body) || field.isReadOnly || isWritable(field, view.level)) continue;
    const checked = checkValue(field, toGiven(toSentBack(field, body[field.name])));
    if ("faults" in checked) faults.push(toUnwritableFault(field));
    else unwritable.set(field, checked.value);
  }
  if (faults.length > 0) throw new AppError("validation_failed", { fields: faults });
  return unwritable;
}

/** The fault of a changed value of a field that the level may not write. */
export function toUnwritableFault(field: Field): FieldFault {
  return { field: field.name, code: "read_only_field" };
}

/** Written ids of related rows that their writer doesn't meet, by field: to them, these rows do not exist. */
export type Unseen = ReadonlyMap<Field, readonly number[]>;

async function selectSeen(
  db: Queryable,
  field: Field,
  ids: readonly number[],
  reader: Reader,
): Promise<Set<number>> {
  const related = requireRelated(field);
  if (!isAllowed(related, "view", reader.level)) return new Set();
  const { add, values } = createParameters();
  const rule = rowRuleSql(related, "view", "r", reader, add) ?? "true";
  const { rows } = await db.query<{ id: number }>(
    `SELECT r.id::float8 AS id FROM ${quoteName(related.table)} r WHERE r.id = ANY(${add(ids)}::bigint[]) AND ${rule}`,
    values,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Asks only of relations to rows that are not for everybody. */
export async function findUnseen(db: Queryable, written: Values, reader: Reader): Promise<Unseen> {
  const unseen = new Map<Field, readonly number[]>();
  for (const [field, value] of written) {
    if (value === null || !hidesRelated(field, reader.level)) continue;
    const ids = (Array.isArray(value) ? value : [value]).map(Number);
    const seen = await selectSeen(db, field, ids, reader);
    const hidden = ids.filter((id) => !seen.has(id));
    if (hidden.length > 0) unseen.set(field, hidden);
  }
  return unseen;
}

/** SQL that says whether a row is not related to such rows already: what was read as `#7` may be sent back. */
export function isNewlyUnseenSql(
  field: Field,
  ids: readonly number[],
  alias: string,
  add: AddParameter,
): string {
  return field.through
    ? `NOT (${linkedIdsSql(field.through, alias)} @> ${add(ids)}::bigint[])`
    : differsSql(field, alias, valueSql(field, ids[0] ?? null, add));
}

/** The fault of such a relation: that of a row which doesn't exist. */
export function toUnseenFault(field: Field): FieldFault {
  return { field: field.name, code: "related_not_found" };
}
