import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildIfStale } from "./build.mjs";
import { Fault } from "./fault.mjs";
import { requireNode24 } from "./find-node.mjs";
import { CACHE, ROOT } from "./paths.mjs";
import { runCommand } from "./run-command.mjs";

export const JEST_REPORT = join(CACHE, "jest.json");

/** The folders that the import rules speak of; `bin/` and `test/` are tools. */
const CRUISED = ["src", "resources", "providers", "contract", "locales", "server"];

/** Jest needs the flag for native ES modules, and would say so once per worker. */
const JEST_FLAGS = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"];

/** A step that runs one of the installed tools; throws a Fault with the tool's output. */
function tool(name, args) {
  return {
    name,
    run: async () => {
      const { code, output } = await runCommand(requireNode24(), args());
      if (code !== 0) throw new Fault(output || `${args()[0]} ended with exit code ${code} and no output.`);
    },
  };
}

/** Steps that only read files. They run two at a time. */
export const STATIC_STEPS = [
  tool("Format and lint (Biome)", () => ["node_modules/@biomejs/biome/bin/biome", "check", "."]),
  tool("Types (tsc)", () => ["node_modules/typescript/bin/tsc", "--project", "."]),
  tool("Unused files, exports and packages (knip)", () => ["node_modules/knip/bin/knip.js", "--no-progress"]),
  tool("Import rules (dependency-cruiser)", () => [
    "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs",
    "--config",
    ".dependency-cruiser.cjs",
    ...CRUISED.filter((folder) => existsSync(join(ROOT, folder))),
  ]),
];

export const JEST_STEP = tool("Tests (Jest)", () => [
  ...JEST_FLAGS,
  "node_modules/jest/bin/jest.js",
  "--json",
  `--outputFile=${JEST_REPORT}`,
]);

export const BUILD_STEPS = [
  { name: "Build (Vite)", run: () => buildIfStale() },
  tool("Size budgets", () => ["bench/size-budget.mjs"]),
];
