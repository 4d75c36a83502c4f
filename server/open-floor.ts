import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { type KeyRing, ofKeys, openKeyRing } from "./accounts/tokens/key-ring.ts";
import { deriveSecrets } from "./accounts/tokens/keys.ts";
import { toModelSchemas } from "./content/route-schemas.ts";
import { createServer } from "./create-server.ts";
import { createNotices } from "./db/change-notices.ts";
import { openKeyPlace } from "./db/keys/open-keys.ts";
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
  /** Left out: they are opened here, and closed with the server. */
  keys?: KeyRing;
  patience?: number;
  /** Left out: the process's own. */
  steadyMs?: () => number;
}

/** Of the data folder: uploaded files, people's pictures, and smaller ones of both. */
const STORAGE_FOLDERS = ["files", "people", "pictures"];

/** Makes what every subject stands on, but for who may ask: that accounts know. @throws RegistryError for a wrong declaration. */
export async function openFloor(
  options: FloorOptions,
): Promise<{ app: App; floor: Omit<Floor, "requireLevel" | "requireRecent">; keys: KeyRing }> {
  const { config, database, declarations, storage, log, now, patience = 1 } = options;
  const { steadyMs = () => performance.now() } = options;
  const { version } = packageJson;
  const registry = buildRegistry(declarations, await ensureContentTypes(database.pool, declarations));
  const keys =
    options.keys ??
    (await openKeyRing({ ...database, log, place: await openKeyPlace(database.pool, config, log) }));
  for (const name of STORAGE_FOLDERS)
    await closeFolder(join(config.dataDir, name)).catch((error: unknown) =>
      log.warn({ err: error }, `the folder ${name} of the data folder can't be closed to other accounts`),
    );
  const app = await createServer({ config, version, schemas: toModelSchemas(registry), log });
  const notices = createNotices(database.pool, log);
  app.addHook("onClose", notices.close);
  app.addHook("onClose", async () => keys.close());
  const floor = {
    ...database,
    config,
    storage,
    openStorage: (name: string) => createLocalStorage(join(config.dataDir, name)),
    registry,
    notices,
    deriveSecrets: (purpose: string) => deriveSecrets(keys.current(), purpose),
    ofSecrets: <Made extends object>(
      purpose: string,
      make: (secrets: ReturnType<typeof deriveSecrets>) => Made,
    ) => ofKeys(keys, (now) => make(deriveSecrets(now, purpose))),
    version,
    log,
    now,
    steadyMs,
    patience,
  };
  return { app, floor, keys };
}
