import { expect, test } from "@jest/globals";
import { HOLD_MS, SpeakingGate, toLevelPercent, toRms, toStopPercent } from "./level.ts";

const toSamples = (amplitude: number) =>
  Float32Array.from({ length: 256 }, (_, index) => amplitude * Math.sin(index / 3));
const toAmplitude = (dbfs: number) => 10 ** (dbfs / 20);

test.each([
  [-80, 0],
  [-60, 0],
  [-55, 10],
  [-35, 50],
  [-14, 92],
  [0, 100],
])("a level of %d dBFS is %d %% of the scale", (dbfs, percent) => {
  expect(toLevelPercent(toAmplitude(dbfs))).toBe(percent);
});

test("silence has the level 0, and a louder tone has a higher one", () => {
  expect(toLevelPercent(toRms(toSamples(0)))).toBe(0);
  expect(toLevelPercent(toRms(toSamples(0.5)))).toBeGreaterThan(toLevelPercent(toRms(toSamples(0.05))));
});

test("the stop level of the default is the documented 15", () => {
  expect(toStopPercent(25)).toBe(15);
});

test("a gate opens at the start level and closes when it was quiet for the hold", () => {
  const gate = new SpeakingGate();
  const take = (percent: number, at: number) => [gate.take(percent, 25, at), gate.isOpen];
  expect(take(24, 0)).toEqual([false, false]);
  expect(take(25, 20)).toEqual([true, true]);
  expect(take(16, 40)).toEqual([false, true]);
  expect(take(10, 60)).toEqual([false, true]);
  expect(take(10, 60 + HOLD_MS - 1)).toEqual([false, true]);
  expect(take(10, 60 + HOLD_MS)).toEqual([true, false]);
});

test("a word in a pause keeps it open", () => {
  const gate = new SpeakingGate();
  gate.take(50, 25, 0);
  gate.take(0, 25, 10);
  gate.take(20, 25, HOLD_MS);
  expect(gate.take(0, 25, HOLD_MS + 20)).toBe(false);
  expect(gate.isOpen).toBe(true);
});
