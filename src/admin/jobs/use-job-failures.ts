import { useCustom } from "@refinedev/core";
import { type JobFailure, jobFailuresAnswer } from "#contract/bulk.ts";
import { JOBS_API } from "./use-jobs.ts";

interface Reason {
  message: string;
  count: number;
}

/** How often each reason is among some rows, the most frequent first. */
export function countReasons(failures: readonly JobFailure[]): readonly Reason[] {
  const counts = new Map<string, number>();
  for (const { message } of failures) counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts].map(([message, count]) => ({ message, count })).sort((a, b) => b.count - a.count);
}

/** The first hundred rows that a job left alone; asked for once somebody wants to know. */
export function useJobFailures(id: string, isAsked: boolean) {
  const { query } = useCustom({
    url: `${JOBS_API}${id}/failures/`,
    method: "get",
    queryOptions: {
      enabled: isAsked,
      staleTime: 0,
      select: ({ data }) => ({ data: jobFailuresAnswer.parse(data) }),
    },
    errorNotification: false,
  });
  return { query, answer: jobFailuresAnswer.safeParse(query.data?.data).data };
}
