import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** `npm run bench:properties`: the tests of random lists, filters and exports with as many runs as only a quiet hour has. */
const FILES = [
  "server/content/filters-random.test.ts",
  "server/content/injection.test.ts",
  "server/content/cursor-walk.test.ts",
  "server/content/exports/formats.test.ts",
  "server/mail/unsubscribe-routes.test.ts",
  "src/admin/refine-traps/address.test.tsx",
];

const root = join(import.meta.dirname, "..");
const jest = ["--experimental-vm-modules", "node_modules/jest/bin/jest.js", "--runTestsByPath", ...FILES];
const { status } = spawnSync(process.execPath, jest, {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, FOYER_PROPERTY_RUNS: "long" },
});
process.exitCode = status ?? 1;
