import { randomUUID } from "node:crypto";
import packageJson from "../package.json" with { type: "json" };
import { openSetupLink } from "./accounts/setup-link.ts";
import { openKeyRing } from "./accounts/tokens/key-ring.ts";
import { readKeyDate, SigningKeysError } from "./accounts/tokens/keys.ts";
import { createApp } from "./app.ts";
import { createChainDuty } from "./audit/chain/duty.ts";
import { ChainKeyError, readChainKey } from "./audit/chain/signature.ts";
import { createSink } from "./audit/chain/sink.ts";
import { createChainWatch, tellOfChain } from "./audit/chain/watch.ts";
import { raiseAlert } from "./audit/service.ts";
import { createMigrationBackup } from "./backup/former-state.ts";
import { NOTIFY_NAME } from "./cluster/notify-carrier.ts";
import { chooseCluster } from "./cluster/open-cluster.ts";
import { type Config, ConfigError } from "./config.ts";
import { DatabaseStartError } from "./db/embedded/start-error.ts";
import { openKeyPlace } from "./db/keys/open-keys.ts";
import { openLeases } from "./db/leases/shared-leases.ts";
import { type Database, openDatabase } from "./db/open.ts";
import { toClientConfig } from "./db/pool.ts";
import { SchemaMismatchError, selectTables } from "./db/verify.ts";
import { FilesUnavailableError } from "./files/s3.ts";
import type { FileStorage } from "./files/store.ts";
import { openStores } from "./files/stores.ts";
import { drainServer } from "./http/drain.ts";
import { openDevAssets } from "./http/pages/dev-assets.ts";
import { openBuiltAssets } from "./http/pages/page-assets.ts";
import { LAUNCHED_NAME, parseLaunched, sayReady, toProcessLabel } from "./launch/launched.ts";
import { listenTogether, toPort } from "./launch/listen.ts";
import { loadConfig } from "./launch/load-config.ts";
import { createLog } from "./log.ts";
import { countUnreadable } from "./mail/outbox/message.ts";
import { createOutbox } from "./mail/outbox/outbox.ts";
import { DECLARED } from "./models/declared/all.ts";
import { RegistryError } from "./models/registry/registry.ts";
import { openBackups } from "./open-backups.ts";
import { openHousekeeping } from "./open-housekeeping.ts";
import {
  createMailWays,
  createSendingDomain,
  openMailDeps,
  openReturned,
  toMailFolder,
} from "./open-mail.ts";
import { createDrawingProcess } from "./pictures/drawing-process.ts";
import { openBroker } from "./pictures/start-child.ts";
import { onShutdown, printWelcome } from "./process.ts";
import { applyFirstStart } from "./sample/first-start.ts";
import * as tables from "./tables.ts";
import { createVersionLook } from "./upkeep/look-for-version.ts";
import { toSharedBy } from "./upkeep/sharing.ts";
import {
  actAs,
  actAsRoot,
  asRoot,
  decideAccount,
  leaveRoot,
  type SiteAccount,
  toJoiner,
} from "./upkeep/site-account.ts";
import { run } from "./upkeep/system.ts";
import { openRelay } from "./voice/turn/open-relay.ts";

/** Says what a first start put in and how long that took; any other start says nothing. */
async function fillAtFirst({ launched }: Config, { pool }: Database, storage: FileStorage): Promise<void> {
  if (launched?.isJoining) return;
  const begin = performance.now();
  const filled = await applyFirstStart(pool, storage);
  if (!filled) return;
  const what = filled.rows > 0 ? `, sample content of ${filled.rows} items and ${filled.files} files` : "";
  console.log(`First start: default pages and settings${what} (${Math.round(performance.now() - begin)} ms)`);
}

/** What starts drawing processes once root is given up. */
function openStarter(account: SiteAccount | undefined, stop: ReturnType<typeof onShutdown>) {
  const starter = account && openBroker(account);
  if (starter) stop.add(starter.close);
  return starter;
}

