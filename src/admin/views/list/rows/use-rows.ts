import { useDataProvider, useList } from "@refinedev/core";
import { keepPreviousData, useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import * as z from "zod/mini";
import type { ModelRecord, QueryFilter } from "#contract/content/models.ts";
import { toCrudFilter, toCrudSort } from "#providers/refine/data.ts";
import { isRefusal } from "#providers/refine/data-error.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useListLifetime } from "../../../cache/live-lists.ts";
import { type ListView, toScopeKey, toWhere } from "../../state/list-view.ts";
import type { ChangeView } from "../../state/use-list-view.ts";

/** What a list asks of the server: the view's own filters, and what its source adds to them. */
function toAskedFilters(source: RecordSource, view: ListView): readonly QueryFilter[] {
  return [...view.filters, ...(source.toAddedFilters?.(view) ?? [])];
}

export interface ExactCount {
  /** Undefined: nobody has asked for it yet, or the list has another query since. */
  total: number | undefined;
  isCounting: boolean;
  error: unknown;
  count: () => void;
}

/**
 * How many rows a list has, counted one by one: on request, because it takes seconds where there are millions. A call of its
 * own, so that the rows stay where they are and no live event counts again.
 */
export function useExactCount(source: RecordSource, view: ListView): ExactCount {
  const getProvider = useDataProvider();
  const key = toScopeKey(view);
  const { mutate, data, variables, isPending, error } = useMutation({
    async mutationFn({ asked }: { asked: ListView; key: string }) {
      const { total } = await getProvider().getList({
        resource: source.resource,
        pagination: { currentPage: 1, pageSize: 1 },
        filters: toAskedFilters(source, asked).map(toCrudFilter),
        meta: { search: asked.search, where: toWhere(asked.groups), count: "exact" },
      });
      return total;
    },
  });
  const isOurs = variables?.key === key;
  return {
    total: isOurs ? data : undefined,
    isCounting: isOurs && isPending,
    error: isOurs ? error : null,
    count: () => mutate({ asked: view, key }),
  };
}

/** What an answer says beside its rows; Refine hands it on as it came from the data provider. */
const answer = z.object({
  summary: z.optional(z.record(z.string(), z.number())),
  isFallback: z.optional(z.boolean()),
});

const toLastPage = (total: number, { pageSize }: ListView) => Math.max(1, Math.ceil(total / pageSize));

/** Where a list ends. An estimate may name pages that aren't there: whoever stands on one has the rows counted. */
function useEnd(
  source: RecordSource,
  view: ListView,
  { total, isEstimate, isEmptyPage }: { total: number; isEstimate: boolean; isEmptyPage: boolean },
) {
  const exact = useExactCount(source, view);
  const estimated = toLastPage(total, view);
  const isLost = isEmptyPage && isEstimate && view.page <= estimated;
  const isUnasked = isLost && exact.total === undefined && !exact.isCounting && exact.error === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, by whichever drawing sees it first
  useEffect(() => {
    if (isUnasked) exact.count();
  }, [isUnasked]);
  const lastPage = isLost && exact.total !== undefined ? toLastPage(exact.total, view) : estimated;
  return { lastPage, isSought: isUnasked || (isLost && exact.isCounting) };
}

/**
 * The rows of a view. While the next ones are on their way the last ones of the same model stay; callers mount anew for each
 * model, so that rows of another one never show. A page beyond the end leads back to the last one.
 */
export function useRows(source: RecordSource, view: ListView, changeView: ChangeView, isEnabled = true) {
  const staleTime = useListLifetime(source.topic);
  const { query, result } = useList<ModelRecord>({
    resource: source.resource,
    pagination: { currentPage: view.page, pageSize: view.pageSize },
    filters: toAskedFilters(source, view).map(toCrudFilter),
    sorters: view.sorts.map(toCrudSort),
    meta: { search: view.search, where: toWhere(view.groups) },
    queryOptions: { enabled: isEnabled, placeholderData: keepPreviousData, staleTime },
    errorNotification: false,
  });
  const total = result.total ?? 0;
  const isEstimate = query.data?.isEstimate === true;
  const { summary, isFallback } = answer.safeParse(query.data).data ?? {};
  const isEmptyPage =
    query.isSuccess && !query.isPlaceholderData && view.page > 1 && result.data.length === 0;
  const end = useEnd(source, view, { total, isEstimate, isEmptyPage });
  useEffect(() => {
    if (isEmptyPage && view.page > end.lastPage) changeView({ page: end.lastPage }, { replace: true });
  }, [isEmptyPage, view.page, end.lastPage, changeView]);
  // A right that was lost while the rows were on the screen: they may not be read any more, nor live on.
  const isRefused = query.isError && isRefusal(query.error);
  const isPending = query.isPending || end.isSought;
  return {
    query,
    rows: result.data,
    total,
    isEstimate,
    isRefused,
    isPending,
    /** Counts of all rows that the filters find; undefined where the answer has none. */
    summary,
    /** Rows of another answer, without ids of their own: they are read and nothing else. */
    isFallback: isFallback === true,
  };
}

export type Rows = ReturnType<typeof useRows>;
