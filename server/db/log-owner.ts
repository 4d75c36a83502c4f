import pg from "pg";
import { DatabaseStartError } from "./embedded/start-error.ts";
import { type Queryable, toClientConfig } from "./pool.ts";
import { quoteName } from "./sql.ts";

/**
 * The audit log belongs to a role that nobody's connection has. The site's own role adds to it and reads it; what an erasure and
 * the retention take goes through functions `foyer_log_…` of the owner's, which do that and nothing else (docs/decisions/029).
 */
export interface LogRoles {
  owner: string;
  /** Whom the site's connections are. */
  app: string;
}

/** The two tables and the parts of the first. Callers have `pg_catalog` alone in their path. */
const TABLES = `
  SELECT c.oid, c.relowner, c.relacl, c.relispartition AS is_part FROM pg_class c
  WHERE (c.relnamespace = 'public'::regnamespace AND c.relname IN ('audit_entry', 'audit_seal'))
    OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass('public.audit_entry'))`;

/** The owner's functions, and the one that the log's search column calls: whoever may change it would run in the owner's name. */
const FUNCTIONS = `
  SELECT p.oid, p.proowner, p.proname LIKE 'foyer\\_log\\_%' AS is_way FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace AND (p.proname LIKE 'foyer\\_log\\_%' OR p.proname = 'foyer_fold')`;

async function runEach(db: Queryable, select: string, values: unknown[]): Promise<void> {
  const { rows } = await db.query<{ statement: string }>(select, values);
  for (const { statement } of rows) await db.query(statement);
}

const toOwner = (db: Queryable, role: string) =>
  runEach(
    db,
    `SELECT format('ALTER TABLE %s OWNER TO %I', t.oid::regclass, $1::text) AS statement FROM (${TABLES}) t WHERE t.relowner <> to_regrole(quote_ident($1))
     UNION ALL
     SELECT format('ALTER ROUTINE %s OWNER TO %I', f.oid::regprocedure, $1::text) FROM (${FUNCTIONS}) f WHERE f.proowner <> to_regrole(quote_ident($1))`,
    [role],
  );

/**
 * Takes the log away from the site's role, which may insert, read and call the functions from then on; nothing is done twice.
 * `db`: one connection of somebody who is both roles, or a superuser, in a transaction.
 */
export async function closeLog(db: Queryable, { owner, app }: LogRoles): Promise<void> {
  const [of, to] = [quoteName(owner), quoteName(app)];
  await db.query("SET LOCAL search_path TO pg_catalog");
  // For months to come.
  await db.query(`GRANT CREATE, USAGE ON SCHEMA public TO ${of}`);
  await toOwner(db, owner);
  // Of those too: a look for damage reads each part by itself.
  await db.query(`ALTER DEFAULT PRIVILEGES FOR ROLE ${of} IN SCHEMA public GRANT SELECT ON TABLES TO ${to}`);
  await runEach(
    db,
    `SELECT format('REVOKE ALL ON %s FROM PUBLIC, %I', t.oid::regclass, $1::text) AS statement FROM (${TABLES}) t
     UNION ALL SELECT format('GRANT SELECT%s ON %s TO %I', CASE WHEN NOT t.is_part THEN ', INSERT' END, t.oid::regclass, $1::text) FROM (${TABLES}) t
     UNION ALL SELECT format('REVOKE ALL ON SEQUENCE %s FROM PUBLIC, %I', s, $1::text) FROM to_regclass('public.audit_entry_id_seq') s WHERE s IS NOT NULL
     UNION ALL SELECT format('GRANT SELECT ON SEQUENCE %s TO %I', s, $1::text) FROM to_regclass('public.audit_entry_id_seq') s WHERE s IS NOT NULL
     UNION ALL SELECT format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', f.oid::regprocedure) FROM (${FUNCTIONS}) f WHERE f.is_way
     UNION ALL SELECT format('GRANT EXECUTE ON ROUTINE %s TO %I', f.oid::regprocedure, $1::text) FROM (${FUNCTIONS}) f`,
    [app],
  );
}

/** Gives the log to the site's role while migrations, a restore or a repair work on it. As for `closeLog`. */
export async function openLog(db: Queryable, { app }: LogRoles): Promise<void> {
  await db.query("SET LOCAL search_path TO pg_catalog");
  await toOwner(db, app);
}

/**
 * Whether the connected role can do more with the log than add to it and read it: because it owns it, or its schema, has rights
 * beyond, or could give itself some.
 */