async function start(config: Config): Promise<void> {
  const { launched } = config;
  const log = createLog(config);
  const stop = onShutdown(log);
  const stores = openStores(config);
  const { account, refusal } = await decideAccount(config, process.cwd());
  if (refusal) console.error(`Foyer stays root: ${refusal}`);
  const starter = openStarter(account, stop);
  const joiner = toJoiner(launched, account);
  // Only root finds the built-in database of another one.
  if (config.databaseUrl) actAs(joiner);
  const database = await openDatabase({
    ...toSharedBy(config),
    databaseUrl: config.databaseUrl,
    databaseOwnerUrl: config.databaseOwnerUrl,
    databaseUser: config.databaseUser,
    launched,
    ...(account && { reader: account }),
    tables: selectTables(tables),
    log,
    onProgress: (step) => console.log(step),
    beforeMigrations: createMigrationBackup({
      dataDir: config.dataDir,
      stores: stores.remote,
      keysSecret: config.keysSecret,
      appVersion: packageJson.version,
      isSkipped: config.skipBackup,
      now: () => new Date(),
      onProgress: (step) => console.log(step),
    }),
  });
  stop.add(() => database.close());
  void database.died.then(({ reason }) => stop.fail(reason));
  actAs(joiner);

  const isAlone = database.isEmbedded && !launched;
  const leases = openLeases(database.connection, isAlone, {
    processId: randomUUID(),
    steadyMs: () => performance.now(),
    now: () => new Date(),
    log,
  });
  stop.add(leases.close);

  const keyPlace = await openKeyPlace(database.pool, config, log);
  const chainKey = await readChainKey(keyPlace);
  const keys = await openKeyRing({ ...database, place: keyPlace, log });
  const { pool, exportPool } = database;
  const { auditSink: target, dataDir } = config;
  const duty = createChainDuty(leases, chainKey);
  const sink = target && createSink({ pool, target, dataDir, duty, log, now: () => new Date() });
  const chain = createChainWatch({
    pool,
    exportPool,
    canChangeLog: database.canChangeLog,
    dataDir,
    key: chainKey,
    tell: tellOfChain(log, (fault) =>
      raiseAlert(pool, { kind: "audit_broken", about: { en: fault, tr: fault }, isOnce: true }),
    ),
    log,
    now: () => new Date(),
    duty,
    sink,
  });
  // Stops after the server, whose last requests still write the log.
  stop.add(chain.close);

  const housekeeping = openHousekeeping({ config, pool, stores, leases, chainKey, log });
  stop.add(housekeeping.close);
  await leases.start();
  await housekeeping.start();

  let origin = config.publicUrl ?? "";
  const mail = await openMailDeps({
    config,
    pool: database.pool,
    log,
    now: leases.now,
    isShared: leases.isShared,
    getOrigin: () => origin,
    keys,
  });
  const unreadable = await countUnreadable(database.pool, mail.queue.secrets);
  if (unreadable > 0)
    log.warn(
      { mails: unreadable },
      `the keys (${keyPlace.toTitle("access-token.json")}) can't read the codes of mails that wait: those mails fail. Were there other keys before? Put them back and start again`,
    );
  const outbox = createOutbox({ ...mail.worker, feed: database.feed });
  // Stops after the server, whose requests still queue mails.
  stop.add(outbox.close);

  const backups = openBackups({
    config,
    database,
    leases,
    stores: stores.remote,
    queue: mail.queue,
    log,
    now: () => new Date(),
  });
  stop.add(backups.close);

  const openPort = () =>
    openReturned({ config, pool: database.pool, isShared: leases.isShared, log, now: leases.now });
  const returned = await asRoot(joiner, openPort);
  stop.add(returned.close);

  const relay = await asRoot(joiner, () => openRelay({ config, log, now: () => new Date() }));
  stop.add(relay.close);

  const setupLink = await openSetupLink({ pool, now: leases.now, log });
  stop.add(setupLink.close);
  const app = await createApp({
    config,
    database,
    keys,
    declarations: DECLARED,
    stores,
    leases,
    // Of each process of a machine, and the same after its restart.
    processLabel: toProcessLabel(config),
    ...(starter && { drawing: createDrawingProcess({ starter }) }),
    openAssets: config.isDevelopment
      ? (app) => openDevAssets(app, { root: process.cwd(), dataDir: config.dataDir })
      : (app) => openBuiltAssets(app, config.outDir),
    ice: [relay.settings],
    janus: config.janusUrl ? { url: config.janusUrl, secret: config.janusSecret } : undefined,
    mailWays: createMailWays(config, () => new Date()),
    sendingDomain: createSendingDomain({ config, log, now: () => new Date() }),
    checkRelay: relay.check,
    checkReturnPath: mail.checkReturnPath,
    checkBackups: backups.check,
    checkTables: backups.checkTables,
    checkAudit: chain.check,
    readKeyDate: () => readKeyDate(keyPlace),
    isStopping: () => stop.isStopping,
    listUnshared: database.listUnshared,
    lookForVersion: createVersionLook({
      root: process.cwd(),
      run,
      steadyMs: () => performance.now(),
    }),
    openCluster: chooseCluster(config, toClientConfig(database.connection, NOTIFY_NAME)),
    log,
    now: leases.now,
  });
  // Its launcher is gone, and with it the database: nobody can be served meanwhile.
  const isOrphan = () => launched !== undefined && database.isEmbedded && !process.connected;
  stop.add(() => drainServer(app, { drainMs: isOrphan() ? 0 : config.drainSeconds * 1000 }));
  await fillAtFirst(config, database, stores.openStorage("files"));
  // What was kept since the first time.
  await leases.renew();
  if (stop.isStopping) return;
  const address = await asRoot(joiner, () => listenTogether(app, config));
  origin ||= address;
  if (account) {
    actAsRoot(joiner);
    const line = await leaveRoot(account, config.dataDir, joiner !== undefined);
    if (line) console.log(line);
  }
  outbox.start();
  backups.start();
  chain.start();
  if (launched) sayReady(toPort(address));
  if (launched?.isJoining) return;
  await printWelcome(database, origin, config.smtpUrl ? undefined : toMailFolder(config), setupLink.token);
}

