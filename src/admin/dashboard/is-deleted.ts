import type { ActionEntry } from "#contract/admin-users.ts";

/**
 * Whether the object of an entry is known to be gone: a deletion of it stands at or above the entry in the list. (The newest
 * entries hold every later deletion of what they speak of.)
 */
export function isDeleted(entry: ActionEntry, newestFirst: readonly ActionEntry[]): boolean {
  return newestFirst
    .slice(0, newestFirst.indexOf(entry) + 1)
    .some(
      ({ action_type, content_type_id, object_id }) =>
        action_type === "DELETE" &&
        content_type_id === entry.content_type_id &&
        object_id === entry.object_id,
    );
}
