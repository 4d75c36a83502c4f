import { Fault } from "../fault.mjs";
import { runStep } from "../step.mjs";

/**
 * Runs queues of steps beside each other, and the steps of a queue one after another. Gives each step's name, wall time and
 * whether it failed; a failed step's output goes to stderr. Stops after the first failure (what runs in the other queue ends
 * first) unless `isAll`.
 */
export async function runQueues(queues, { isAll }) {
  const results = [];
  await Promise.all(queues.map((steps) => runQueue(steps, results, isAll)));
  return results;
}

async function runQueue(steps, results, isAll) {
  for (const step of steps) {
    if (!isAll && results.some(({ hasFailed }) => hasFailed)) return;
    const startedAt = performance.now();
    const hasFailed = await tryStep(step);
    results.push({ name: step.name, ms: performance.now() - startedAt, hasFailed });
    // What a step's failure makes pointless is not tried: no page can be opened that was not built.
    if (hasFailed && step.isNeeded) return;
  }
}

async function tryStep(step) {
  try {
    await runStep(step.name, step.run);
    return false;
  } catch (error) {
    process.stderr.write(`${error instanceof Fault ? error.message : error.stack}\n`);
    return true;
  }
}
