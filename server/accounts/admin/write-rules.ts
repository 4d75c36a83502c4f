import type { Language } from "#contract/languages.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type LevelRow, lockLevel } from "./level-store.ts";
import { findWriter } from "./store.ts";

/** Who writes, with the level that they have at this moment. */
export interface Writer {
  userId: number | null;
  level: number;
  language: Language | null;
}

/** Read inside the transaction: of two who demote each other the second may do so no more. @throws AppError permission_denied. */
export async function requireWriter(db: Queryable, actor: Actor): Promise<Writer> {
  if (actor.userId === null) return { userId: null, level: actor.level, language: null };
  const found = await findWriter(db, actor.userId);
  if (!found) throw new AppError("permission_denied");
  // A door may have let in less than the account has.
  return { userId: actor.userId, level: Math.min(found.level, actor.level), language: found.language };
}

/** Nobody writes a person, or a level, above their own. @throws AppError permission_denied. */
export function requireReach(writer: Writer, level: number): void {
  if (level > writer.level) throw new AppError("permission_denied");
}

/** Nobody gives a level above their own. @throws AppError permission_denied with the field. */
export function requireGivable(writer: Writer, level: number, field: string): void {
  if (level > writer.level)
    throw new AppError("permission_denied", { fields: [{ field, code: "level_above_own" }] });
}

const LEVEL_FIELD = "access_level_id";

/** A level that is to be given to somebody. @throws AppError validation_failed or permission_denied with the field. */
export async function requireGivenLevel(db: Queryable, writer: Writer, id: number): Promise<LevelRow> {
  const level = await lockLevel(db, { id });
  const refuse = (code: string) =>
    new AppError("validation_failed", { fields: [{ field: LEVEL_FIELD, code }] });
  if (!level) throw refuse("related_not_found");
  requireGivable(writer, level.level, LEVEL_FIELD);
  if (!level.is_active) throw refuse("level_inactive");
  return level;
}
