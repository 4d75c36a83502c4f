import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { createLiveRefresh, REFRESH_INTERVAL_MS } from "./live-refresh.ts";

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

test("what somebody else has fetched meanwhile is not fetched again", async () => {
  const { refresh, state } = setUp();
  state.isHeldBack = true;
  refresh.notice();
  refresh.forget();
  state.isHeldBack = false;
  refresh.retry();
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
