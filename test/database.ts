import { randomBytes } from "node:crypto";
import type pg from "pg";
import { createPool } from "#server/db/pool.ts";
import {
  adminConnection,
  superuserConnection,
  TEMPLATE_DATABASE,
  type TestConnection,
} from "./test-server.ts";

/** A migrated database of a test file's own. */
export interface TestDatabase {
  pool: pg.Pool;
  connection: TestConnection;
  /** Runs a statement as the cluster's superuser. */
  damage(sql: string): Promise<void>;
  close(): Promise<void>;
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
      const superuser = createPool(superuserConnection(name), { name: "damage", max: 1, onError: () => {} });
      await superuser.query(sql);
      await superuser.end();
    },
    async close() {
      await pool.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}
