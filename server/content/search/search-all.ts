import { ADMIN_LIMITS, type SearchAnswer } from "#contract/content/lists.ts";
import { type Caller, toReader } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { AbortableQueries } from "#server/db/abortable-queries.ts";
import { isFoldedAway, isSearchReady } from "#server/models/filter-sql.ts";
import type { Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { isAllowed, toView } from "../records/access.ts";
import { bigTablesSql, type Searched, searchAllSql } from "./search-all-sql.ts";

const RESULTS_MAX = 20;
/** A person who types waits no longer; what a slow model would have said is left out. */
const LIMIT_MS = 1_000;
/** A model with more rows is searched by itself, and only through its index. */
const SMALL_ROWS_MAX = 50_000;
/** Trigrams have three letters: the index finds nothing shorter. */
const INDEXED_MIN_CHARS = 3;

interface Found {
  contentTypeId: number;
  id: number;
  repr: string;
  fit: number;
}

function parseText(text: string): string {
  const search = text.trim();
  if (search.length > ADMIN_LIMITS.searchMaxChars || search.includes("\0"))
    throw new AppError("invalid_query", { vars: { parameter: "search" } });
  return isFoldedAway(search) ? "" : search;
}

/** What the index can't serve is left out of big models. */
function isWithinIndex(model: Model, search: string): boolean {
  return [...search].length >= INDEXED_MIN_CHARS && isSearchReady(model);
}

/** Rows whose names don't hold what is searched would be called by something else: every entry of the log "Changed". */
const isNamedBySearch = ({ searchFields, titleField }: Model) => searchFields.includes(titleField);

/** Small models are one statement; a big one has its own, so that its slowness is its own too. */
function toGroups(models: readonly Searched[]): Searched[][] {
  const small = models.filter(({ isBig }) => !isBig);
  const big = models.filter(({ isBig }) => isBig).map((searched) => [searched]);
  return small.length > 0 ? [small, ...big] : big;
}

/** A few records of every model that the caller may view and whose names are searched, by the same search and row rules as the model's list. */
export function createSearchAll(deps: {
  queries: Pick<AbortableQueries, "selectRows">;
  registry: Registry;
  patience: number;
}): (text: string, caller: Caller) => Promise<SearchAnswer> {
  const { queries, registry, patience } = deps;

  async function toSearched(models: readonly Model[], { actor, signal }: Caller): Promise<Searched[]> {
    const rows = await queries.selectRows(bigTablesSql(models, SMALL_ROWS_MAX), signal);
    const bigTables = new Set(rows.map(([table]) => table));
    return models.map((model) => ({
      view: toView(model, actor.level),
      isBig: model.isLarge || bigTables.has(model.table),
    }));
  }

  /** @returns undefined where it took too long. @throws where the caller has gone. */
  async function searchGroup(group: readonly Searched[], search: string, caller: Caller) {
    const limit = AbortSignal.timeout(LIMIT_MS * patience);
    const signal = caller.signal ? AbortSignal.any([limit, caller.signal]) : limit;
    try {
      const rows = await queries.selectRows(searchAllSql(group, search, toReader(caller)), signal);
      return rows.map(
        ([type, id, repr, fit]): Found => ({
          contentTypeId: Number(type),
          id: Number(id),
          repr: String(repr),
          fit: Number(fit),
        }),
      );
    } catch (error) {
      if (limit.aborted && !caller.signal?.aborted) return undefined;
      throw error;
    }
  }

  return async (text, caller) => {
    const search = parseText(text);
    const models = registry.models.filter(
      (model) => isNamedBySearch(model) && isAllowed(model, "view", caller.actor.level),
    );
    if (search === "" || models.length === 0) return { results: [], is_complete: true };
    const all = await toSearched(models, caller);
    const searched = all.filter(({ view, isBig }) => !isBig || isWithinIndex(view.model, search));
    const groups = await Promise.all(toGroups(searched).map((group) => searchGroup(group, search, caller)));
    // Stable: of those that fit alike, the small models come first, each in its own order.
    const found = groups.flatMap((rows) => rows ?? []).sort((a, b) => a.fit - b.fit);
    return {
      results: found.slice(0, RESULTS_MAX).map(({ contentTypeId, id, repr }) => ({
        content_type_id: contentTypeId,
        verbose_name: registry.byContentTypeId.get(contentTypeId)?.labels[caller.lang] ?? "",
        id,
        repr,
      })),
      is_complete: searched.length === all.length && groups.every((rows) => rows !== undefined),
    };
  };
}
