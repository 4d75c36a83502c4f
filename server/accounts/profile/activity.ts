import type { z } from "zod/mini";
import type { activityAnswer } from "#contract/own-account.ts";
import { listOwnEntries } from "#server/audit/service.ts";
import type { Queryable } from "#server/db/pool.ts";

const PAGE_SIZE = 20;

/** A page of a person's own entries; one more is read to know whether another page follows. */
export async function getActivity(
  db: Queryable,
  userId: number,
  before: number | null,
): Promise<z.infer<typeof activityAnswer>> {
  const found = await listOwnEntries(db, userId, { before, limit: PAGE_SIZE + 1 });
  const entries = found.slice(0, PAGE_SIZE);
  return { entries, next_before: found.length > PAGE_SIZE ? (entries.at(-1)?.id ?? null) : null };
}
