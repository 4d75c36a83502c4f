import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "./embedded/supervisor.ts";
import { applyMigrationRange } from "./migrate.ts";
import { createPool } from "./pool.ts";
import { findUnannounced, splitMigrations } from "./two-steps.ts";
import { CATALOG_FILE, readCatalog } from "./verify.ts";

/**
 * `npm run db:generate [-- --name NAME | --custom --name NAME]`: generates a migration from the Drizzle tables, applies all
 * of them to an empty database, and writes down the catalog that results. Start-up compares with it. A migration that takes away what the
 * version before uses is named, and the command fails.
 */
const result = spawnSync(
  process.execPath,
  [
    "node_modules/drizzle-kit/bin.cjs",
    "generate",
    "--config",
    "server/db/drizzle.config.ts",
    ...process.argv.slice(2),
  ],
  { stdio: "inherit" },
);
if (result.status !== 0) process.exit(result.status ?? 1);

const dataDir = await mkdtemp(join(tmpdir(), "foyer-generate-"));
// Open to the account that root drops to; else the cluster would go to /var/lib/foyer.
await chmod(dataDir, 0o711);
const log = { info: console.log, warn: console.warn };
const server = await startEmbedded({ dataDir, log });
const pool = createPool(server.connection, { name: "generate", max: 1, onError: log.warn });
try {
  const { free, bound, names } = splitMigrations();
  await applyMigrationRange(pool, { after: 0, ...free });
  for (const fault of await findUnannounced(pool, bound, names)) {
    console.error(fault);
    process.exitCode = 1;
  }
  await writeFile(CATALOG_FILE, `${JSON.stringify(await readCatalog(pool), null, 2)}\n`);
  console.log(`Wrote ${CATALOG_FILE}`);
} finally {
  await pool.end();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
