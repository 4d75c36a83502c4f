import { expect, test } from "@jest/globals";
import { createWindowCounter, openMemoryCounters, takeSlot, takeSlots } from "./counters.ts";

const MINUTE_MS = 60_000;

function open(max: number) {
  const clock = { now: 0 };
  const openCounter = openMemoryCounters(() => clock.now);
  return { clock, counter: openCounter("test", { max, windowMs: MINUTE_MS }) };
}

test("a clock that went back makes nobody wait for longer than the window is, and forgets nothing", () => {
  const clock = { now: 45 * 24 * 3_600_000 };
  const counter = createWindowCounter({ max: 1, windowMs: MINUTE_MS }, () => clock.now);
  counter.add("a");
  clock.now = 0;
  expect(counter.getWaitS("a")).toBe(60);
  clock.now = MINUTE_MS;
  expect(counter.getWaitS("a")).toBe(0);
});

test("what is given back once its window is over leaves the next window's counts alone", async () => {
  const { clock, counter } = open(1);
  const giveBack = await takeSlot(counter, "a");
  clock.now += MINUTE_MS;
  await takeSlot(counter, "a");
  await giveBack();
  expect(await counter.getWaitS("a")).toBe(60);
});

test("a slot that is full is named, and the ones before it are given back", async () => {
  const [wide, narrow] = [open(5).counter, open(1).counter];
  const slots = [
    { counter: wide, key: "a" },
    { counter: narrow, key: "b" },
  ];
  const first = await takeSlots(slots);
  expect(first.isTaken).toBe(true);
  for (let count = 0; count < 10; count += 1)
    expect(await takeSlots(slots)).toEqual({ isTaken: false, slot: slots[1], waitS: 60 });
  if (first.isTaken) await first.giveBack();
  for (let count = 0; count < 5; count += 1) await takeSlot(wide, "a");
  await expect(takeSlot(wide, "a")).rejects.toMatchObject({ code: "too_many_requests", retryAfterS: 60 });
  await takeSlot(narrow, "b");
});