export async function canChangeLog(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ can: boolean }>(
    `SELECT bool_or(r.rolsuper OR r.rolcreaterole OR pg_has_role(r.oid, c.relowner, 'MEMBER') OR pg_has_role(r.oid, n.nspowner, 'MEMBER')
       OR has_table_privilege(r.oid, c.oid, 'UPDATE, DELETE, TRUNCATE, TRIGGER')) AS can
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, pg_roles r
     WHERE r.rolname = current_user AND c.oid IN ('public.audit_entry'::regclass, 'public.audit_seal'::regclass)`,
  );
  return rows[0]?.can !== false;
}

type Work = (db: pg.Client, roles: LogRoles) => Promise<void>;

async function connect<Answer>(
  url: string,
  work: (client: pg.Client) => Promise<Answer>,
  lockTimeoutMs?: number,
): Promise<Answer> {
  const client = new pg.Client(
    toClientConfig({ connectionString: url }, "foyer log owner", undefined, lockTimeoutMs),
  );
  client.on("error", () => undefined); // the statement that fails says it
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/** @throws DatabaseStartError with what the account of DATABASE_OWNER_URL lacks */
async function asOwner(url: string, ownerUrl: string, work: Work, lockTimeoutMs?: number): Promise<void> {
  const readPlace = async (client: pg.Client) => {
    const { rows } = await client.query<{ role: string; place: string }>(
      "SELECT current_user AS role, current_database() AS place",
    );
    return rows[0] ?? { role: "", place: "" };
  };
  const app = await connect(url, readPlace);
  try {
    const asOther = async (client: pg.Client) => {
      const owner = await readPlace(client);
      if (owner.role === app.role)
        throw new DatabaseStartError("it is the account of DATABASE_URL: it has to be another one.");
      if (owner.place !== app.place)
        throw new DatabaseStartError(
          `it leads to the database ${owner.place}, and DATABASE_URL to ${app.place}.`,
        );
      await client.query("BEGIN");
      await work(client, { owner: owner.role, app: app.role });
      await client.query("COMMIT");
    };
    await connect(ownerUrl, asOther, lockTimeoutMs);
  } catch (error) {
    const { message } = error as Error;
    const help = `The owner of the audit log has to be able to take tables over from the site's account: GRANT ${quoteName(app.role)} TO the owner.`;
    throw new DatabaseStartError(
      error instanceof DatabaseStartError
        ? `DATABASE_OWNER_URL: ${message}`
        : `DATABASE_OWNER_URL: ${message}\n${help}`,
      { cause: error },
    );
  }
}

/** What the site's account may do for a while and no request ever. `lockTimeoutMs`: where other processes may use the log. */
export interface Rights {
  /** Takes the audit log away from it, where that isn't so. */
  keepLog(lockTimeoutMs?: number): Promise<void>;
  /** Does work that changes the tables of the log: migrations, a restore. */
  withLogRights<Answer>(work: () => Promise<Answer>, lockTimeoutMs?: number): Promise<Answer>;
  /** Does work for which it may also write past foreign keys and read past damage. */
  withRepairRights<Answer>(work: () => Promise<Answer>): Promise<Answer>;
}

/** Of a server that another process prepares. */
export const NO_RIGHTS: Rights = {
  keepLog: async () => {},
  withLogRights: (work) => work(),
  withRepairRights: (work) => work(),
};

/**
 * The rights to the log of a database of `DATABASE_URL`. Without an owner's address the site's account has them always. `lockTimeoutMs`:
 * a log that others use for longer ends the step with 55P03.
 */
export function openLogRights(url: string, ownerUrl: string | undefined) {
  const asKeeper = async (work: Work, lockTimeoutMs?: number) => {
    if (ownerUrl !== undefined) await asOwner(url, ownerUrl, work, lockTimeoutMs);
  };
  const keepLog = (lockTimeoutMs?: number) => asKeeper(closeLog, lockTimeoutMs);
  return {
    keepLog,
    async withLogRights<Answer>(work: () => Promise<Answer>, lockTimeoutMs?: number): Promise<Answer> {
      await asKeeper(openLog, lockTimeoutMs);
      const [done] = await Promise.allSettled([work()]);
      const [kept] = await Promise.allSettled([keepLog(lockTimeoutMs)]);
      // Of two faults the work's is what happened; the next start takes the log away.
      if (done.status === "rejected") throw done.reason;
      if (kept.status === "rejected") throw kept.reason;
      return done.value;
    },
  };
}
