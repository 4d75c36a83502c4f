import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { toPseudonym } from "#server/audit/service.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { WriteNote } from "#server/models/record-writer.ts";
import { eraseAccount } from "../erase-account.ts";
import { dropFilesOf } from "../profile/drop-files.ts";
import type { AdminParts } from "./parts.ts";
import { findManaged } from "./store.ts";
import { requireReach, requireWriter } from "./write-rules.ts";

/**
 * Deletes somebody's account as they would themselves.
 * @throws AppError own_account_protected, superuser_protected, permission_denied, object_not_found.
 */
export async function deleteUser(
  parts: AdminParts,
  db: Queryable,
  id: number,
  actor: Actor,
): Promise<WriteNote> {
  const writer = await requireWriter(db, actor);
  const account = await findManaged(db, id);
  if (!account) throw new AppError("object_not_found");
  requireReach(writer, account.access_level);
  if (id === writer.userId) throw new AppError("own_account_protected");
  if (account.access_level === ACCESS_LEVEL.superuser) throw new AppError("superuser_protected");
  const erasing = { mail: parts.mail, clock: parts.accounts.clock };
  if (!(await eraseAccount(erasing, db, account, null))) throw new AppError("object_not_found");
  return { pseudonym: toPseudonym(id), afterCommit: () => dropFilesOf(parts, account) };
}
