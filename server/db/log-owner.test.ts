import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { selectTables } from "#server/db/verify.ts";
import * as tables from "#server/tables.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { superuserConnection } from "#test/test-server.ts";
import { openLogRights } from "./log-owner.ts";
import { openDatabase } from "./open.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase({ isEmpty: true });
});
afterEach(() => database.close());

const toUrl = (user: string) => {
  const { host, port, database: name } = database.connection;
  return `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
};

const open = (databaseOwnerUrl?: string) =>
  openDatabase({
    dataDir: "/nowhere",
    databaseUrl: toUrl(database.connection.user),
    databaseOwnerUrl,
    databaseUser: undefined,
    tables: selectTables(tables),
    log: { debug: () => {}, warn: () => {} },
    onProgress: () => {},
    isCommand: true,
  });

test("a database of one's own has an owner of the log, who lets migrations at it and takes it back", async () => {
  const { user: app, database: name } = database.connection;
  const owner = `owner_of_${name}`;
  // As the README says it.
  await database.damage(`CREATE ROLE ${owner}; GRANT ${app} TO ${owner}; ALTER DATABASE ${name} OWNER TO ${owner};
    GRANT CREATE ON DATABASE ${name} TO ${app}; GRANT CREATE ON SCHEMA public TO ${app}`);
  // The tests' server lets nobody in by that name: this connection takes its rights.
  const url = `${toUrl(superuserConnection(name).user)}&options=${encodeURIComponent(`-c role=${owner}`)}`;
  // Twice: with migrations to apply, and without.
  for (const _start of [1, 2]) {
    const opened = await open(url);
    expect(opened.canChangeLog).toBe(false);
    await opened.pool.query("INSERT INTO audit_entry (action_type) VALUES ('VIEW')");
    await expect(opened.pool.query("DELETE FROM audit_entry")).rejects.toMatchObject({ code: "42501" });
    await opened.close();
  }
  // A dump that reads the log for minutes: nobody waits behind a step that waits for it.
  const reader = await database.pool.connect();
  await reader.query("BEGIN; LOCK TABLE audit_entry IN ACCESS SHARE MODE");
  await expect(
    openLogRights(toUrl(app), url).withLogRights(() => Promise.reject(new Error("begun")), 50),
  ).rejects.toMatchObject({ cause: { code: "55P03" } });
  reader.release(true);
  await database.damage(`REASSIGN OWNED BY ${owner} TO ${app}; DROP OWNED BY ${owner}; DROP ROLE ${owner}`);
});

test("without one the site's account can change the log, and that is known", async () => {
  const opened = await open();
  expect(opened.canChangeLog).toBe(true);
  await opened.close();
});

test("an owner who is the site's account itself is refused, in words", async () => {
  await expect(open(toUrl(database.connection.user))).rejects.toThrow(
    /^DATABASE_OWNER_URL: it is the account of/,
  );
});
