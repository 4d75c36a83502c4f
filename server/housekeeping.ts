import type { Logger } from "pino";

/**
 * Does what is done at start and daily, one thing after the other. What fails is told in the log by its name and stops neither
 * the rest nor the start: it is done a day later.
 */
export async function runEach(
  log: Pick<Logger, "error">,
  steps: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  for (const [name, run] of Object.entries(steps)) {
    try {
      await run();
    } catch (error) {
      log.error({ err: error, step: name }, "a part of the housekeeping failed");
    }
  }
}
