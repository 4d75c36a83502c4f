import { expect, test } from "@jest/globals";
import { runLanes } from "./run-lanes.mjs";

function makeStep(name, { fails = false, ...more } = {}) {
  const step = {
    name,
    wasRun: false,
    run: async () => {
      step.wasRun = true;
      if (fails) throw new Error(`${name} fails`);
    },
    ...more,
  };
  return step;
}

const toNames = (results) => results.map(({ name, hasFailed }) => (hasFailed ? `${name}!` : name)).sort();

test("every step is run although some fail", async () => {
  const lanes = [[makeStep("lint", { fails: true }), makeStep("types")], [makeStep("build")]];
  expect(toNames(await runLanes(lanes, { isAll: true }))).toEqual(["build", "lint!", "types"]);
});

test("without `isAll` nothing begins after a failure", async () => {
  const types = makeStep("types");
  expect(toNames(await runLanes([[makeStep("lint", { fails: true }), types]], { isAll: false }))).toEqual([
    "lint!",
  ]);
  expect(types.wasRun).toBe(false);
});

test("what needs a step that failed is not tried, the other lane goes on", async () => {
  const browser = makeStep("browser");
  const lanes = [
    [makeStep("build", { fails: true, isNeeded: true }), browser],
    [makeStep("lint"), makeStep("types")],
  ];
  expect(toNames(await runLanes(lanes, { isAll: true }))).toEqual(["build!", "lint", "types"]);
  expect(browser.wasRun).toBe(false);
});
