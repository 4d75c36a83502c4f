import type { Queryable } from "#server/db/pool.ts";
import type { Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { selectExistingIds } from "../actions/store.ts";

interface About {
  content_type_id: number | null;
  object_id: string | null;
}

const ID = /^\d{1,15}$/;

/** How a set names an object. */
export function toObjectKey({ content_type_id, object_id }: About): string {
  return `${content_type_id}:${object_id}`;
}

/** Of the objects that some entries speak of those that are no more, as `toObjectKey` names them; one query a model. */
export async function findGoneObjects(
  { db, registry }: { db: Queryable; registry: Registry },
  entries: readonly About[],
): Promise<ReadonlySet<string>> {
  const byModel = new Map<Model, Map<string, string>>();
  for (const entry of entries) {
    const model = registry.byContentTypeId.get(entry.content_type_id ?? 0);
    if (!model || entry.object_id === null || !ID.test(entry.object_id)) continue;
    const ids = byModel.get(model) ?? new Map();
    byModel.set(model, ids.set(entry.object_id, toObjectKey(entry)));
  }
  const gone = new Set<string>();
  await Promise.all(
    [...byModel].map(async ([model, keys]) => {
      const existing = await selectExistingIds(db, model.table, [...keys.keys()]);
      for (const [id, key] of keys) if (!existing.has(id)) gone.add(key);
    }),
  );
  return gone;
}
