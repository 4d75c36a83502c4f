import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepLog } from "#server/db/embedded/app-role.ts";
import { startEmbedded } from "#server/db/embedded/supervisor.ts";
import { applyMigrations } from "#server/db/migrate.ts";
import { createPool } from "#server/db/pool.ts";
import { adminConnection, TEMPLATE_DATABASE, type TestServer } from "./test-server.ts";

declare global {
  var foyerTestServer: TestServer | undefined;
}

/**
 * Starts the product's own PostgreSQL once for all test files, with a migrated template that each database is copied from. Nothing of
 * it has to survive a power cut.
 */
export default async function setUp(): Promise<void> {
  if (globalThis.foyerTestServer) return;
  const dataDir = await mkdtemp(join(tmpdir(), "foyer-test-"));
  // Open to the account that root drops to; else the cluster would go to /var/lib/foyer.
  await chmod(dataDir, 0o711);
  const silent = { info: () => {}, warn: () => {} };
  const server = await startEmbedded({ dataDir, log: silent });
  process.env.FOYER_TEST_SERVER = JSON.stringify(server.connection);
  globalThis.foyerTestServer = { dataDir, admin: server.adminConnection, stop: () => server.stop() };
  const admin = createPool(server.adminConnection, { name: "tests", max: 1, onError: () => {} });
  for (const setting of ["fsync", "full_page_writes", "synchronous_commit"]) {
    await admin.query(`ALTER SYSTEM SET ${setting} = off`);
  }
  await admin.query("SELECT pg_reload_conf()");
  await admin.query(`CREATE DATABASE ${TEMPLATE_DATABASE} OWNER ${server.connection.user}`);
  await admin.end();
  const template = createPool(adminConnection(TEMPLATE_DATABASE), {
    name: "tests",
    max: 1,
    onError: () => {},
  });
  await applyMigrations(template);
  await template.end();
  // As a start leaves it: tests have the rights that the product has.
  await keepLog({ ...server.adminConnection, database: TEMPLATE_DATABASE });
}
