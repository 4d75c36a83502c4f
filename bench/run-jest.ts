import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Test files as `npm test` runs them, but with more work, which `env` asks for. Ends this process with Jest's exit code. */
export function runJest(files: readonly string[], env: Readonly<Record<string, string>>): never {
  const flags = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"];
  const { status } = spawnSync(
    process.execPath,
    [...flags, "node_modules/jest/bin/jest.js", "--runTestsByPath", ...files],
    { cwd: join(import.meta.dirname, ".."), stdio: "inherit", env: { ...process.env, ...env } },
  );
  process.exit(status ?? 1);
}
