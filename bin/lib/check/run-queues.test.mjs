import { expect, test } from "@jest/globals";
import { runQueues } from "./run-queues.mjs";

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
  const queues = [[makeStep("lint", { fails: true }), makeStep("types")], [makeStep("build")]];
  expect(toNames(await runQueues(queues, { isAll: true }))).toEqual(["build", "lint!", "types"]);
});

test("without `isAll` nothing begins after a failure", async () => {
  const types = makeStep("types");
  expect(toNames(await runQueues([[makeStep("lint", { fails: true }), types]], { isAll: false }))).toEqual([
    "lint!",
  ]);
  expect(types.wasRun).toBe(false);
});

test("what needs a step that failed is not tried, the other queue goes on", async () => {
  const browser = makeStep("browser");
  const queues = [
    [makeStep("build", { fails: true, isNeeded: true }), browser],
    [makeStep("lint"), makeStep("types")],
  ];
  expect(toNames(await runQueues(queues, { isAll: true }))).toEqual(["build!", "lint", "types"]);
  expect(browser.wasRun).toBe(false);
});
