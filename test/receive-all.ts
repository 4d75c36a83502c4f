import type { ChangeFeed } from "#server/db/change-feed.ts";
import { notifyChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { until } from "./until.ts";

let count = 0;

/** Resolves when the feed has received all notices that were sent before: they come in the order of their commits. */
export async function receiveAll(db: Queryable, feed: Pick<ChangeFeed, "subscribe">): Promise<void> {
  const mark = `test.mark_${++count}`;
  let isReceived = false;
  feed.subscribe((modelKey) => {
    if (modelKey === mark) isReceived = true;
  });
  await notifyChange(db, mark);
  await until(() => isReceived);
}
