import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { watchProgress } from "./progress.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test("what moves may take as long as it likes; what stands still for the limit is ended with a reason", () => {
  const watch = watchProgress(120_000);
  for (let moves = 0; moves < 10; moves++) {
    jest.advanceTimersByTime(119_999);
    watch.moved();
  }
  jest.advanceTimersByTime(119_999);
  expect(watch.signal.aborted).toBe(false);
  jest.advanceTimersByTime(1);
  expect(watch.signal.reason).toMatchObject({ message: expect.stringContaining("for 2 minutes") });
});

test("what is over is ended no more", () => {
  const watch = watchProgress(30_000);
  watch.close();
  jest.advanceTimersByTime(60_000);
  expect(watch.signal.aborted).toBe(false);
});
