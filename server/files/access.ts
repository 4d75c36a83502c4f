import type { FastifyRequest } from "fastify";
import type { SignedIn } from "#server/base/actor.ts";
import { type ChangeFeed, createChangeCache } from "#server/db/change-feed.ts";
import type { Queryable } from "#server/db/pool.ts";
import {
  FILE_MODEL,
  isSeenSql,
  listShownModels,
  shownKeysSql,
  usedKeysSql,
} from "#server/models/file-uses.ts";
import { FILE_PREFIX, parseFileAddress } from "#server/models/kinds/file.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import type { FileAccess } from "./service.ts";

/** The person of a request for a file, by token or by cookie; undefined: a visitor. */
export type FindReader = (request: FastifyRequest) => Promise<SignedIn | undefined>;

async function selectShown(db: Queryable, { models }: Registry): Promise<ReadonlySet<string>> {
  // What the nightly pass found damaged isn't shown as if it were right.
  const { rows } = await db.query<{ key: string }>(
    `SELECT f.key FROM stored_file f
     WHERE f.fault IS DISTINCT FROM 'damaged' AND f.key IN (SELECT k.key FROM (${shownKeysSql(models)}) k)`,
  );
  return new Set(rows.map(({ key }) => key));
}

/** Files that a person of the console may open though no visitor does: what they uploaded, what nothing uses, what they see in use. */
async function selectMayOpen(
  db: Queryable,
  { models }: Registry,
  key: string,
  reader: SignedIn,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM stored_file f WHERE f.key = $1 AND (
       f.uploaded_by_id = $2
       OR NOT EXISTS (SELECT FROM (${usedKeysSql(models)}) k WHERE k.key = f.key)
       OR ${isSeenSql(models, "f.key", reader)})`,
    [key, reader.userId],
  );
  return rowCount === 1;
}

export function createFileAccess(deps: {
  pool: Queryable;
  feed: Pick<ChangeFeed, "subscribe" | "isLive">;
  registry: Registry;
  findReader: FindReader;
}): FileAccess {
  const { pool, feed, registry, findReader } = deps;
  const cache = createChangeCache<ReadonlySet<string>>(feed, 1);
  const source = { models: listShownModels(registry.models), load: () => selectShown(pool, registry) };
  const neededLevel = registry.byKey.get(FILE_MODEL)?.access.view ?? Number.POSITIVE_INFINITY;
  return {
    async find(request, key) {
      const shown = await cache.get("shown", source);
      if (shown.has(key)) return "public";
      if (parseFileAddress(FILE_PREFIX + key) === undefined) return undefined;
      const reader = await findReader(request);
      if (!reader || reader.level < neededLevel) return undefined;
      return (await selectMayOpen(pool, registry, key, reader)) ? "private" : undefined;
    },
  };
}
