import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pg from "pg";
import { selectTables } from "#server/db/verify.ts";
import * as tables from "#server/tables.ts";
import { APP_USER } from "./embedded/app-role.ts";
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
         AND relnamespace IN ('public'::regnamespace, 'drizzle'::regnamespace)
       UNION ALL SELECT proname FROM pg_proc WHERE proname LIKE 'foyer\\_%' AND proowner <> current_user::regrole
       UNION ALL SELECT typname FROM pg_type WHERE typname = 'mood' AND typowner <> current_user::regrole`,
    );
    expect(rows).toEqual([]);
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
    await server.withRepairRights(attempt);
    await expect(attempt()).rejects.toMatchObject({ code: "42501" });
  } finally {
    await client.end();
    await server.close();
  }
});
