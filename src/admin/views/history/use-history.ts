import { useInfiniteQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { historyAnswer } from "#contract/content/objects.ts";
import { ADMIN_API } from "#providers/refine/endpoints.ts";
import { objectsResource, type RecordSource } from "#resources/record-source.ts";
import { ProvidersContext } from "../../services.ts";

/** Beside the record's own queries, so that what is forgotten of the model is forgotten of this too. */
export function historyKey(resource: string, id: number) {
  return ["data", "default", resource, "history", id] as const;
}

/** The log knows objects by their content type; kinds of records without one have no history of their own. */
export function hasHistory(source: RecordSource): boolean {
  return source.content_type_id > 0;
}

/** What was done with one object, newest first, page by page into the past. */
export function useHistory(source: RecordSource, id: number) {
  const { dataProvider } = useContext(ProvidersContext);
  const path = `${ADMIN_API}/${objectsResource(source.content_type_id)}/${id}/history/`;
  const query = useInfiniteQuery({
    queryKey: historyKey(source.resource, id),
    async queryFn({ pageParam }) {
      const url = pageParam === null ? path : `${path}?before=${pageParam}`;
      const answer = await dataProvider.custom?.({ url, method: "get" });
      return historyAnswer.parse(answer?.data);
    },
    // The type of a first page and of the later ones.
    initialPageParam: null as number | null,
    getNextPageParam: ({ next_before }) => next_before,
    staleTime: 0,
  });
  return { query, entries: query.data?.pages.flatMap((page) => page.entries) ?? [] };
}
