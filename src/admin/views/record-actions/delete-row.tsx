import { useCustom } from "@refinedev/core";
import { dependentsAnswer, type ModelRecord } from "#contract/models.ts";
import { toDependentsPath } from "#providers/data.ts";
import { objectsResource } from "#resources/objects.ts";
import type { RecordSource } from "#resources/record-source.ts";

/** What a deletion would take along, as the server counts it now. */
export function useDependents(model: RecordSource, record: ModelRecord) {
  const { query } = useCustom({
    url: toDependentsPath(objectsResource(model.content_type_id), record.id),
    method: "get",
    queryOptions: {
      staleTime: 0,
      gcTime: 0,
      // A kind of records without a model of its own can't be asked about.
      enabled: model.content_type_id > 0,
      select: ({ data }) => ({ data: dependentsAnswer.parse(data) }),
    },
    errorNotification: false,
  });
  return { query, answer: dependentsAnswer.safeParse(query.data?.data).data };
}

export type DependentsQuery = ReturnType<typeof useDependents>;
