import { spawnSync } from "node:child_process";

/** `npm run bench:explain`: the plans of every list over a million rows a table; `npm test` asks the same of fewer. */
const flags = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"];
const { status } = spawnSync(
  process.execPath,
  [...flags, "node_modules/jest/bin/jest.js", "--runTestsByPath", "server/content/explain.test.ts"],
  { stdio: "inherit", env: { ...process.env, FOYER_EXPLAIN_ROWS: "1000000" } },
);
process.exitCode = status ?? 1;
