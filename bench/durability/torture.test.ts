import { expect, test } from "@jest/globals";
import { runTorture } from "./torture.ts";

test("kill -9 during writes loses nothing, breaks nothing and leaves nothing running, time after time", async () => {
  const report = await runTorture(8);
  expect(report).toMatchObject({ lost: [], failedStarts: [], faults: [], orphans: [] });
  expect(report.acknowledgedRows).toBeGreaterThan(0);
  expect(report.recoveries).toBeGreaterThan(0);
});
