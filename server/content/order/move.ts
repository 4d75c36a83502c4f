import type { MoveAnswer, MoveRequest } from "#contract/content/objects.ts";
import { type Caller, toReader } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withRetriedTransaction } from "#server/db/transaction.ts";
import type { Field, Model } from "#server/models/model.ts";
import { asksStepUp, findOrderField, requireModel, toView } from "../records/access.ts";
import { toWriteError } from "../write/database-faults.ts";
import type { WriteDeps } from "../write/writes.ts";
import { type Placed, planMove } from "./move-plan.ts";
import { lockOrder, type OrderedRow, selectOrder, type Who, writePlaces } from "./move-sql.ts";

/** Details of audit entries. */
const MOVED = "move";
const RENUMBERED = "renumber";

/** Puts an object before another one of its model, or behind the last. */
export type Move = (
  contentTypeId: number,
  id: number,
  request: MoveRequest,
  caller: Caller,
) => Promise<MoveAnswer>;

function requireOrderField(model: Model, level: number): Field {
  const field = findOrderField(model, level);
  if (field) return field;
  const isOrdered = findOrderField(model, Number.POSITIVE_INFINITY) !== undefined;
  throw new AppError(isOrdered ? "permission_denied" : "not_found");
}

function requireMovable(rows: readonly OrderedRow[], id: number): void {
  const row = rows.find((candidate) => candidate.id === id);
  if (!row?.isVisible) throw new AppError("object_not_found");
  if (!row.isWritable) throw new AppError("permission_denied");
}

/** Where among the others the row goes. */
function requireTarget(others: readonly OrderedRow[], before: number | null): number {
  if (before === null) return others.length;
  const at = others.findIndex((row) => row.id === before && row.isVisible);
  if (at < 0)
    throw new AppError("validation_failed", { fields: [{ field: "before", code: "related_not_found" }] });
  return at;
}

/** The numbers that change; none where the row stands there already. */
function plan(rows: readonly OrderedRow[], id: number, before: number | null): Placed[] {
  requireMovable(rows, id);
  if (before === id)
    throw new AppError("validation_failed", { fields: [{ field: "before", code: "invalid_value" }] });
  const others = rows.filter((row) => row.id !== id);
  const at = requireTarget(others, before);
  if (rows[at]?.id === id) return [];
  const neighbours = others.map((row) => ({ ...row, isFixed: !row.isWritable }));
  const places = planMove(neighbours, id, at);
  // Rows around the place may not be written, and there is no number left between them.
  if (!places) throw new AppError("permission_denied");
  const placeOf = new Map(rows.map((row) => [row.id, row.place]));
  return places.filter((row) => placeOf.get(row.id) !== row.place);
}

/** The moved row's entry says so, and those of rows that made room for it say that. */
async function write(db: Queryable, who: Who, field: Field, id: number, places: Placed[]): Promise<void> {
  const moved = places.filter((row) => row.id === id);
  const others = places.filter((row) => row.id !== id);
  const parts = [
    { places: moved, detail: MOVED },
    // Its number may be the one that it had: then what moved it is that others changed theirs.
    { places: others, detail: moved.length > 0 ? RENUMBERED : MOVED },
  ];
  for (const part of parts) {
    if (part.places.length > 0 && !(await writePlaces(db, who, field, part)))
      throw new AppError("permission_denied");
  }
  const ids = places.map((row) => row.id);
  if (ids.length > 0) await notifyChange(db, who.view.model.key, toRowChange("updated", ids));
}

/** Two people who move at once wait for each other; the second one's row stands where it was put, among what is then there. */
export function createMove({
  pool,
  registry,
  feed,
  requireRecent,
}: Pick<WriteDeps, "pool" | "registry" | "feed" | "requireRecent">): Move {
  return async (contentTypeId, id, { before }, caller) => {
    const { actor } = caller;
    const model = requireModel(registry, contentTypeId, "update", actor);
    const field = requireOrderField(model, actor.level);
    if (asksStepUp(model, "update", [field.name])) await requireRecent(actor);
    const who = { view: toView(model, actor.level), reader: toReader(caller), actor };
    try {
      const places = await withRetriedTransaction(pool, async (client) => {
        await lockOrder(client, who);
        const changed = plan(await selectOrder(client, who, field), id, before);
        await write(client, who, field, id, changed);
        return changed;
      });
      // Pages and lists of this process are drawn anew before the answer goes out.
      if (places.length > 0) feed.announce(model.key);
      return { is_moved: places.length > 0, places };
    } catch (error) {
      throw toWriteError(error, model, "write");
    }
  };
}
