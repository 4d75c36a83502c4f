import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureChromium } from "./chromium.mjs";
import { Fault } from "./fault.mjs";
import { requireNode24 } from "./find-node.mjs";
import { CACHE, ROOT } from "./paths.mjs";
import { runCommand } from "./run-command.mjs";
import { runStep } from "./step.mjs";

export const PLAYWRIGHT_REPORT = join(CACHE, "playwright.json");

const CONFIG = "test/e2e/playwright.config.ts";

/** Runs the browser tests; throws a Fault with Playwright's output where one fails or Chromium is missing. */
export async function runBrowserTests() {
  rmSync(PLAYWRIGHT_REPORT, { force: true });
  const chromium = await ensureChromium();
  if (!existsSync(join(ROOT, CONFIG))) throw new Fault(`${CONFIG} is missing.`);
  await runStep("Browser tests (Playwright)", () => runPlaywright(chromium));
}

async function runPlaywright(chromium) {
  const args = ["node_modules/@playwright/test/cli.js", "test", `--config=${CONFIG}`, "--reporter=line,json"];
  const env = { ...process.env, FOYER_CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: PLAYWRIGHT_REPORT };
  const { code, output } = await runCommand(requireNode24(), args, { env });
  if (code !== 0) throw new Fault(output);
  const flaky = output.match(/^ {2}\d+ flaky\n(?: {4}.*\n)+/m);
  if (flaky) process.stderr.write(`Browser tests that passed only the second time:\n${flaky[0]}`);
}
