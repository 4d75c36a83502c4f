import { useCustom } from "@refinedev/core";
import { type TimelineAnswer, timelineAnswer } from "#contract/mail-timeline.ts";
import { TIMELINE_API, TIMELINE_EMAIL } from "#resources/email-timeline.ts";
import { useMailRefresh } from "./use-mail-refresh.ts";

/** Everything that is known of the mails to an address, fetched anew whenever it is opened and when mail changes. */
export function useTimeline(email: string) {
  const { query } = useCustom<TimelineAnswer>({
    url: TIMELINE_API,
    method: "get",
    config: { query: { [TIMELINE_EMAIL]: email } },
    queryOptions: { staleTime: 0, select: ({ data }) => ({ data: timelineAnswer.parse(data) }) },
    errorNotification: false,
  });
  useMailRefresh(query.refetch);
  return { query, timeline: query.data?.data };
}
