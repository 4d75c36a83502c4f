import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

/** Prints what is loaded by importing all that the product takes of the package. */
const LIST_LOADED = `
import { registerHooks } from "node:module";
const loaded = [];
registerHooks({
  load(url, context, nextLoad) {
    const answer = nextLoad(url, context);
    loaded.push(url + " " + answer.format);
    return answer;
  },
});
for (const name of ["", "/pg-core", "/migrator", "/node-postgres", "/node-postgres/migrator"])
  await import("drizzle-orm" + name);
console.log(JSON.stringify({ loaded: loaded.sort() }));
`;

const ROOT = join(import.meta.dirname, "../..");

function listLoaded(...flags: string[]): string[] {
  const args = [...flags, "--input-type=module", "--eval", LIST_LOADED];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" })).loaded;
}

test("the same modules are loaded in the same way as without the hook", () => {
  const loaded = listLoaded("--import=./server/base/quick-imports.ts");
  expect(loaded.filter((line) => line.includes("/drizzle-orm/")).length).toBeGreaterThan(50);
  expect(loaded).toEqual(listLoaded());
});

test("what the package doesn't have is refused as without the hook", () => {
  const load = () =>
    execFileSync(
      process.execPath,
      [
        "--import=./server/base/quick-imports.ts",
        "--input-type=module",
        "--eval",
        'await import("drizzle-orm/no-such-part")',
      ],
      { cwd: ROOT, encoding: "utf8", stdio: "pipe" },
    );
  expect(load).toThrow(/ERR_PACKAGE_PATH_NOT_EXPORTED|no-such-part/);
});
