import { useCustom, useCustomMutation } from "@refinedev/core";
import { useQueryClient } from "@tanstack/react-query";
import { SAMPLE_MODELS, sampleAnswer, sampleRemoval } from "#contract/sample.ts";
import { isDataError } from "#providers/data.ts";
import { useServices } from "../services.ts";

const SAMPLE_API = "/api/admin/sample/";

/** Whether the person may take all of the sample content away; nobody else asks for it. */
function useMayRemove(): boolean {
  const { permissions } = useServices();
  return SAMPLE_MODELS.every((model) => permissions.can("delete", model));
}

/** What is left of the sample content. Another back end with the same endpoints may have none of it: 404, and nothing is wrong. */
export function useSample() {
  const mayRemove = useMayRemove();
  const { query } = useCustom({
    url: SAMPLE_API,
    method: "get",
    queryOptions: {
      enabled: mayRemove,
      staleTime: 0,
      select: ({ data }) => ({ data: sampleAnswer.parse(data) }),
    },
    errorNotification: false,
  });
  const isMissing = isDataError(query.error) && [403, 404].includes(query.error.statusCode);
  return {
    models: mayRemove ? (sampleAnswer.safeParse(query.data?.data).data?.models ?? []) : [],
    error: isMissing ? null : query.error,
    retry: () => void query.refetch(),
  };
}

/** Removes it. Afterwards no list, count or figure of the console is what it was: all that is shown is fetched anew. */
export function useRemoveSample() {
  const queryClient = useQueryClient();
  const { mutateAsync, mutation } = useCustomMutation();
  return {
    isRemoving: mutation.isPending,
    async remove() {
      const { data } = await mutateAsync({
        url: `${SAMPLE_API}remove/`,
        method: "post",
        values: {},
        successNotification: false,
        errorNotification: false,
      });
      void queryClient.invalidateQueries();
      return sampleRemoval.parse(data);
    },
  };
}
