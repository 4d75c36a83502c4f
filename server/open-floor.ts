import { hostname } from "node:os";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { type KeyRing, ofKeys, openKeyRing } from "./accounts/tokens/key-ring.ts";
import { deriveSecrets } from "./accounts/tokens/keys.ts";
import { openMemoryCounters } from "./base/counters.ts";
import { toTrustRule } from "./base/proxies.ts";
import type { Cluster, ClusterDeps } from "./cluster/open-cluster.ts";
import { toModelSchemas } from "./content/route-schemas.ts";
import { createServer } from "./create-server.ts";
import { createNotices } from "./db/change-notices.ts";
import { openKeyPlace } from "./db/keys/open-keys.ts";
import { createLocalLeases, type Leases } from "./db/leases/lease.ts";
import type { Database } from "./db/open.ts";
import { readDatabaseName, selectOthers } from "./db/site-processes.ts";
import { closeFolder } from "./files/store.ts";
import { type FileStores, leaveOthersFiles, openStores, STORAGE_NAMES } from "./files/stores.ts";
import type { Floor } from "./floor.ts";
import type { App } from "./http/zod.ts";
import type { ModelDeclaration } from "./models/declare.ts";
import { buildRegistry, ensureContentTypes } from "./models/registry/registry.ts";

/** What a process is given: tests and benches pass their own clock, models and folders. */
export interface FloorOptions extends Pick<Floor, "config" | "log" | "now"> {
  /** Left out: folders of the data folder. */
  stores?: FileStores;
  database: Pick<Database, "pool" | "exportPool" | "feed">;
  declarations: readonly ModelDeclaration[];
  /** Left out: they are opened here, and closed with the server. */
  keys?: KeyRing;
  patience?: number;
  /** Left out: the process's own. */
  steadyMs?: () => number;
  /** Left out: the process is the only one. */
  openCluster?: ((deps: ClusterDeps) => Promise<Cluster>) | undefined;
  /** Left out: there is no other process. */
  leases?: Leases;
  /** Left out: the name of the machine. */
  processLabel?: string;
}

/** Makes what every subject stands on, but for who may ask: that accounts know. @throws RegistryError for a wrong declaration. */
export async function openFloor(
  options: FloorOptions,
): Promise<{ app: App; floor: Omit<Floor, "requireLevel" | "requireRecent">; keys: KeyRing }> {
  const { config, database, declarations, log, now, patience = 1 } = options;
  const { steadyMs = () => performance.now(), leases = createLocalLeases(), openCluster } = options;
  const places = options.stores ?? openStores({ dataDir: config.dataDir, fileStore: undefined });
  const stores = leaveOthersFiles(places, database.pool, log, steadyMs);
  const { processLabel = hostname() } = options;
  const { version } = packageJson;
  const registry = buildRegistry(declarations, await ensureContentTypes(database.pool, declarations));
  const keys =
    options.keys ??
    (await openKeyRing({ ...database, log, place: await openKeyPlace(database.pool, config, log) }));
  // Who joins others finds them closed, and in use.
  for (const name of config.launched?.isJoining ? [] : STORAGE_NAMES)
    await closeFolder(join(config.dataDir, name)).catch((error: unknown) =>
      log.warn({ err: error }, `the folder ${name} of the data folder can't be closed to other accounts`),
    );
  const app = await createServer({ config, version, schemas: toModelSchemas(registry), log });
  if (config.otlp) {
    const { openTraces } = await import("./http/traces.ts");
    const pools = [database.pool, database.exportPool];
    const trusts = toTrustRule(config.trustProxy);
    openTraces(app, { ...config.otlp, version, processLabel, pools, trusts, log });
  }
  const notices = createNotices(database.pool, log);
  app.addHook("onClose", notices.close);
  app.addHook("onClose", async () => keys.close());
  const secrets = (purpose: string) => deriveSecrets(keys.current(), purpose);
  const ofSecrets = <Made extends object>(
    purpose: string,
    make: (secrets: ReturnType<typeof deriveSecrets>) => Made,
  ) => ofKeys(keys, (now) => make(deriveSecrets(now, purpose)));
  const cluster = await openCluster?.({
    processId: leases.processId,
    databaseName: await readDatabaseName(database.pool),
    countProcesses: async () => (await selectOthers(database.pool)).length,
    ...{ ofSecrets, steadyMs, log },
  });
  if (cluster) app.addHook("onClose", cluster.close);
  const floor = {
    ...database,
    processId: leases.processId,
    processLabel,
    leases,
    config,
    storage: stores.openStorage("files"),
    openStorage: stores.openStorage,
    stores,
    registry,
    notices,
    deriveSecrets: secrets,
    ofSecrets,
    version,
    log,
    now,
    steadyMs,
    openCounter: cluster?.openCounter ?? openMemoryCounters(steadyMs),
    cluster,
    patience,
  };
  return { app, floor, keys };
}
