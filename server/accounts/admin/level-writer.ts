import { ACCESS_LEVEL, hasAdminAccess } from "#contract/accounts/accounts.ts";
import type { LocalizedText } from "#contract/languages.ts";
import { recordAudit } from "#server/audit/service.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { RecordWriter } from "#server/models/record-writer.ts";
import { notifyChange, toRowChange } from "../../db/change-notices.ts";
import { alertOfStaff, lockLevelsOfPeople } from "../owners.ts";
import type { AdminDeps } from "../profile/deps.ts";
import { findUserContentType } from "../store.ts";
import {
  deleteLevel,
  insertLevel,
  isInUse,
  type LevelRow,
  type LevelValues,
  listPeopleOf,
  lockLevel,
  updateLevel,
} from "./store.ts";
import { type GivenValues, requireGivable, requireReach, requireWriter, type Writer } from "./write-rules.ts";

const RANGE = { min: ACCESS_LEVEL.guest, max: ACCESS_LEVEL.superuser };

/** @throws AppError validation_failed or permission_denied at `level`. */
function requireGoodNumber(writer: Writer, level: number): void {
  const refuse = (code: string, vars: { min: number } | { max: number }) =>
    new AppError("validation_failed", { fields: [{ field: "level", code, vars }] });
  if (level < RANGE.min) throw refuse("too_small", { min: RANGE.min });
  if (level > RANGE.max) throw refuse("too_big", { max: RANGE.max });
  requireGivable(writer, level, "level");
}

/** The kinds have checked the values; what is absent stays. */
function toNext(before: LevelValues, given: GivenValues): LevelValues {
  const { level, name, description, is_active } = Object.fromEntries(given) as Partial<LevelValues>;
  return {
    level: level ?? before.level,
    name: name ?? before.name,
    description: description === undefined ? before.description : (description as LocalizedText | null),
    is_active: given.has("is_active") ? is_active !== false : before.is_active,
  };
}

async function requireLevelRow(db: Queryable, id: number, writer: Writer): Promise<LevelRow> {
  const level = await lockLevel(db, { id });
  if (!level) throw new AppError("object_not_found");
  requireReach(writer, level.level);
  return level;
}

/** Another number is another permission for each person who has the level: an entry for each of them. */
async function recordRenumbering(
  db: Queryable,
  level: LevelRow,
  next: LevelValues,
  actor: Actor,
): Promise<void> {
  const people = await listPeopleOf(db, level.id);
  if (people.length === 0) return;
  const contentTypeId = await findUserContentType(db);
  const changes = { access_level: { before: level.level, after: next.level } };
  const entries = people.map(({ id, username }) => ({
    action: "UPDATE" as const,
    detail: "permission_change",
    contentTypeId,
    objectId: id,
    objectRepr: username,
    changes,
  }));
  await recordAudit(db, actor, ...entries);
  const ids = people.map(({ id }) => id);
  await notifyChange(db, "accounts.user", toRowChange("updated", ids));
  if (next.level <= level.level || !hasAdminAccess(next.level)) return;
  const [id = null] = ids;
  const whom = { userId: ids.length === 1 ? id : null, level: next.level, count: ids.length };
  await alertOfStaff(db, whom, actor);
}

/** Writes access levels, whichever endpoint is used. One that is off stays with who has it, and is given to nobody else. */
export function createLevelWriter({ accounts }: AdminDeps): RecordWriter {
  return {
    /** Another number takes a level from everybody who has it. */
    prepare: (db) => lockLevelsOfPeople(db),

    async create(db, given, actor) {
      const writer = await requireWriter(db, actor);
      const empty = { level: -1, name: { en: null, tr: null }, description: null, is_active: true };
      const values = toNext(empty, given);
      requireGoodNumber(writer, values.level);
      return insertLevel(db, values);
    },

    async update(db, id, given, actor) {
      const writer = await requireWriter(db, actor);
      const before = await requireLevelRow(db, id, writer);
      const next = toNext(before, given);
      const isRenumbered = next.level !== before.level;
      if (before.is_core && (isRenumbered || !next.is_active)) throw new AppError("core_level_protected");
      if (isRenumbered) requireGoodNumber(writer, next.level);
      await updateLevel(db, id, next);
      if (!isRenumbered) return undefined;
      await recordRenumbering(db, before, next, actor);
      return { detail: "permission_change" };
    },

    async delete(db, id, actor) {
      const writer = await requireWriter(db, actor);
      const before = await requireLevelRow(db, id, writer);
      if (before.is_core) throw new AppError("core_level_protected");
      if (await isInUse(db, id)) throw new AppError("still_referenced");
      await deleteLevel(db, id);
      return undefined;
    },

    committed: () => accounts.sessionAccounts.drop(),
  };
}
