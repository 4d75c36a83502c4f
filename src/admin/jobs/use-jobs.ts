import { useDataProvider } from "@refinedev/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { type Job, job as jobSchema, jobsAnswer } from "#contract/content/bulk.ts";
import { createSafeStorage } from "#providers/browser-storage.ts";
import { isDataError } from "#providers/refine/data-error.ts";
import { ADMIN_API } from "#providers/refine/endpoints.ts";
import { getNextJob, type JobsState, startState, toPauseMs, withJob } from "./job-state.ts";

/** Set while a job that this browser knows of is under way, so that the next page asks for it at once. */
const RUNNING_KEY = "admin_jobs_running";
const storage = createSafeStorage();

function wasRunning(): boolean {
  return storage.getItem(RUNNING_KEY) !== null;
}

export function rememberRunning(isRunning: boolean): void {
  if (isRunning) storage.setItem(RUNNING_KEY, "1");
  else storage.removeItem(RUNNING_KEY);
}

export const JOBS_API = `${ADMIN_API}/jobs/`;
/** In the reader's language: the server writes each job's message. */
const toKey = (lang: string) => ["jobs", lang];
const WATCHED_KEY = ["jobs-watched"];

/**
 * Whether this page asks for jobs at all. A list opens with as few requests as it can: only who has begun a job in this
 * browser, or opens a screen that speaks of jobs, needs to know of them.
 */
function useIsWatched(): boolean {
  const { data } = useQuery({
    queryKey: WATCHED_KEY,
    queryFn: wasRunning,
    initialData: wasRunning,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

/** One request: the list first, then the jobs that run, one at a time. */
function useFetchJobs(key: readonly string[]) {
  const client = useQueryClient();
  const getDataProvider = useDataProvider();
  const get = async (url: string): Promise<unknown> => {
    const answer = await getDataProvider().custom?.({ url, method: "get" });
    return answer?.data;
  };
  const fetchList = async () => startState(jobsAnswer.parse(await get(JOBS_API)).jobs);

  return async (): Promise<JobsState> => {
    const known = client.getQueryData<JobsState>(key);
    const next = known && getNextJob(known);
    if (!known || !next) return fetchList();
    try {
      return withJob(known, jobSchema.parse(await get(`${JOBS_API}${next.id}/`)));
    } catch (error) {
      // Taken away meanwhile: the list says what is left.
      if (isDataError(error) && error.statusCode === 404) return fetchList();
      throw error;
    }
  };
}

/** The jobs of the signed-in person, newest first; of superusers everybody's. `isPolled`: one part of the page keeps them fresh. */
export function useJobs({ isPolled = false } = {}) {
  const { i18n } = useTranslation();
  const isWatched = useIsWatched();
  const key = toKey(i18n.language);
  const queryFn = useFetchJobs(key);
  const query = useQuery({
    queryKey: key,
    queryFn: async () => {
      const state = await queryFn();
      rememberRunning(toPauseMs(state) !== false);
      return state;
    },
    enabled: isWatched,
    // A screen that opens shows what is known; the poll brings what is new.
    staleTime: 1000,
    // Stops by itself while the page is hidden.
    refetchInterval: isPolled ? ({ state }) => toPauseMs(state.data) : false,
  });
  return { query, jobs: query.data?.jobs ?? [], isWatched };
}

/** Begins to ask for jobs, and takes over what a call said of one. */
export function useJobsCache() {
  const client = useQueryClient();
  const { i18n } = useTranslation();
  const { language } = i18n;
  const watch = useCallback(() => {
    client.setQueryData(WATCHED_KEY, true);
  }, [client]);
  const put = useCallback(
    (job: Job) => {
      rememberRunning(true);
      client.setQueryData<JobsState>(toKey(language), (known) =>
        known ? { ...withJob(known, job), quiet: 0 } : undefined,
      );
      watch();
    },
    [client, language, watch],
  );
  return { watch, put };
}
