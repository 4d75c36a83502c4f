import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useContext, useState } from "react";
import type { ModelRecord } from "#contract/models.ts";
import type { Rows } from "#providers/endpoint.ts";
import { objectsResource } from "#resources/objects.ts";
import { useDebounced } from "../../../parts/use-debounced.ts";
import { ProvidersContext } from "../../../providers-context.ts";

const OPTIONS_PER_REQUEST = 20;
const SEARCH_DELAY_MS = 250;
const STALE_MS = 120_000;

/** Rows of another model to choose from. */
export function useRelatedOptions(relatedModel: number) {
  return useResourceOptions(objectsResource(relatedModel));
}

/** Rows of a resource to choose from, while a list of them is open: 20 at a time, whatever the table holds. */
export function useResourceOptions(resource: string) {
  const { dataProvider } = useContext(ProvidersContext);
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const settledSearch = useDebounced(search, SEARCH_DELAY_MS);
  const query = useInfiniteQuery({
    queryKey: ["data", "default", resource, "list", "options", settledSearch],
    queryFn: ({ pageParam, signal }): Promise<Rows> =>
      dataProvider.getList<ModelRecord>({
        resource,
        pagination: { currentPage: pageParam, pageSize: OPTIONS_PER_REQUEST },
        // An outdated search is aborted.
        meta: { search: settledSearch, signal },
      }),
    initialPageParam: 1,
    getNextPageParam: ({ data, total, isEstimate }, pages) => {
      const isFull = data.length === OPTIONS_PER_REQUEST;
      return isFull && (isEstimate || total > pages.length * OPTIONS_PER_REQUEST)
        ? pages.length + 1
        : undefined;
    },
    enabled: isOpen,
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  });
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  // Rows that were made meanwhile push others onto the next page a second time.
  const unique = new Map(rows.map(({ id, repr }) => [Number(id), String(repr)]));
  return {
    options: [...unique].map(([value, label]) => ({ value, label })),
    hasMore: query.hasNextPage,
    isFetching: query.isFetching,
    isError: query.isError,
    loadMore: () => void (query.hasNextPage && !query.isFetching && query.fetchNextPage()),
    isOpen,
    setOpen,
    search: settledSearch,
    setSearch,
  };
}
