import type { Queryable } from "#server/db/pool.ts";
import { selectHasSample } from "./store.ts";

/** Whether one of these models still has a row as it came with the product. */
export function hasSampleRows(db: Queryable, models: readonly string[]): Promise<boolean> {
  return selectHasSample(db, models);
}
