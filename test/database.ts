import { randomBytes } from "node:crypto";
import type pg from "pg";
import { createPool, type Queryable } from "#server/db/pool.ts";
import {
  adminConnection,
  superuserConnection,
  TEMPLATE_DATABASE,
  type TestConnection,
} from "./test-server.ts";
import { until } from "./until.ts";

/** A migrated database of a test file's own. */
export interface TestDatabase {
  pool: pg.Pool;
  connection: TestConnection;
  /** Runs a statement as the cluster's superuser. */
  damage(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** Connections of the superuser, by their databases; `close` ends them. */
const owners = new Map<string, pg.Pool>();

/** Changes the audit log of a pool's database, which the product's own role can't. */
export async function asLogOwner<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const { database = "" } = pool.options;
  let owner = owners.get(database);
  if (!owner) {
    owner = createPool(superuserConnection(database), { name: "log owner", max: 1, onError: () => {} });
    owners.set(database, owner);
  }
  return (await owner.query<Row>(sql, values)).rows;
}

/** How PostgreSQL does the statements of some work, which gets no rows by them. */
export async function explain(pool: pg.Pool, work: (db: Queryable) => Promise<unknown>): Promise<string> {
  const plans: string[] = [];
  const query = async (sql: string, values: unknown[]) => {
    const { rows } = await pool.query<{ "QUERY PLAN": string }>(`EXPLAIN ANALYZE ${sql}`, values);
    plans.push(...rows.map((row) => row["QUERY PLAN"]));
    return { rows: [], rowCount: 0 };
  };
  await work({ query } as unknown as Queryable); // those who ask read rows alone
  return plans.join("\n");
}

/** Copies the migrated template, or makes an empty database; `close` drops it. */
export async function createTestDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const admin = createPool(adminConnection(), { name: "tests", max: 1, onError: () => {} });
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${isEmpty ? "template0" : TEMPLATE_DATABASE}`);
  const connection = adminConnection(name);
  const pool = createPool(connection, { name: "test", max: 10, onError: () => {} });
  return {
    pool,
    connection,
    async damage(sql) {
      await asLogOwner(pool, sql);
    },
    async close() {
      await owners.get(name)?.end();
      owners.delete(name);
      await pool.end();
      // The site's role may not end a superuser's connection, which closing the database does with all that are left.
      await until(async () => {
        const { rowCount } = await admin.query(
          "SELECT FROM pg_stat_activity WHERE datname = $1 AND usename <> current_user",
          [name],
        );
        return rowCount === 0;
      });
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}
