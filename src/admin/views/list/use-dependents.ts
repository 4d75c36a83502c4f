import { useCustom } from "@refinedev/core";
import { dependentsAnswer, type ModelInfo, type ModelRecord } from "#contract/models.ts";
import { toDependentsPath } from "#providers/data.ts";
import { objectsResource } from "#resources/objects.ts";

/** What a deletion would take along, as the server counts it now. */
export function useDependents(model: ModelInfo, record: ModelRecord) {
  const { query } = useCustom({
    url: toDependentsPath(objectsResource(model.content_type_id), record.id),
    method: "get",
    queryOptions: {
      staleTime: 0,
      gcTime: 0,
      select: ({ data }) => ({ data: dependentsAnswer.parse(data) }),
    },
    errorNotification: false,
  });
  return { query, answer: dependentsAnswer.safeParse(query.data?.data).data };
}

export type DependentsQuery = ReturnType<typeof useDependents>;
