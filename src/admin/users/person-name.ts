import type { ModelRecord } from "#contract/models.ts";
import { parseUser } from "#resources/user-record.ts";

/** "Ada Lovelace (ada)", so that two of one name are told apart; the username alone where there is no other name. */
export function toPersonName(record: ModelRecord): string {
  const user = parseUser(record);
  if (!user || record.repr === user.username) return record.repr;
  return `${record.repr} (${user.username})`;
}
