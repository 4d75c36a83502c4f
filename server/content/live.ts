import type { LiveEvent } from "#contract/live.ts";
import type { ChangeFeed, RowChange } from "#server/db/changes.ts";
import type { Queryable } from "#server/db/pool.ts";
import { AppError } from "#server/http/errors.ts";
import type { Model } from "#server/models/model.ts";
import type { Reader } from "#server/models/reader.ts";
import type { Registry } from "#server/models/registry.ts";
import { rowRuleSql } from "#server/models/related-sql.ts";
import { isAllowed } from "./access.ts";
import { ALIAS, createParameters, fromSql, idSql } from "./list-sql.ts";

/** Whoever listens, as they are now; undefined: signed out or suspended. Asked at each event. */
export type CurrentReader = () => Reader | undefined | Promise<Reader | undefined>;

/** Committed writes, told to those who may read what was written. */
export interface LiveEvents {
  /**
   * Hears of each committed write to a model once. Events hold no values: those are read again, where field rules hold.
   * @returns how to stop. @throws AppError model_not_found where the reader may not see the model.
   */
  subscribe(
    modelKey: string,
    getReader: CurrentReader,
    listener: (event: LiveEvent) => void,
  ): Promise<() => void>;
}

interface Subscription {
  getReader: CurrentReader;
  listener: (event: LiveEvent) => void;
}

const READ_AGAIN = { ids: [], is_many: true };

/** Those of the rows that a reader meets. */
async function selectMet(
  db: Queryable,
  model: Model,
  ids: readonly number[],
  reader: Reader,
): Promise<number[]> {
  const { add, values } = createParameters();
  const rule = rowRuleSql(model, "view", ALIAS, reader, add) ?? "true";
  const { rows } = await db.query<{ id: number }>(
    `SELECT ${idSql(model)} AS id ${fromSql(model)} WHERE ${ALIAS}.id = ANY(${add(ids)}::bigint[]) AND ${rule} ORDER BY 1`,
    values,
  );
  return rows.map((row) => row.id);
}

/**
 * What a reader is told of a change. Of rows that they don't meet they learn no id: such a row may have left their list
 * just now, and whether a deleted one was on it nobody can tell any more, so the list is to be read again.
 */
async function toEvent(db: Queryable, model: Model, change: RowChange, reader: Reader): Promise<LiveEvent> {
  const about = { type: change.type, content_type_id: model.contentTypeId };
  if (change.isMany) return { ...about, ...READ_AGAIN };
  if (rowRuleSql(model, "view", ALIAS, reader) === undefined)
    return { ...about, ids: [...change.ids], is_many: false };
  if (change.type === "deleted") return { ...about, ...READ_AGAIN };
  const ids = await selectMet(db, model, change.ids, reader);
  return ids.length < change.ids.length ? { ...about, ...READ_AGAIN } : { ...about, ids, is_many: false };
}

/** The part of row rules that two readers may have in common. */
function toAudience({ level, userId }: Reader): string {
  return `${level} ${userId}`;
}

/** Tells of what `feed` brings, in the order in which it was committed. */
export function createLiveEvents(parts: {
  pool: Queryable;
  registry: Registry;
  feed: Pick<ChangeFeed, "subscribe" | "subscribeRows">;
  log: { warn(details: object, message: string): void };
}): LiveEvents {
  const { pool, registry, feed, log } = parts;
  const byModel = new Map<string, Set<Subscription>>();
  let telling: Promise<void> = Promise.resolve();

  const tell = async (model: Model, change: RowChange) => {
    const events = new Map<string, Promise<LiveEvent>>();
    const getEvent = (reader: Reader) => {
      const audience = toAudience(reader);
      const event = events.get(audience) ?? toEvent(pool, model, change, reader);
      events.set(audience, event);
      return event;
    };
    const tellOne = async ({ getReader, listener }: Subscription) => {
      const reader = await getReader();
      if (reader && isAllowed(model, "view", reader.level)) listener(await getEvent(reader));
    };
    const told = await Promise.allSettled([...(byModel.get(model.key) ?? [])].map(tellOne));
    for (const result of told)
      if (result.status === "rejected")
        log.warn(
          { err: result.reason, model: model.key },
          "a change could not be told to somebody who listens",
        );
  };

  const queue = (model: Model | undefined, change: RowChange) => {
    if (!model || !byModel.has(model.key)) return;
    telling = telling.then(() => tell(model, change));
  };

  feed.subscribeRows((modelKey, change) => queue(registry.byKey.get(modelKey), change));
  feed.subscribe((modelKey) => {
    if (modelKey !== undefined) return;
    // Notices may have been missed.
    for (const key of byModel.keys())
      queue(registry.byKey.get(key), { type: "updated", ids: [], isMany: true });
  });

  return {
    async subscribe(modelKey, getReader, listener) {
      const model = registry.byKey.get(modelKey);
      const reader = await getReader();
      if (!model || !reader || !isAllowed(model, "view", reader.level)) throw new AppError("model_not_found");
      const subscription = { getReader, listener };
      const all = byModel.get(modelKey) ?? new Set();
      byModel.set(modelKey, all.add(subscription));
      return () => {
        all.delete(subscription);
        if (all.size === 0 && byModel.get(modelKey) === all) byModel.delete(modelKey);
      };
    },
  };
}
