import { type ActionEntry, actionEntry } from "#contract/admin-users.ts";
import type { ModelRecord } from "#contract/models.ts";

/** The documented item behind a row of the log. */
export function parseEntry(record: ModelRecord): ActionEntry {
  return actionEntry.parse(record);
}

type Person = NonNullable<ActionEntry["user"]>;

/** First and last name, else the username. */
export function toPersonName({ first_name, last_name, username }: Person): string {
  return [first_name, last_name].filter(Boolean).join(" ") || username;
}
