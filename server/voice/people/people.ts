import { hasAdminAccess } from "#contract/access-levels.ts";
import { type DescribedPerson, describePeople } from "#server/accounts/service.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";

/** @throws AppError object_not_found. */
export async function requirePerson(db: Queryable, userId: number): Promise<DescribedPerson> {
  const person = (await describePeople(db, [userId])).get(userId);
  if (!person) throw new AppError("object_not_found");
  return person;
}

/**
 * What people on a list of numbers are called. Numbers can be counted through: of those who don't want to be found the list
 * gives no name, but to admins.
 */
export async function nameListed(
  db: Queryable,
  userIds: readonly number[],
  viewerLevel: number,
): Promise<(userId: number) => string> {
  const people = await describePeople(db, userIds);
  return (userId) => {
    const person = people.get(userId);
    const isShown = person && (person.is_searchable || hasAdminAccess(viewerLevel));
    return isShown ? person.display_name : `#${userId}`;
  };
}
