import { defineConfig } from "@playwright/test";

/** Debian's Chromium without what would call out; root needs it without its sandbox. */
const args = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];

/** Guards against what hangs, far above what a busy machine takes: no test measures time. */
const TEST_LIMIT_MS = 900_000;
const STEP_LIMIT_MS = 120_000;
const EXPECT_LIMIT_MS = 60_000;

/**
 * Two workers, for machines of two cores. Tests of a file are spread over both; a spec whose tests go on from each other says
 * `mode: "default"`. Never a second try: what passes only then has a fault.
 */
export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results",
  globalSetup: "./prepare-sites.ts",
  workers: 2,
  fullyParallel: true,
  timeout: TEST_LIMIT_MS,
  expect: { timeout: EXPECT_LIMIT_MS },
  forbidOnly: true,
  retries: 0,
  use: {
    actionTimeout: STEP_LIMIT_MS,
    navigationTimeout: STEP_LIMIT_MS,
    launchOptions: { executablePath: process.env.FOYER_CHROMIUM ?? "/usr/bin/chromium-headless-shell", args },
    // To record every test costs a quarter of its work; `--trace on` does it where a failure is looked into.
    screenshot: "only-on-failure",
  },
});
