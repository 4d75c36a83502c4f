import { LRUCache } from "lru-cache";
import type { Reader } from "#server/base/actor.ts";
import { createSharedWork } from "#server/base/limits.ts";
import type { AbortableQueries } from "#server/db/abortable-queries.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import type { ModelView } from "../records/access.ts";
import { createParameters } from "../records/record-sql.ts";
import { boundedCountSql, type Counted, type CountPool, selectWithin } from "./count-store.ts";
import { COUNTED_MAX, isEstimable, measureExact, measureTotal, type Total } from "./measure-total.ts";
import { EVERYTHING, type Scope, whereSql } from "./query.ts";

const CACHE_TTL_MS = 5_000;
const CACHE_MAX = 500;
const COUNT_EACH_LIMIT_MS = 250;

export interface TotalOptions {
  isExact: boolean;
  /** Aborted when the caller has gone: an exact count that nobody waits for any more ends. */
  signal?: AbortSignal | undefined;
}

/** What totals are measured with. */
export interface TotalDeps {
  pool: CountPool;
  queries: Pick<AbortableQueries, "selectRows" | "inSlot">;
  feed: Pick<ChangeFeed, "subscribe" | "isLive">;
  /** Factor on the time limits. */
  patience?: number;
}

/** Totals of lists, as the reader's row rules leave them; a list never waits long for one. */
export interface Totals {
  /** `isExact` counts under a time limit of seconds, and gives the flagged estimate where that isn't enough. */
  get(view: ModelView, scope: Scope, reader: Reader, options?: TotalOptions): Promise<Total>;
  /** The totals of whole models, in their order, counted together. */
  getEach(views: readonly ModelView[], reader: Reader): Promise<Total[]>;
  /** The exact total of a scope, where it is known already. */
  findExact(view: ModelView, scope: Scope, reader: Reader): number | undefined;
}

interface CachedTotal extends Total {
  /** State of the model when it was measured: see `stampOf`. */
  stamp: string;
  /** A count was tried: another one would not be done in time either. */
  isFinal: boolean;
}

interface Wanted extends Counted {
  view: ModelView;
  scope: Scope;
  /** Everything that the rows depend on: rules of rows and the reader's own id are inside the condition. */
  key: string;
}

function toWanted(view: ModelView, scope: Scope, reader: Reader): Wanted {
  const { add, values } = createParameters();
  const where = whereSql(view, scope, reader, add);
  const { model } = view;
  return { view, scope, model, where, values, key: JSON.stringify([model.key, where, values]) };
}

/**
 * Totals are cached for seconds. A counted one goes as soon as its model changes, so that a list after a write is exact; also
 * one that was being counted while the change was published. Lists that want the same number at once count it once.
 */
export function createTotals({ pool, queries, feed, patience = 1 }: TotalDeps): Totals {
  const cache = new LRUCache<string, CachedTotal>({ max: CACHE_MAX, ttl: CACHE_TTL_MS });
  const running = createSharedWork<Total>();
  const changes = new Map<string, number>();
  let losses = 0;
  let lonely = 0;
  feed.subscribe((modelKey) => {
    if (modelKey === undefined) {
      losses += 1;
      cache.clear();
    } else changes.set(modelKey, (changes.get(modelKey) ?? 0) + 1);
  });
  /** Changes with every change of a model. */
  const stampOf = (modelKey: string) => `${losses}.${changes.get(modelKey) ?? 0}`;

  const find = ({ key, model }: Wanted): CachedTotal | undefined => {
    if (!feed.isLive()) return undefined;
    const cached = cache.get(key);
    return cached && (cached.isEstimate || cached.stamp === stampOf(model.key)) ? cached : undefined;
  };
  const remember = ({ key, model }: Wanted, total: Total, stamp: string, isFinal: boolean) => {
    if (total.isEstimate || stamp === stampOf(model.key)) cache.set(key, { ...total, stamp, isFinal });
  };

  const measure = async (wanted: Wanted, isExact: boolean, abandoned: AbortSignal): Promise<Total> => {
    const stamp = stampOf(wanted.model.key);
    const canEstimate = isEstimable(wanted.view, wanted.scope);
    const total = isExact
      ? await measureExact(pool, queries, wanted, canEstimate, { patience, abandoned })
      : await queries.inSlot(() => measureTotal(pool, wanted, canEstimate, patience), abandoned);
    remember(wanted, total, stamp, isExact);
    return total;
  };
  const get = async (wanted: Wanted, { isExact, signal }: TotalOptions): Promise<Total> => {
    const cached = find(wanted);
    if (cached && (!isExact || !cached.isEstimate || cached.isFinal)) return cached;
    // While no changes are received, a count that began before one can't be told from one that began after.
    const state = feed.isLive() ? stampOf(wanted.model.key) : `alone ${++lonely}`;
    const key = `${isExact} ${state} ${wanted.key}`;
    return running.run(key, signal, (abandoned) => measure(wanted, isExact, abandoned));
  };

  /** Counts whole small models in one statement and caches what it finds. */
  const countTogether = async (views: readonly ModelView[], reader: Reader) => {
    const { add, values } = createParameters();
    const stamps = views.map(({ model }) => stampOf(model.key));
    const counts = views.map((view) => {
      const where = whereSql(view, EVERYTHING, reader, add);
      return `(${boundedCountSql({ model: view.model, where }, COUNTED_MAX)})`;
    });
    const row = await queries.inSlot(
      () => selectWithin(pool, COUNT_EACH_LIMIT_MS * patience, `SELECT ${counts.join(", ")}`, values),
      undefined,
    );
    for (const [index, view] of views.entries()) {
      const count = Number(row?.[index] ?? Number.NaN);
      const total = { count, isEstimate: false };
      if (count <= COUNTED_MAX)
        remember(toWanted(view, EVERYTHING, reader), total, stamps[index] ?? "", false);
    }
  };

  return {
    get: async (view, scope, reader, options) =>
      get(toWanted(view, scope, reader), options ?? { isExact: false }),
    async getEach(views, reader) {
      const wanted = views.map((view) => toWanted(view, EVERYTHING, reader));
      const unknown = wanted.filter((one) => !find(one)).map((one) => one.view);
      if (unknown.length > 1 && feed.isLive()) await countTogether(unknown, reader);
      return Promise.all(wanted.map((one) => get(one, { isExact: false })));
    },
    findExact(view, scope, reader) {
      const cached = find(toWanted(view, scope, reader));
      return cached && !cached.isEstimate ? cached.count : undefined;
    },
  };
}
