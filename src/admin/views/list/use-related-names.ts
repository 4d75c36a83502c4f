import { useList } from "@refinedev/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ModelRecord } from "#contract/models.ts";
import { toCrudFilter } from "#providers/data.ts";
import { objectsResource } from "#resources/objects.ts";

/** Filters name at most so many related rows; the rest keep their numbers. */
const NAMES_MAX = 100;

/** What people call some rows of a model, by id: an address holds the ids alone. What can't be told is absent. */
export function useRelatedNames(
  relatedModel: number | null,
  ids: readonly number[],
): ReadonlyMap<number, string> {
  const asked = ids.slice(0, NAMES_MAX);
  const { result } = useList<ModelRecord>({
    resource: objectsResource(relatedModel ?? 0),
    pagination: { currentPage: 1, pageSize: NAMES_MAX },
    filters: [toCrudFilter({ field: "id", operator: "in", value: asked.join(",") })],
    queryOptions: { enabled: relatedModel !== null && asked.length > 0, placeholderData: keepPreviousData },
    errorNotification: false,
  });
  return useMemo(() => new Map(result.data.map(({ id, repr }) => [id, repr])), [result.data]);
}
