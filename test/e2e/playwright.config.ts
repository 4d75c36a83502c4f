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

/** Each spec file starts a site of its own; one worker, because the machine has few cores and the specs measure. */
export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results",
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  // CI's machines stall for seconds; what passes only the second time is named in the output.
  retries: process.env.CI ? 1 : 0,
  use: {
    launchOptions: { executablePath: process.env.FOYER_CHROMIUM ?? "/usr/bin/chromium", args },
    trace: "retain-on-failure",
  },
});
