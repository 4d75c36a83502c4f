import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pg from "pg";
import { dropOldAuditEntries, ensureAuditPartitions } from "#server/audit/months.ts";
import { forgetObjects, forgetPerson, recordAudit } from "#server/audit/service.ts";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { selectTables } from "#server/db/verify.ts";
import * as tables from "#server/tables.ts";
import { APP_USER, LOG_USER } from "./embedded/app-role.ts";
import { findRunning } from "./embedded/connection.ts";
import { startEmbedded } from "./embedded/supervisor.ts";
import { makeTestFolder } from "./embedded/test-folder.ts";
import { type Database, openBareServer, openDatabase } from "./open.ts";

let folder: Awaited<ReturnType<typeof makeTestFolder>>;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined };

const toOptions = () => ({
  dataDir: folder.folder,
  databaseUrl: undefined,
  databaseUser: undefined,
  tables: selectTables(tables),
  log: silent,
  onProgress: () => undefined,
});

async function withSuperuser(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const server = await startEmbedded({ dataDir: folder.folder, log: silent });
  const client = new pg.Client({ ...server.adminConnection });
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
    await server.stop();
  }
}

beforeAll(async () => {
  folder = await makeTestFolder();
});
afterAll(() => folder.remove());

/** What somebody would try who got a statement of their own into a request. */
const ATTEMPTS = {
  "start a program": "COPY (SELECT 1) TO PROGRAM 'true'",
  "read what a program says": "CREATE TEMP TABLE t (x text); COPY t FROM PROGRAM 'id'",
  "read a file of the server's": "SELECT pg_read_file('PG_VERSION')",
  "write a file of the server's": "SELECT lo_export(lo_from_bytea(0, 'x'), '/tmp/x')",
  "read password hashes of roles": "SELECT FROM pg_authid",
  "make a role": "CREATE ROLE other SUPERUSER",
  "become the superuser": "SET ROLE foyer",
  "become the superuser by a grant": `GRANT foyer TO ${APP_USER}`,
  "give itself rights": `ALTER ROLE ${APP_USER} SUPERUSER`,
  "change the server's settings": "ALTER SYSTEM SET log_statement = 'all'",
  "settings of the site's database": "ALTER DATABASE foyer SET search_path = x",
  "write past foreign keys": "SET session_replication_role = replica",
  "load a library": "LOAD '/tmp/x.so'",
  "an extension that reaches out": "CREATE EXTENSION dblink",
} as const;

/** 42501 insufficient_privilege; 0A000 and 58P01: this build doesn't even have the extension. */
const REFUSED = /^(42501|0A000|58P01)$/;

async function codeOf(pool: pg.Pool, statement: string): Promise<string> {
  return pool.query(statement).then(
    () => "done",
    (error: { code?: string }) => error.code ?? "no code",
  );
}

test.each(["pool", "exportPool"] as const)(
  "the %s is of a role that reaches nothing but the site's tables",
  async (name) => {
    const database: Database = await openDatabase(toOptions());
    try {
      const codes: Record<string, string> = {};
      for (const [title, statement] of Object.entries(ATTEMPTS))
        codes[title] = await codeOf(database[name], statement);
      for (const title of Object.keys(ATTEMPTS))
        expect([title, codes[title]]).toEqual([title, expect.stringMatching(REFUSED)]);
      expect((await database[name].query("SELECT current_user AS name")).rows).toEqual([{ name: APP_USER }]);
    } finally {
      await database.close();
    }
  },
);

