import { rmSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../fault.mjs";
import { requireNode24 } from "../find-node.mjs";
import { CACHE, ROOT } from "../paths.mjs";
import { runCommand } from "../run-command.mjs";
import { ensureChromium } from "./chromium.mjs";

export const PLAYWRIGHT_REPORT = join(CACHE, "playwright.json");
export const BROWSER_STEP = "Browser tests (Playwright)";

const FOLDER = "test/e2e";
const REPORTERS = ["line", "json", join(ROOT, "bin/lib/check/playwright-progress.mjs")];

/**
 * The browser tests: all, or those of the specs in `specs` (names as `pickSpecs` of test/e2e gives them). The step throws a Fault with
 * Playwright's output where one fails or Chromium is missing.
 */
export const toBrowserStep = (specs = []) => ({
  name: BROWSER_STEP,
  run: async (say) => {
    rmSync(PLAYWRIGHT_REPORT, { force: true });
    say("looking for Chromium");
    const chromium = await ensureChromium();
    const args = [
      "node_modules/@playwright/test/cli.js",
      "test",
      `--config=${FOLDER}/playwright.config.ts`,
      `--reporter=${REPORTERS.join(",")}`,
      ...specs.map((name) => `${FOLDER}/${name}.spec.ts`),
    ];
    say("preparing a site");
    const env = {
      ...process.env,
      FOYER_CHROMIUM: chromium,
      PLAYWRIGHT_JSON_OUTPUT_NAME: PLAYWRIGHT_REPORT,
      PWTEST_CACHE_DIR: join(CACHE, "playwright"),
    };
    const { code, output } = await runCommand(requireNode24(), args, { env, onProgress: say });
    if (code !== 0) throw new Fault(output);
  },
});
