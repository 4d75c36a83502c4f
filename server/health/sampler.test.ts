import { expect, test } from "@jest/globals";
import { createResponseTimes } from "./sampler.ts";

test("without a request there is no median", () => {
  expect(createResponseTimes().take()).toEqual({ count: 0, medianMs: null });
});

test.each([
  [[5], 5],
  [[9, 1, 5], 5],
  [[9, 1, 5, 7], 6],
])("the median of %j is %d", (given, median) => {
  const times = createResponseTimes();
  for (const ms of given) times.record(ms);
  expect(times.peek()).toEqual({ count: given.length, medianMs: median });
});

test("what was taken is not given again", () => {
  const times = createResponseTimes();
  times.record(5);
  times.take();
  expect(times.peek()).toEqual({ count: 0, medianMs: null });
});

test("of many requests late ones count as much as early ones", () => {
  let seed = 1;
  const times = createResponseTimes(() => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  });
  for (let ms = 1; ms <= 100_000; ms++) times.record(ms);
  const { count, medianMs } = times.take();
  expect(count).toBe(100_000);
  expect(Math.abs((medianMs ?? 0) - 50_000)).toBeLessThan(8_000);
});