/** What somebody would try who wants an entry gone. */
const LOG_ATTEMPTS = {
  "change an entry": "UPDATE audit_entry SET username = 'nobody'",
  "take one away": "DELETE FROM audit_entry",
  "take one away out of its part": "DELETE FROM audit_entry_default",
  "hold one": "SELECT FROM audit_entry FOR UPDATE",
  "empty the log": "TRUNCATE audit_entry",
  "empty the seals": "TRUNCATE audit_seal",
  "change a seal": "UPDATE audit_seal SET gone = 'all'",
  "take a seal away": "DELETE FROM audit_seal",
  "drop the log": "DROP TABLE audit_entry",
  "drop a part of it": "DROP TABLE audit_entry_default",
  "drop its schema": "DROP SCHEMA public CASCADE",
  "drop what it stands on": "DROP FUNCTION foyer_fold CASCADE",
  "take a part out": "ALTER TABLE audit_entry DETACH PARTITION audit_entry_default",
  "put rows into a part": "INSERT INTO audit_entry_default (action_type) VALUES ('VIEW')",
  "change its columns": "ALTER TABLE audit_entry ALTER action_type DROP NOT NULL",
  "turn its triggers off": "ALTER TABLE audit_entry DISABLE TRIGGER ALL",
  "put a trigger on it": `CREATE TRIGGER t BEFORE INSERT ON audit_entry EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
  "put a rule on it": "CREATE RULE r AS ON INSERT TO audit_entry DO INSTEAD NOTHING",
  "own it": `ALTER TABLE audit_entry OWNER TO ${APP_USER}`,
  "become its owner": `SET ROLE ${LOG_USER}`,
  "become its owner by a grant": `GRANT ${LOG_USER} TO ${APP_USER}`,
  "give itself rights to it": `GRANT ALL ON audit_entry TO ${APP_USER}; DELETE FROM audit_entry`,
  "give out numbers anew": "SELECT setval('audit_entry_id_seq', 1)",
  "change what the search column calls":
    "CREATE OR REPLACE FUNCTION foyer_fold(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS 'SELECT value'",
  "change what the retention calls":
    "CREATE OR REPLACE FUNCTION foyer_log_check_age(before timestamptz) RETURNS void LANGUAGE sql AS ''",
  "have the retention drop what is new": "SELECT foyer_log_drop_month(now() + interval '1 year')",
  "have the retention delete what is new": "SELECT foyer_log_delete_rest(now())",
} as const;

/** 42501 insufficient_privilege. */
const NO_RIGHT = "42501";

test("the site adds to the audit log and reads it; to change it, and to own it, is refused", async () => {
  const database = await openDatabase(toOptions());
  const { pool } = database;
  try {
    expect(database.canChangeLog).toBe(false);
    const actor = { ...SYSTEM_ACTOR, userId: 7, username: "ada", ipAddress: "192.0.2.1" };
    await recordAudit(pool, actor, {
      action: "UPDATE",
      objectId: 7,
      contentTypeId: 3,
      message: "x@y.example",
    });
    const codes: Record<string, string> = {};
    for (const [title, statement] of Object.entries(LOG_ATTEMPTS))
      codes[title] = await codeOf(pool, statement);
    expect(codes).toEqual(Object.fromEntries(Object.keys(LOG_ATTEMPTS).map((title) => [title, NO_RIGHT])));
    expect((await pool.query("SELECT username FROM audit_entry")).rows).toEqual([{ username: "ada" }]);
  } finally {
    await database.close();
  }
});

test("months are made and go, and people are taken out of the log, by the ways that its owner made", async () => {
  const database = await openDatabase(toOptions());
  const { pool } = database;
  try {
    await ensureAuditPartitions(pool, new Date("2024-05-10"));
    await pool.query(
      "INSERT INTO audit_entry (timestamp, action_type) VALUES ('2024-05-02', 'VIEW'), ('2020-01-01', 'VIEW')",
    );
    await forgetPerson(pool, { userId: 7, contentTypeId: 3, names: ["ada"] });
    await forgetObjects(pool, "accounts.user", { ids: [1], words: ["x@y"] });
    const gone = await dropOldAuditEntries(pool, new Date("2024-08-01"), 1, Buffer.alloc(32));
    expect(gone).toEqual({ partitions: ["audit_entry_2024_05", "audit_entry_2024_06"], entries: 1 });
    const { rows } = await pool.query("SELECT username, ip_address, actor_salt FROM audit_entry");
    expect(rows).toEqual([{ username: "deleted account 7", ip_address: null, actor_salt: null }]);
    // A look for damage reads each part.
    expect((await pool.query("SELECT count(*)::int AS n FROM audit_entry_2024_07")).rows).toEqual([{ n: 0 }]);
  } finally {
    await database.close();
  }
});

test("the log of a site from before, which is the site's own, is taken away from it at the start", async () => {
  await withSuperuser(async (client) => {
    await client.query(`ALTER TABLE audit_entry OWNER TO ${APP_USER}; ALTER TABLE audit_seal OWNER TO ${APP_USER};
      ALTER TABLE audit_entry_default OWNER TO ${APP_USER}; ALTER ROUTINE foyer_fold OWNER TO ${APP_USER};
      GRANT ${LOG_USER} TO ${APP_USER}`);
  });
  const database = await openDatabase(toOptions());
  try {
    expect(database.canChangeLog).toBe(false);
    for (const title of [
      "change an entry",
      "empty the seals",
      "drop a part of it",
      "become its owner",
    ] as const)
      expect([title, await codeOf(database.pool, LOG_ATTEMPTS[title])]).toEqual([title, NO_RIGHT]);
  } finally {
    await database.close();
  }
});

test("a cluster of an older Foyer, whose tables are the superuser's, is handed over at the start", async () => {
  await (await openDatabase(toOptions())).close();
  await withSuperuser(async (client) => {
    await client.query("SET search_path TO public");
    const { rows } = await client.query<{ statement: string }>(
      `SELECT format('ALTER %s %s OWNER TO foyer', CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, oid::regclass) AS statement FROM pg_class
       WHERE relkind IN ('r', 'p', 'v') AND relowner = '${APP_USER}'::regrole
       UNION ALL SELECT format('ALTER ROUTINE %s OWNER TO foyer', oid::regprocedure) FROM pg_proc WHERE proowner = '${APP_USER}'::regrole`,
    );
    expect(rows.length).toBeGreaterThan(50);
    for (const { statement } of rows) await client.query(statement);
    await client.query("ALTER SCHEMA drizzle OWNER TO foyer");
    await client.query(
      "CREATE TYPE mood AS ENUM ('glad'); CREATE VIEW seen AS SELECT id FROM account_user; CREATE SEQUENCE apart",
    );
    await client.query(`ALTER ROLE ${APP_USER} RENAME TO gone`);
  });
  const database = await openDatabase(toOptions());
  try {
    const { rows } = await database.pool.query(
      `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'S') AND relowner <> current_user::regrole
         AND relname !~ '^audit_(entry|seal)' AND relnamespace IN ('public'::regnamespace, 'drizzle'::regnamespace)
       UNION ALL SELECT proname FROM pg_proc WHERE proname LIKE 'foyer\\_%' AND proowner <> current_user::regrole
         AND proname NOT LIKE 'foyer\\_log\\_%' AND proname <> 'foyer_fold'
       UNION ALL SELECT typname FROM pg_type WHERE typname = 'mood' AND typowner <> current_user::regrole`,
    );
    expect(rows).toEqual([]);
    expect(database.canChangeLog).toBe(false);
    await database.pool.query("DROP VIEW seen; DROP SEQUENCE apart; DROP TYPE mood");
  } finally {
    await database.close();
  }
});

test("a function of the site's role is never called with the superuser's rights at a start", async () => {
  const database = await openDatabase(toOptions());
  // Nearer to these arguments than PostgreSQL's own: whoever has `public` in the path calls it.
  await database.pool.query(
    `CREATE FUNCTION public.format(text, name) RETURNS text LANGUAGE plpgsql AS $$ BEGIN ALTER ROLE ${APP_USER} SUPERUSER; RETURN ''; END $$`,
  );
  await database.close();
  const again = await openDatabase(toOptions());
  try {
    const { rows } = await again.pool.query("SELECT rolsuper FROM pg_roles WHERE rolname = current_user");
    expect(rows).toEqual([{ rolsuper: false }]);
    await again.pool.query("DROP FUNCTION public.format(text, name)");
  } finally {
    await again.close();
  }
});

test("a command beside the server has the same role, and only a repair may write past foreign keys", async () => {
  const database = await openDatabase(toOptions());
  expect(await findRunning(folder.folder)).toMatchObject({ user: APP_USER });
  await database.close();
  const server = await openBareServer(toOptions(), { besideServer: false });
  const client = new pg.Client({ ...(server.connection as pg.ClientConfig) });
  await client.connect();
  const attempt = () => client.query("SET session_replication_role = replica");
  try {
    await expect(attempt()).rejects.toMatchObject({ code: "42501" });
    await server.rights.withRepairRights(attempt);
    await expect(attempt()).rejects.toMatchObject({ code: "42501" });
  } finally {
    await client.end();
    await server.close();
  }
});
