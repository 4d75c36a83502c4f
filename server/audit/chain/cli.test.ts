import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, jest, test } from "@jest/globals";
import { Command } from "commander";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { registerAuditCommands } from "./cli.ts";
import { createSealer } from "./seal.ts";
import { loadChainKey } from "./signature.ts";

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof makeTestFolder>>;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await makeTestFolder();
  const { pool } = database;
  await pool.query("INSERT INTO audit_entry (action_type) SELECT 'VIEW' FROM generate_series(1, 3)");
  await createSealer({ pool, key: await loadChainKey(folder.folder), now: () => new Date() }).seal();
});
afterAll(async () => {
  await database.close();
  await folder.remove();
});
afterEach(() => {
  process.exitCode = undefined;
  jest.restoreAllMocks();
});

/** What the command printed, and the exit code that it asks for. */
async function run(...args: string[]): Promise<{ text: string; code: unknown }> {
  const lines: string[] = [];
  jest.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  const program = new Command().exitOverride();
  registerAuditCommands(program, {
    dataDir: folder.folder,
    open: async () => ({ exportPool: database.pool, close: async () => undefined }),
  });
  program.configureOutput({ writeErr: (line) => void lines.push(line) });
  for (const command of program.commands)
    for (const each of [command, ...command.commands])
      each.exitOverride().configureOutput({ writeErr: (line) => void lines.push(line) });
  const thrown = await program.parseAsync(["audit", "verify", ...args], { from: "user" }).then(
    () => undefined,
    (error: { exitCode: number }) => error.exitCode,
  );
  return { text: lines.join("\n"), code: thrown ?? process.exitCode };
}

test("a whole log ends well, and its newest seal can be asked for later", async () => {
  const { text, code } = await run();
  expect(code).toBeUndefined();
  expect(text).toMatch(/^3 sealed entries in 1 seals were read in /);
  expect(text).toMatch(/The log is as it was sealed\.$/);
  const newest = /^Newest seal: (.*)$/m.exec(text)?.[1] ?? "";
  expect(await run("--newest", newest)).toMatchObject({ code: undefined });
  const other = await run("--newest", `9 ${"0".repeat(64)}`);
  expect(other).toMatchObject({ code: 1, text: expect.stringContaining("seal 9 was there before") });
  expect(await run("--newest", "x")).toMatchObject({ code: 1, text: expect.stringContaining("ID HASH") });
});

test("a changed one ends with 1 and names the entry", async () => {
  await database.damage("UPDATE audit_entry SET detail = 'x' WHERE id = 2");
  const { text, code } = await run();
  await database.damage("UPDATE audit_entry SET detail = NULL WHERE id = 2");
  expect(code).toBe(1);
  expect(text).toContain("- entry 2 was changed after it was sealed (seal 1)");
});

test("a damaged key is no fault of the log, and says what to do", async () => {
  const path = join(folder.folder, "keys", "audit-chain.key");
  const former = await readFile(path);
  await writeFile(path, "short");
  const { text, code } = await run();
  await writeFile(path, former);
  expect(code).toBe(1);
  expect(text).toMatch(/holds no key\. Put it back from a backup/);
});
