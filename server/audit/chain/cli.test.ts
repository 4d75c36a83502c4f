import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { Command } from "commander";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { openKeyFolder } from "#server/db/keys/key-place.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { registerAuditCommands } from "./cli.ts";
import { readEnd, readMark, writeMark } from "./mark.ts";
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

/** What `foyer audit verify` printed, and the exit code that it asks for. */
const run = (...args: string[]) => runCommand("verify", ...args);

/** The same of any of the commands. */
async function runCommand(...args: string[]): Promise<{ text: string; code: unknown }> {
  const lines: string[] = [];
  process.exitCode = undefined;
  jest.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  const program = new Command().exitOverride();
  registerAuditCommands(program, {
    dataDir: folder.folder,
    open: async () => ({ pool: database.pool, exportPool: database.pool, close: async () => undefined }),
    openKeys: async () => openKeyFolder(folder.folder),
  });
  program.configureOutput({ writeErr: (line) => void lines.push(line) });
  for (const command of program.commands)
    for (const each of [command, ...command.commands])
      each.exitOverride().configureOutput({ writeErr: (line) => void lines.push(line) });
  const thrown = await program.parseAsync(["audit", ...args], { from: "user" }).then(
    () => undefined,
    (error: { exitCode?: number }) => {
      if (error.exitCode === undefined) throw error;
      return error.exitCode;
    },
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

describe("accept-end", () => {
  /** Entries that are sealed and seen, and then gone with their seals, as after a database that was put back from a copy. */
  async function loseEnd(): Promise<{ lost: string; kept: string }> {
    const { pool } = database;
    const key = await loadChainKey(folder.folder);
    const sealer = createSealer({ pool, key, now: () => new Date() });
    await sealer.seal();
    const kept = await readEnd(pool);
    await pool.query("INSERT INTO audit_entry (action_type) VALUES ('VIEW')");
    await sealer.seal();
    const lost = await readEnd(pool);
    if (!kept || !lost || kept.id === lost.id) throw new Error("two seals were expected");
    await writeMark(folder.folder, lost);
    await database.damage(
      `DELETE FROM audit_entry WHERE id > (SELECT last_entry FROM audit_seal WHERE id = ${kept.id});
       DELETE FROM audit_seal WHERE id = ${lost.id}`,
    );
    return { lost: `${lost.id} ${lost.hash}`, kept: `${kept.id} ${kept.hash}` };
  }

  test("counts the log's end as seen, and an entry of the log says which seals were lost", async () => {
    const { lost, kept } = await loseEnd();
    expect(await run()).toMatchObject({
      code: 1,
      text: expect.stringMatching(/was there before and is missing(.|\n)*audit accept-end/),
    });
    const { text, code } = await runCommand("accept-end");
    expect([text, code]).toEqual([
      "The log's end counts as it is now, and an entry of the log says so.",
      undefined,
    ]);
    expect(await run()).toMatchObject({
      code: undefined,
      text: expect.stringContaining("as it was sealed."),
    });
    const { rows } = await database.pool.query(
      "SELECT action_type, detail, user_id, changes FROM audit_entry ORDER BY id DESC LIMIT 1",
    );
    expect(rows).toEqual([
      {
        action_type: "UPDATE",
        detail: "log_end",
        user_id: null,
        changes: { newest_seal: { before: lost, after: kept } },
      },
    ]);
  });

  test("makes no other fault good", async () => {
    await loseEnd();
    await database.damage("UPDATE audit_entry SET detail = 'x' WHERE id = 2");
    await runCommand("accept-end");
    const { text, code } = await run();
    await database.damage("UPDATE audit_entry SET detail = NULL WHERE id = 2");
    expect([code, text]).toEqual([1, expect.stringContaining("- entry 2 was changed after it was sealed")]);
    expect(text).not.toContain("was there before");
  });

  test("leaves the end as it was seen where the entry can't be written", async () => {
    const { lost } = await loseEnd();
    await database.damage(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the disk is full'; END $$;
       CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON audit_entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    await expect(runCommand("accept-end")).rejects.toThrow("the disk is full");
    await database.damage("DROP TRIGGER refuse ON audit_entry; DROP FUNCTION refuse()");
    const mark = await readMark(folder.folder);
    expect(mark && `${mark.id} ${mark.hash}`).toBe(lost);
    expect((await run()).code).toBe(1);
    await runCommand("accept-end");
  });
});
