import { useDataProvider } from "@refinedev/core";
import { useMutation } from "@tanstack/react-query";
import { toCrudFilter } from "#providers/data.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { type ListView, toScopeKey, toWhere } from "../state/list-view.ts";
import { toAskedFilters } from "./rows/use-rows.ts";

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
export function useExactCount(model: RecordSource, view: ListView): ExactCount {
  const getProvider = useDataProvider();
  const key = toScopeKey(view);
  const { mutate, data, variables, isPending, error } = useMutation({
    async mutationFn({ asked }: { asked: ListView; key: string }) {
      const { total } = await getProvider().getList({
        resource: model.resource,
        pagination: { currentPage: 1, pageSize: 1 },
        filters: toAskedFilters(model, asked).map(toCrudFilter),
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
