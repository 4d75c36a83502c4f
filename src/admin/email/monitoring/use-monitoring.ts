import { useCustom } from "@refinedev/core";
import { useCallback } from "react";
import { useSearchParams } from "react-router";
import * as z from "zod/mini";
import { DEFAULT_RANGE_DAYS, RANGE_DAYS } from "#contract/content/lists.ts";
import {
  type MailSeriesAnswer,
  type MailStats,
  mailSeriesAnswer,
  mailStats,
  type RecentDelivery,
  recentDeliveries,
} from "#contract/mail/statistics.ts";
import { isDataError } from "#providers/refine/data-error.ts";

/** What no event reports, such as mails that have become older than the period; the library pauses while nobody sees the page. */
const REFRESH_MS = 60_000;
const HTTP_NOT_FOUND = 404;

/** A back end that doesn't have this call; what it would show is left out. */
export function isAbsent(error: unknown): boolean {
  return isDataError(error) && error.statusCode === HTTP_NOT_FOUND;
}

const PERIODS: readonly number[] = RANGE_DAYS;

/** The period of the address, and how to change it. One that is none counts as the usual one. */
export function usePeriod(): [days: number, change: (days: number) => void] {
  const [params, setParams] = useSearchParams();
  const days = PERIODS.find((period) => String(period) === params.get("days")) ?? DEFAULT_RANGE_DAYS;
  const change = useCallback(
    (next: number) =>
      setParams((before) => {
        const after = new URLSearchParams(before);
        if (next === DEFAULT_RANGE_DAYS) after.delete("days");
        else after.set("days", String(next));
        return after;
      }),
    [setParams],
  );
  return [days, change];
}

/** The eight documented fields stand in `data`. */
const statsAnswer = z.object({ data: mailStats });
/** The dashboard's answer, alone or in an envelope as the other documented ones. */
const activityAnswer = z.union([recentDeliveries, z.object({ data: recentDeliveries })]);

export function useMailStats(days: number) {
  const { query } = useCustom<MailStats>({
    url: "/api/mail/stats/",
    method: "get",
    config: { query: { days } },
    queryOptions: {
      refetchInterval: REFRESH_MS,
      select: ({ data }) => ({ data: statsAnswer.parse(data).data }),
    },
    errorNotification: false,
  });
  return { query, stats: query.data?.data };
}

export function useMailSeries(days: number) {
  const { query } = useCustom<MailSeriesAnswer>({
    url: "/api/mail/stats/series/",
    method: "get",
    config: { query: { days } },
    queryOptions: {
      refetchInterval: REFRESH_MS,
      select: ({ data }) => ({ data: mailSeriesAnswer.parse(data) }),
    },
    errorNotification: false,
  });
  return { query, series: query.data?.data };
}

/** The latest mails, newest first. The page and the details over it ask once for both. */
export function useRecentMails() {
  const { query } = useCustom<RecentDelivery[]>({
    url: "/api/mail/dashboard/",
    method: "get",
    queryOptions: {
      refetchInterval: REFRESH_MS,
      select: ({ data }) => {
        const answer = activityAnswer.parse(data);
        const { recent_activity } = "data" in answer ? answer.data : answer;
        return { data: recent_activity.deliveries };
      },
    },
    errorNotification: false,
  });
  return { query, mails: query.data?.data };
}
