import { useList } from "@refinedev/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import type { ModelRecord } from "#contract/models.ts";
import { objectsResource } from "#resources/objects.ts";
import { useDebounced } from "../../../parts/use-debounced.ts";

const OPTIONS_PER_REQUEST = 20;
const SEARCH_DELAY_MS = 250;

/** Rows of another model to choose from, while a list of them is open: never more than 20, whatever the table holds. */
export function useRelatedOptions(relatedModel: number) {
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const settledSearch = useDebounced(search, SEARCH_DELAY_MS);
  const { query, result } = useList<ModelRecord>({
    resource: objectsResource(relatedModel),
    pagination: { currentPage: 1, pageSize: OPTIONS_PER_REQUEST },
    meta: { search: settledSearch },
    queryOptions: { enabled: isOpen, placeholderData: keepPreviousData },
    errorNotification: false,
  });
  return {
    options: result.data.map((row) => ({ value: row.id, label: row.repr })),
    hasMore: (result.total ?? 0) > result.data.length,
    isFetching: query.isFetching,
    isError: query.isError,
    setOpen,
    setSearch,
  };
}
