import pg from "pg";
import { closeLog, openLog } from "../log-owner.ts";
import { CLUSTER_USER } from "./cluster.ts";

/** Whom Foyer's connections are: owner of its tables, and nobody beyond that. */
export const APP_USER = "foyer_app";
/** Whose the audit log is: nobody logs in as it. */
export const LOG_USER = "foyer_log";
const LOG_ROLES = { owner: LOG_USER, app: APP_USER };

/** Where the cluster's superuser connects. Nobody but this file does, so that no statement of a request has its rights. */
export interface AdminConnection {
  host: string;
  port: number;
  user: string;
  database: string;
}

/**
 * A superuser could read and start whatever the account of PostgreSQL can. CREATEDB is for rehearsals of a restore, which take
 * a database of their own; pg_signal_backend lets them end an autovacuum there, and nothing of the superuser's.
 */
const ROLES = `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${APP_USER}') THEN CREATE ROLE ${APP_USER}; END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${LOG_USER}') THEN CREATE ROLE ${LOG_USER}; END IF;
  END $$;
  ALTER ROLE ${LOG_USER} NOLOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS NOCREATEDB;
  ALTER ROLE ${APP_USER} LOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS CREATEDB;
  GRANT pg_signal_backend TO ${APP_USER};
  GRANT CREATE ON DATABASE ${CLUSTER_USER} TO ${APP_USER};
  GRANT CREATE, USAGE ON SCHEMA public TO ${APP_USER}`;

/**
 * What the superuser still owns of the site's, as statements that hand it over: all of a cluster that an older Foyer made, which
 * had no other role; nothing at later starts. Members of extensions stay, and so do numbers that follow their column.
 * The audit log goes on to its own role from there (`keepLog`).
 */
const HAND_OVER = `
  WITH own AS (SELECT oid FROM pg_roles WHERE rolname = '${CLUSTER_USER}'),
  space AS (
    SELECT n.oid, n.nspname, n.nspowner FROM pg_namespace n
    WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema')
  SELECT format('ALTER SCHEMA %I OWNER TO ${APP_USER}', nspname) AS statement FROM space, own WHERE nspowner = own.oid AND nspname <> 'public'
  UNION ALL
  SELECT format('ALTER %s %I.%I OWNER TO ${APP_USER}',
      CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END,
      space.nspname, c.relname)
  FROM pg_class c JOIN space ON space.oid = c.relnamespace, own
  WHERE c.relowner = own.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('e', 'a', 'i') AND (d.deptype = 'e' OR c.relkind = 'S'))
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO ${APP_USER}', p.oid::regprocedure)
  FROM pg_proc p JOIN space ON space.oid = p.pronamespace, own
  WHERE p.proowner = own.oid AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  UNION ALL
  SELECT format('ALTER TYPE %s OWNER TO ${APP_USER}', t.oid::regtype)
  FROM pg_type t JOIN space ON space.oid = t.typnamespace, own
  WHERE t.typowner = own.oid AND (t.typtype IN ('e', 'd', 'r') OR (t.typtype = 'c' AND EXISTS (SELECT FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c')))
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e')
  UNION ALL
  SELECT format('ALTER DATABASE %I OWNER TO ${APP_USER}', d.datname) FROM pg_database d, own
  WHERE d.datdba = own.oid AND NOT d.datistemplate AND d.datname NOT IN ('postgres', '${CLUSTER_USER}')`;

/** Settings that only `repair` may change: it writes past foreign keys, and reads past damage. */
const REPAIR_SETTINGS = "PARAMETER session_replication_role, zero_damaged_pages";

async function asSuperuser(
  connection: AdminConnection,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  // ssl is said because PGSSLMODE of the owner's shell would otherwise ask for it on a local socket.
  const client = new pg.Client({ ...connection, ssl: false });
  client.on("error", () => undefined); // the statement that fails says it
  await client.connect();
  try {
    // The site's role may make functions and operators: none of them is called with the superuser's rights.
    await client.query("SET search_path TO pg_catalog");
    await work(client);
  } finally {
    await client.end();
  }
}

/** A fault ends the connection, and so takes back what was done. */
async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query("BEGIN");
  await work();
  await client.query("COMMIT");
}

/** Makes the site's role where it is missing, and gives it what the superuser has of the site's. All or nothing. */
export async function prepareAppRole(connection: AdminConnection): Promise<void> {
  await asSuperuser(connection, (client) =>
    inTransaction(client, async () => {
      await client.query(ROLES);
      // What a repair that was killed has left.
      await client.query(
        `REVOKE SET ON ${REPAIR_SETTINGS} FROM ${APP_USER}; REVOKE ${LOG_USER} FROM ${APP_USER}`,
      );
      const { rows } = await client.query<{ statement: string }>(HAND_OVER);
      for (const { statement } of rows) await client.query(statement);
    }),
  );
}

/** Takes the audit log away from the site's role: after migrations, and wherever it may still have it. All or nothing. */
export async function keepLog(connection: AdminConnection): Promise<void> {
  await asSuperuser(connection, (client) => inTransaction(client, () => closeLog(client, LOG_ROLES)));
}

/** Lets the site's role change the audit log too, while the work lasts. A start ends what a process that was killed has left. */
export async function withLogRights<Answer>(
  connection: AdminConnection,
  work: () => Promise<Answer>,
): Promise<Answer> {
  await asSuperuser(connection, (client) => inTransaction(client, () => openLog(client, LOG_ROLES)));
  try {
    return await work();
  } finally {
    await keepLog(connection);
  }
}

/** Lets the site's role do what `repair` needs, while the work lasts. */
export async function withRepairRights<Answer>(
  connection: AdminConnection,
  work: () => Promise<Answer>,
): Promise<Answer> {
  await asSuperuser(connection, async (client) => {
    await client.query(`GRANT SET ON ${REPAIR_SETTINGS} TO ${APP_USER}`);
  });
  try {
    return await withLogRights(connection, work);
  } finally {
    await asSuperuser(connection, async (client) => {
      await client.query(`REVOKE SET ON ${REPAIR_SETTINGS} FROM ${APP_USER}`);
    });
  }
}