function isExpected(error: unknown): error is Error {
  return [
    ConfigError,
    DatabaseStartError,
    SchemaMismatchError,
    RegistryError,
    SigningKeysError,
    ChainKeyError,
    FilesUnavailableError,
  ].some((kind) => error instanceof kind);
}

/** Failures that the owner can mend are printed in words; anything else with all that is known. */
function explain(error: unknown): string | unknown {
  if (isExpected(error)) return error.message;
  // Node's listen errors have these.
  const { code, port, address, syscall } = error as Partial<
    Record<"code" | "address" | "syscall", string>
  > & {
    port?: number;
  };
  if (code === "EADDRINUSE")
    return `Port ${port} on ${address} is taken. Stop the other program or set PORT.`;
  if (code === "EADDRNOTAVAIL" || (code === "ENOTFOUND" && syscall === "getaddrinfo"))
    return `HOST is no address of this machine (${code}). Use 127.0.0.1, or 0.0.0.0 for every address.`;
  if (code === "EACCES" && port)
    return `Port ${port} may not be used by this account. Set PORT to one above 1023.`;
  return error;
}

try {
  // The first of several has warned of names that it doesn't know.
  const { isJoining } = parseLaunched(process.env[LAUNCHED_NAME] ?? "") ?? {};
  await start(isJoining ? loadConfig(() => undefined) : loadConfig());
} catch (error) {
  console.error("\nFoyer could not start.\n", explain(error));
  process.exitCode = 1;
  process.emit("SIGTERM");
}
