import type { HealthAnswer } from "#contract/health.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type ResponseTimes, toMedian, toTrend } from "./sampler.ts";
import {
  type HistoryPoint,
  selectDatabaseVersion,
  selectHistory,
  selectHourMeans,
  selectMinutes,
  selectResponseTimes,
} from "./store.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const AVAILABILITY_MS = 30 * DAY_MS;
/** Minutes of records without which availability says nothing. */
const AVAILABILITY_MIN = 60;
const RESPONSE_TIME_MS = 5 * 60 * 1000;
/** 288 points a day. */
const HISTORY_STEP_S = 300;

/** What the samples say of the time until now, and which database holds them. */
export interface Records {
  responseTime: number | null;
  trends: Pick<HealthAnswer, "response_time_trend" | "memory_trend" | "disk_trend">;
  availability: number | null;
  history: HistoryPoint[];
  databaseVersion?: string;
}

export const NO_RECORDS: Records = {
  responseTime: null,
  trends: { response_time_trend: null, memory_trend: null, disk_trend: null },
  availability: null,
  history: [],
};

/** Share of the recorded minutes of the last 30 days in which the site ran, 0 to 1; null with less than an hour of records. */
export async function readAvailability(db: Queryable, until: Date): Promise<number | null> {
  const minutes = await selectMinutes(db, { since: new Date(until.getTime() - AVAILABILITY_MS), until });
  return minutes.all < AVAILABILITY_MIN ? null : Math.min(1, minutes.up / minutes.all);
}

/** `times`: those since the last sample, which count too. @throws what the database says */
export async function readRecords(
  db: Queryable,
  times: Pick<ResponseTimes, "peek">,
  at: Date,
): Promise<Records> {
  const since = (ms: number) => new Date(at.getTime() - ms);
  const [[last, before], recent, availability, history, databaseVersion] = await Promise.all([
    selectHourMeans(db, at),
    selectResponseTimes(db, since(RESPONSE_TIME_MS)),
    readAvailability(db, at),
    selectHistory(db, since(DAY_MS), HISTORY_STEP_S),
    selectDatabaseVersion(db),
  ]);
  const current = times.peek().medianMs;
  const trend = (name: "memoryBytes" | "diskShare") =>
    toTrend({ mean: last[name], count: last.count }, { mean: before[name], count: before.count });
  return {
    responseTime: toMedian(Float64Array.from(current === null ? recent : [...recent, current]).sort()),
    trends: {
      response_time_trend: toTrend(
        { mean: last.responseTimeMs, count: last.responseCount },
        { mean: before.responseTimeMs, count: before.responseCount },
      ),
      memory_trend: trend("memoryBytes"),
      disk_trend: trend("diskShare"),
    },
    availability,
    history,
    databaseVersion,
  };
}
