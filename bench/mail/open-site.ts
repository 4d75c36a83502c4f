import { rm } from "node:fs/promises";
import { createPool } from "#server/db/pool.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import setUp from "#test/global-setup.ts";

const CARELESS = ["fsync", "full_page_writes", "synchronous_commit"];

/** The tests' PostgreSQL writes from here on as the product's does. */
export async function writeCarefully(): Promise<void> {
  const server = globalThis.foyerTestServer;
  if (!server) throw new Error("the tests' PostgreSQL doesn't run");
  const admin = createPool(server.admin, { name: "bench", max: 1, onError: () => {} });
  for (const setting of CARELESS) await admin.query(`ALTER SYSTEM RESET ${setting}`);
  await admin.query("SELECT pg_reload_conf()");
  await admin.end();
}

/** Ends it, with its files. */
export async function closeServer(): Promise<void> {
  const server = globalThis.foyerTestServer;
  if (!server) return;
  await server.stop();
  await rm(server.dataDir, { recursive: true, force: true });
}

export type MailSite = TestApp & { headers: { authorization: string } };

/** The whole server, and the headers of somebody who may read and triage. */
export async function openMailSite(): Promise<MailSite> {
  await setUp();
  await writeCarefully();
  const site = await createTestApp();
  const { authorization } = await site.signInAs(10);
  return {
    ...site,
    headers: { authorization },
    async close() {
      await site.close();
      await closeServer();
    },
  };
}
