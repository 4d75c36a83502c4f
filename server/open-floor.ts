import { hostname } from "node:os";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { deriveSecrets, loadSigningKeys, type SigningKeys } from "./accounts/tokens/keys.ts";
import { toModelSchemas } from "./content/route-schemas.ts";
import { createServer } from "./create-server.ts";
import { createNotices } from "./db/change-notices.ts";
import { createLocalLeases, type Leases } from "./db/leases/lease.ts";
import type { Database } from "./db/open.ts";
import { closeFolder, createLocalStorage } from "./files/store.ts";
import type { Floor } from "./floor.ts";
import type { App } from "./http/zod.ts";
import type { ModelDeclaration } from "./models/declare.ts";
import { buildRegistry, ensureContentTypes } from "./models/registry/registry.ts";

/** What a process is given: tests and benches pass their own clock, models and folders. */
export interface FloorOptions extends Pick<Floor, "config" | "storage" | "log" | "now"> {
  database: Pick<Database, "pool" | "exportPool" | "feed">;
  declarations: readonly ModelDeclaration[];
  patience?: number;
  /** Left out: the process's own. */
  steadyMs?: () => number;
  /** Left out: there is no other process. */
  leases?: Leases;
  /** Left out: the name of the machine. */
  processLabel?: string;
}

/** Of the data folder: uploaded files, people's pictures, and smaller ones of both. */
const STORAGE_FOLDERS = ["files", "people", "pictures"];

/** Makes what every subject stands on, but for who may ask: that accounts know. @throws RegistryError for a wrong declaration. */
export async function openFloor(
  options: FloorOptions,
): Promise<{ app: App; floor: Omit<Floor, "requireLevel" | "requireRecent">; keys: SigningKeys }> {
  const { config, database, declarations, storage, log, now, patience = 1 } = options;
  const { steadyMs = () => performance.now(), leases = createLocalLeases() } = options;
  const { version } = packageJson;
  const registry = buildRegistry(declarations, await ensureContentTypes(database.pool, declarations));
  const keys = await loadSigningKeys(config.dataDir);
  for (const name of STORAGE_FOLDERS)
    await closeFolder(join(config.dataDir, name)).catch((error: unknown) =>
      log.warn({ err: error }, `the folder ${name} of the data folder can't be closed to other accounts`),
    );
  const app = await createServer({ config, version, schemas: toModelSchemas(registry), log });
  const notices = createNotices(database.pool, log);
  app.addHook("onClose", notices.close);
  const floor = {
    ...database,
    processId: leases.processId,
    processLabel: options.processLabel ?? hostname(),
    leases,
    config,
    storage,
    openStorage: (name: string) => createLocalStorage(join(config.dataDir, name)),
    registry,
    notices,
    deriveSecrets: (purpose: string) => deriveSecrets(keys, purpose),
    version,
    log,
    now,
    steadyMs,
    patience,
  };
  return { app, floor, keys };
}
