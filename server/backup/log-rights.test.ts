import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { openDatabase } from "#server/db/open.ts";
import { selectTables } from "#server/db/verify.ts";
import * as tables from "#server/tables.ts";
import { NO_STORES } from "./remote-stores.ts";
import { restore } from "./restore-command.ts";
import { writeBackup } from "./write-backup.ts";

let folder: Awaited<ReturnType<typeof makeTestFolder>>;
beforeAll(async () => {
  folder = await makeTestFolder();
});
afterAll(() => folder.remove());

const NOW = new Date("2026-11-20T12:00:00Z");
const toDeps = () => ({
  dataDir: folder.folder,
  databaseUrl: undefined,
  databaseUser: undefined,
  tables: selectTables(tables),
  log: { debug: () => undefined, warn: () => undefined },
  onProgress: () => undefined,
});

/** Who owns what of the log, and who may do what with it. */
const RIGHTS = `
  SELECT c.relname AS name, c.relowner::regrole::text AS owner, c.relacl::text AS rights FROM pg_class c
  WHERE c.relname IN ('audit_entry', 'audit_seal', 'audit_entry_id_seq') OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'audit_entry'::regclass)
  UNION ALL SELECT p.oid::regprocedure::text, p.proowner::regrole::text, p.proacl::text FROM pg_proc p WHERE p.proname LIKE 'foyer\\_log\\_%' OR p.proname = 'foyer_fold'
  ORDER BY 1`;

test("a restore gives the audit log the rights that it had, and leaves none to the site", async () => {
  const file = join(folder.folder, "out.zip");
  const before = await openDatabase(toDeps());
  await before.pool.query("INSERT INTO audit_entry (action_type, username) VALUES ('VIEW', 'ada')");
  const { rows: rights } = await before.pool.query(RIGHTS);
  expect(rights).toHaveLength(13);
  expect(new Set(rights.map(({ owner }) => owner))).toEqual(new Set(["foyer_log"]));
  await writeBackup({
    pool: before.exportPool,
    dataDir: folder.folder,
    file,
    appVersion: "0.1.0",
    now: NOW,
    onProgress: () => undefined,
  });
  await before.close();
  const deps = {
    ...toDeps(),
    appVersion: "0.1.0",
    isSkipped: true,
    stores: NO_STORES,
    backupDir: undefined,
    place: undefined,
  };
  await restore(file, { replace: true }, { ...deps, now: () => NOW });
  const after = await openDatabase(toDeps());
  try {
    expect((await after.pool.query(RIGHTS)).rows).toEqual(rights);
    expect(after.canChangeLog).toBe(false);
    expect((await after.pool.query("SELECT username FROM audit_entry")).rows).toContainEqual({
      username: "ada",
    });
    await expect(after.pool.query("DELETE FROM audit_entry")).rejects.toMatchObject({ code: "42501" });
  } finally {
    await after.close();
  }
});
