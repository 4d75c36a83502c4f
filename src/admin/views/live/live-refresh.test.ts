import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { createLiveRefresh, REFRESH_INTERVAL_MS, RETRY_AFTER_MS } from "./live-refresh.ts";

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["queueMicrotask", "nextTick"] });
});
afterEach(() => {
  jest.useRealTimers();
});

function setUp(tookMs = 20) {
  const state = { isHeldBack: false, started: [] as number[] };
  const begin = Date.now();
  const refresh = createLiveRefresh({
    refresh() {
      state.started.push(Date.now() - begin);
      return new Promise((resolve) => setTimeout(resolve, tookMs));
    },
    isHeldBack: () => state.isHeldBack,
  });
  return { refresh, state };
}

test("the first write refreshes at once, a hundred more in the next second do once", async () => {
  const { refresh, state } = setUp();
  for (let n = 0; n < 100; n += 1) {
    refresh.notice();
    await jest.advanceTimersByTimeAsync(10);
  }
  await jest.advanceTimersByTimeAsync(10_000);
  expect(state.started).toEqual([0, REFRESH_INTERVAL_MS]);
});

test("a list that takes longer than a second is let through before it is asked for again", async () => {
  const { refresh, state } = setUp(3000);
  refresh.notice();
  await jest.advanceTimersByTimeAsync(500);
  refresh.notice();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(state.started).toEqual([0, 3000]);
});

test("what was held back is made up for, once", async () => {
  const { refresh, state } = setUp();
  state.isHeldBack = true;
  refresh.notice();
  refresh.notice();
  refresh.retry();
  expect(state.started).toEqual([]);
  state.isHeldBack = false;
  refresh.retry();
  refresh.retry();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(state.started).toHaveLength(1);
});

test("what somebody else fetches meanwhile is not fetched again, unless more is noticed before it is there", async () => {
  const { refresh, state } = setUp();
  state.isHeldBack = true;
  refresh.notice();
  refresh.begin();
  state.isHeldBack = false;
  refresh.end(false);
  expect(state.started).toEqual([]);
  state.isHeldBack = true;
  refresh.begin();
  refresh.notice();
  state.isHeldBack = false;
  refresh.end(false);
  expect(state.started).toHaveLength(1);
});

test("what a failed fetch was to bring is asked for again after ten seconds, until it is there", async () => {
  const { refresh, state } = setUp();
  refresh.notice();
  refresh.begin();
  refresh.end(true);
  await jest.advanceTimersByTimeAsync(RETRY_AFTER_MS + 10);
  refresh.end(true);
  await jest.advanceTimersByTimeAsync(RETRY_AFTER_MS);
  refresh.end(false);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(state.started).toEqual([0, RETRY_AFTER_MS, 2 * RETRY_AFTER_MS + 10]);
});

test("a failed list that is gone is not asked for again", async () => {
  const { refresh, state } = setUp();
  refresh.end(true);
  refresh.close();
  refresh.end(true);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(state.started).toEqual([]);
});

test("a list that is gone is not asked for again", async () => {
  const { refresh, state } = setUp();
  refresh.notice();
  refresh.notice();
  refresh.close();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(state.started).toEqual([0]);
});
