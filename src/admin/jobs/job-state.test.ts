import { expect, test } from "@jest/globals";
import type { Job } from "#contract/content/bulk.ts";
import { findEnded, getNextJob, startState, toPauseMs, withJob } from "./job-state.ts";

function buildJob(part: Partial<Job> = {}): Job {
  return {
    id: "a",
    operation: "update",
    content_type_id: 7,
    verbose_name: "Certificates",
    status: "running",
    total_count: 10,
    done_count: 1,
    affected_count: 1,
    skipped_count: 0,
    failed_count: 0,
    is_resumable: false,
    message: "",
    created_at: "2026-11-22T12:00:00Z",
    started_at: "2026-11-22T12:00:00Z",
    finished_at: null,
    user: null,
    ...part,
  };
}

test("nothing is asked for while nothing runs", () => {
  const state = startState([buildJob({ status: "done" })]);
  expect(getNextJob(state)).toBeUndefined();
  expect(toPauseMs(state)).toBe(false);
  expect(toPauseMs(undefined)).toBe(false);
});

test("jobs that run take turns, so that there is one request a second however many they are", () => {
  let state = startState([buildJob({ id: "a" }), buildJob({ id: "b", status: "queued" })]);
  const asked: (string | undefined)[] = [];
  for (let at = 0; at < 3; at += 1) {
    const next = getNextJob(state);
    asked.push(next?.id);
    if (next) state = withJob(state, { ...next, done_count: next.done_count + 1 });
  }
  expect(asked).toEqual(["a", "b", "a"]);
  expect(toPauseMs(state)).toBe(1000);
});

test("without news the pauses grow to a limit, and news shorten them again", () => {
  let state = startState([buildJob()]);
  const pauses: (number | false)[] = [];
  for (let at = 0; at < 6; at += 1) {
    state = withJob(state, buildJob());
    pauses.push(toPauseMs(state));
  }
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 8000, 8000]);
  expect(toPauseMs(withJob(state, buildJob({ done_count: 2 })))).toBe(1000);
});

test("a job that was begun is the first of the list; an old one keeps its place", () => {
  const state = withJob(startState([buildJob({ id: "b", status: "done" })]), buildJob());
  expect(state.jobs.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(withJob(state, buildJob({ id: "b" })).jobs.map(({ id }) => id)).toEqual(["a", "b"]);
});

test("a job has ended when it ran before and is over now", () => {
  const before = [buildJob(), buildJob({ id: "b", status: "done" })];
  const after = [buildJob({ status: "failed" }), buildJob({ id: "b", status: "done" })];
  expect(findEnded(before, after).map(({ id }) => id)).toEqual(["a"]);
});
