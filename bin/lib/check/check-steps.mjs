import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildIfStale } from "../build.mjs";
import { Fault } from "../fault.mjs";
import { requireNode24 } from "../find-node.mjs";
import { CACHE, ROOT } from "../paths.mjs";
import { runCommand } from "../run-command.mjs";
import { judgeStructure, measureStructure } from "./structure.mjs";
import { STRUCTURE_LIMITS, TEST_CASES } from "./structure-limits.mjs";

export const JEST_REPORT = join(CACHE, "jest.json");

/** What dependency-cruiser found out: every file with its imports. */
export const IMPORTS_REPORT = join(CACHE, "imports.json");

const CRUISER = "node_modules/dependency-cruiser/bin";
const CRUISED = [
  "src",
  "resources",
  "providers",
  "contract",
  "locales",
  "server",
  "tools",
  "test",
  "bench",
  "bin",
];

/**
 * Jest needs the first for native ES modules, and would say so once per worker. Its workers get all of them: screens are drawn once
 * or twice each, so that young objects and code that isn't optimized to the last spare about a fifth of the CPU.
 */
const JEST_FLAGS = [
  "--experimental-vm-modules",
  "--disable-warning=ExperimentalWarning",
  "--max-semi-space-size=128",
  "--no-opt",
];

/** Runs one of the installed tools; throws a Fault with the tool's output. */
async function runTool(args, options) {
  const { code, output } = await runCommand(requireNode24(), args, options);
  if (code !== 0) throw new Fault(output || `${args[0]} ended with exit code ${code} and no output.`);
  return output;
}

export const LINT_STEP = {
  name: "Format and lint (Biome)",
  run: () => runTool(["node_modules/@biomejs/biome/bin/biome", "check", "."]),
};

export const TYPES_STEP = {
  name: "Types (tsc)",
  run: () => runTool(["node_modules/typescript/bin/tsc", "--project", "."]),
};

export const UNUSED_STEP = {
  name: "Unused files, exports and packages (knip)",
  run: () => runTool(["node_modules/knip/bin/knip.js", "--no-progress"]),
};

/** The report is written whole and judged after: `npm test -- --changed` reads it too. */
export const IMPORTS_STEP = {
  name: "Import rules (dependency-cruiser)",
  run: async () => {
    const folders = CRUISED.filter((folder) => existsSync(join(ROOT, folder)));
    const cruise = [`${CRUISER}/dependency-cruiser.mjs`, "--config", ".dependency-cruiser.cjs"];
    await runTool([...cruise, "--output-type", "json", "--output-to", IMPORTS_REPORT, ...folders]);
    await runTool([`${CRUISER}/depcruise-fmt.mjs`, "--exit-code", "--output-type", "err", IMPORTS_REPORT]);
  },
};

const countLines = (file) => readFileSync(join(ROOT, file), "utf8").split("\n").length - 1;

/** Prints the figures of the tree's order from the report of the import rules, and keeps them within their limits. */
export const STRUCTURE_STEP = {
  name: "Structure (files, folders, walks)",
  run: async () => {
    const { modules } = JSON.parse(readFileSync(IMPORTS_REPORT, "utf8"));
    const { table, faults } = judgeStructure(measureStructure(modules, countLines), STRUCTURE_LIMITS);
    process.stderr.write(`${table}\n`);
    if (faults.length > 0) throw new Fault(faults.join("\n"));
  },
};

export const JEST_STEP = "Tests (Jest)";

/** Prints how many test cases there are. @throws Fault where they got fewer: a test that goes is taken out of the limit on purpose. */
function keepTestCases(count) {
  process.stderr.write(
    `test cases (Jest): ${count}, at least ${TEST_CASES.limit}, before: ${TEST_CASES.before}\n`,
  );
  if (count < TEST_CASES.limit) throw new Fault(`${count} test cases, at least ${TEST_CASES.limit}`);
}

/** Jest over everything, or over the test files that `pick` gives when its turn comes; no file is no run. */
export const toJestStep = (pick = () => undefined) => ({
  name: JEST_STEP,
  run: async (say) => {
    const files = pick();
    if (files?.length === 0) return;
    const args = ["node_modules/jest/bin/jest.js", "--json", `--outputFile=${JEST_REPORT}`];
    const paths = files ? ["--runTestsByPath", ...files] : [];
    await runTool([...JEST_FLAGS, ...args, ...paths], { onProgress: say });
    if (files) return;
    const { numTotalTests, numTodoTests } = JSON.parse(readFileSync(JEST_REPORT, "utf8"));
    keepTestCases(numTotalTests - numTodoTests);
  },
});

/** Without it no page can be opened. */
export const BUILD_STEP = { name: "Build (Vite)", run: () => buildIfStale(), isNeeded: true };

export const SIZES_STEP = { name: "Size budgets", run: () => runTool(["bench/size-budget.mjs"]) };
