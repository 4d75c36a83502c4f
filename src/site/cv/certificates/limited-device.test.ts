import { expect, test } from "@jest/globals";
import { isLimitedDevice } from "./limited-device.ts";

test.each([
  ["2 GB of memory", { deviceMemory: 2 }, true, true],
  ["4 GB of memory", { deviceMemory: 4 }, true, false],
  ["a wish to save data", { deviceMemory: 8, connection: { saveData: true } }, true, true],
  ["no such wish", { connection: { saveData: false } }, true, false],
  ["no workers", { deviceMemory: 8 }, false, true],
  ["no hints at all", {}, true, false],
])("a device with %s", (_what, hints, hasWorkers, isLimited) => {
  expect(isLimitedDevice(hints, hasWorkers)).toBe(isLimited);
});
