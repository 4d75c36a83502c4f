import { useList } from "@refinedev/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ModelRecord } from "#contract/models.ts";
import { toCrudFilter, toCrudSort } from "#providers/data.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { isRefusal } from "../../query-client.ts";
import type { ListView } from "./list-view.ts";
import type { ChangeView } from "./use-list-view.ts";

/** Lifetime of object lists (specification B section 9). */
const ROWS_STALE_MS = 120_000;

/**
 * The rows of a view. While the next ones are on their way the last ones of the same model stay; callers mount anew for each
 * model, so that rows of another one never show. A page beyond the end leads back to the last one.
 */
export function useRows(model: RecordSource, view: ListView, changeView: ChangeView, isEnabled = true) {
  const { query, result } = useList<ModelRecord>({
    resource: model.resource,
    pagination: { currentPage: view.page, pageSize: view.pageSize },
    filters: view.filters.map(toCrudFilter),
    sorters: view.sorts.map(toCrudSort),
    meta: { search: view.search },
    queryOptions: { enabled: isEnabled, placeholderData: keepPreviousData, staleTime: ROWS_STALE_MS },
    errorNotification: false,
  });
  const total = result.total ?? 0;
  const lastPage = Math.max(1, Math.ceil(total / view.pageSize));
  const isBeyond =
    query.isSuccess && !query.isPlaceholderData && view.page > lastPage && result.data.length === 0;
  useEffect(() => {
    if (isBeyond) changeView({ page: lastPage }, { replace: true });
  }, [isBeyond, lastPage, changeView]);
  const isEstimate = query.data?.isEstimate === true;
  // A right that was lost while the rows were on the screen: they may not be read any more, nor live on.
  const isRefused = query.isError && isRefusal(query.error);
  return { query, rows: result.data, total, isEstimate, isRefused };
}

export type Rows = ReturnType<typeof useRows>;
