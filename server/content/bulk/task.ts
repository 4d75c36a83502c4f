import type { BulkRequest } from "#contract/content/bulk.ts";
import type { Actor, Reader } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Model } from "#server/models/model.ts";
import { parseScope, type Scope } from "../list/query.ts";
import { isWritable, type ModelView, toView } from "../records/access.ts";
import type { Values } from "../write/judge-sql.ts";
import { parseValues } from "../write/values.ts";

export type BulkOperation = "delete" | "update";

/** One thing that is to happen to many rows, checked against what its person may see and write. */
export interface BulkTask {
  operation: BulkOperation;
  model: Model;
  view: ModelView;
  reader: Reader;
  actor: Actor;
  /** Of an update. */
  values: Values;
  rows: { ids: readonly number[] } | { scope: Scope; excludeIds: readonly number[] };
  /** Rows written since this ISO moment are left alone; null: it doesn't matter. */
  snapshot: string | null;
}

/** What is kept of a request, so that a job can be taken up again. */
export type TaskRequest = Pick<BulkRequest, "operation" | "object_ids" | "query" | "exclude_ids" | "data">;

function parseRows(view: ModelView, request: TaskRequest): BulkTask["rows"] {
  const { object_ids: ids = [], query, exclude_ids: excludeIds } = request;
  if (query) {
    if (ids.length > 0) throw new AppError("invalid_query", { vars: { parameter: "object_ids" } });
    return { scope: parseScope(view, query), excludeIds };
  }
  const excluded = new Set(excludeIds);
  const chosen = [...new Set(ids)].filter((id) => !excluded.has(id));
  if (chosen.length === 0) throw new AppError("nothing_selected");
  return { ids: chosen };
}

/** What one row may be sent back with unchanged, many rows can't be. */
function checkNames(view: ModelView, data: Record<string, unknown>): void {
  const readOnly = Object.keys(data).filter((name) => {
    const field = view.fieldByName.get(name);
    return name === "id" || name === "repr" || (field && !isWritable(field, view.level));
  });
  if (readOnly.length > 0)
    throw new AppError("validation_failed", {
      fields: readOnly.map((field) => ({ field, code: "read_only_field" })),
    });
}

function toBulkValues(view: ModelView, request: TaskRequest): Values {
  if (request.operation === "delete") return new Map();
  if (Object.keys(request.data).length === 0)
    throw new AppError("validation_failed", { fields: [{ field: "data", code: "required" }] });
  checkNames(view, request.data);
  return parseValues(view, request.data, "patch");
}

/**
 * Checks what is asked. The model's own access is asked before.
 * @throws AppError nothing_selected, unknown_field, unknown_operator, invalid_query, validation_failed.
 */
export function parseTask(
  model: Model,
  request: TaskRequest,
  person: { actor: Actor; reader: Reader; snapshot: string | null },
): BulkTask {
  const view = toView(model, person.actor.level);
  return {
    operation: request.operation,
    model,
    view,
    ...person,
    rows: parseRows(view, request),
    values: toBulkValues(view, request),
  };
}

/** How the log calls a bulk operation: 48 bits of a UUID, short enough to be read in a filter. A job has the same one after a restart. */
export function toBatchId(uuid: string): string {
  return uuid.replaceAll("-", "").slice(0, 12);
}
