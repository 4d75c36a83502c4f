import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { cleanAccounts, sweepPictures } from "./accounts/housekeeping.ts";
import { openSetupLink } from "./accounts/setup-link.ts";
import { openKeyRing } from "./accounts/tokens/key-ring.ts";
import { readKeyDate, SigningKeysError } from "./accounts/tokens/keys.ts";
import { createApp } from "./app.ts";
import { ChainKeyError, readChainKey } from "./audit/chain/signature.ts";
import { createSink } from "./audit/chain/sink.ts";
import { createChainWatch, tellOfChain } from "./audit/chain/watch.ts";
import { dropOldAuditEntries, ensureAuditPartitions } from "./audit/months.ts";
import { deleteOldAlerts, raiseAlert } from "./audit/service.ts";
import { createMigrationBackup } from "./backup/former-state.ts";
import { type Config, ConfigError } from "./config.ts";
import { removeOldJobs } from "./content/bulk/jobs.ts";
import { deleteOldExports } from "./content/exports/service.ts";
import { DatabaseStartError } from "./db/embedded/start-error.ts";
import { openKeyPlace } from "./db/keys/open-keys.ts";
import { type Database, openDatabase } from "./db/open.ts";
import { SchemaMismatchError, selectTables } from "./db/verify.ts";
import { createLocalStorage, type FileStorage } from "./files/store.ts";
import { deleteOldSamples } from "./health/sampler.ts";
import { openDevAssets } from "./http/pages/dev-assets.ts";
import { openBuiltAssets } from "./http/pages/page-assets.ts";
import { loadConfig } from "./load-config.ts";
import { createLog } from "./log.ts";
import { countUnreadable } from "./mail/outbox/message.ts";
import { createOutbox } from "./mail/outbox/outbox.ts";
import { DECLARED } from "./models/declared/all.ts";
import { RegistryError } from "./models/registry/registry.ts";
import { openBackups } from "./open-backups.ts";
import {
  createMailWays,
  createSendingDomain,
  openMailDeps,
  openReturned,
  removeOldMail,
  toMailFolder,
} from "./open-mail.ts";
import { createDrawingProcess } from "./pictures/drawing-process.ts";
import { openBroker } from "./pictures/start-child.ts";
import { onShutdown, printWelcome, runEach } from "./process.ts";
import { applyFirstStart } from "./sample/first-start.ts";
import { dropOldCspReports } from "./site/csp-reports.ts";
import * as tables from "./tables.ts";
import { createVersionLook } from "./upkeep/look-for-version.ts";
import { toSharedBy } from "./upkeep/sharing.ts";
import { decideAccount, leaveRoot } from "./upkeep/site-account.ts";
import { run } from "./upkeep/system.ts";
import { cleanVoice } from "./voice/service.ts";
import { openRelay } from "./voice/turn/open-relay.ts";

const HOUSEKEEPING_EVERY_MS = 24 * 60 * 60 * 1000;
/** Requests that still run after this are cut, so that a stop always ends. */
const DRAIN_TIMEOUT_MS = 15_000;

/** Says what a first start put in and how long that took; any other start says nothing. */
async function fillAtFirst({ pool }: Database, storage: FileStorage): Promise<void> {
  const begin = performance.now();
  const filled = await applyFirstStart(pool, storage);
  if (!filled) return;
  const what = filled.rows > 0 ? `, sample content of ${filled.rows} items and ${filled.files} files` : "";
  console.log(`First start: default pages and settings${what} (${Math.round(performance.now() - begin)} ms)`);
}

async function start(config: Config): Promise<void> {
  const log = createLog(config);
  const stop = onShutdown(log);
  const { account, refusal } = await decideAccount(config, process.cwd());
  if (refusal) console.error(`Foyer stays root: ${refusal}`);
  const database = await openDatabase({
    ...toSharedBy(config),
    databaseUrl: config.databaseUrl,
    databaseOwnerUrl: config.databaseOwnerUrl,
    databaseUser: config.databaseUser,
    ...(account && { reader: account }),
    tables: selectTables(tables),
    log,
    onProgress: (step) => console.log(step),
    beforeMigrations: createMigrationBackup({
      dataDir: config.dataDir,
      keysSecret: config.keysSecret,
      appVersion: packageJson.version,
      isSkipped: config.skipBackup,
      now: () => new Date(),
      onProgress: (step) => console.log(step),
    }),
  });
  stop.add(() => database.close());
  void database.died.then(({ reason }) => stop.fail(reason));

  const keyPlace = await openKeyPlace(database.pool, config, log);
  const chainKey = await readChainKey(keyPlace);
  const keys = await openKeyRing({ ...database, place: keyPlace, log });
  const { pool, exportPool } = database;
  const { auditSink: target, dataDir } = config;
  const sink = target && createSink({ pool, target, dataDir, log, now: () => new Date() });
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
    sink,
  });
  // Stops after the server, whose last requests still write the log.
  stop.add(chain.close);

  const runHousekeeping = async () => {
    const now = new Date();
    await runEach(log, {
      "partitions of the log": () => ensureAuditPartitions(database.pool, now),
      "old entries of the log": () => dropOldAuditEntries(pool, now, config.auditRetentionMonths, chainKey),
      alerts: () => deleteOldAlerts(pool, now),
      accounts: () => cleanAccounts(database.pool, now),
      pictures: () => sweepPictures(database.pool, join(config.dataDir, "people"), now),
      mails: () => removeOldMail(config, database.pool, now),
      "bulk jobs": () => removeOldJobs(database.pool, now),
      exports: () => deleteOldExports(database.pool, now),
      "voice rooms": () => cleanVoice(database.pool, now),
      "policy reports": () => dropOldCspReports(database.pool, now),
      "health samples": () => deleteOldSamples(database.pool, now),
    });
  };
  await runHousekeeping();
  const housekeeping = setInterval(runHousekeeping, HOUSEKEEPING_EVERY_MS);
  stop.add(async () => clearInterval(housekeeping));

  let origin = config.publicUrl ?? "";
  const mail = await openMailDeps({
    config,
    pool: database.pool,
    log,
    now: () => new Date(),
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

  const backups = openBackups({ config, database, queue: mail.queue, log, now: () => new Date() });
  stop.add(backups.close);

  const returned = await openReturned({ config, pool: database.pool, log, now: () => new Date() });
  stop.add(returned.close);

  const relay = await openRelay({ config, log, now: () => new Date() });
  stop.add(relay.close);

  const storage = createLocalStorage(join(config.dataDir, "files"));
  const setupLink = await openSetupLink({ pool, now: () => new Date(), log });
  stop.add(setupLink.close);
  const starter = account && openBroker(account);
  const app = await createApp({
    config,
    database,
    keys,
    declarations: DECLARED,
    storage,
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
    listUnshared: database.listUnshared,
    lookForVersion: createVersionLook({
      root: process.cwd(),
      run,
      steadyMs: () => performance.now(),
    }),
    log,
    now: () => new Date(),
  });
  stop.add(async () => {
    const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS);
    await app.close();
    clearTimeout(cut);
  });
  await fillAtFirst(database, storage);
  if (stop.isStopping) return;
  const address = await app.listen({ port: config.port, host: config.host });
  origin ||= address;
  if (account) {
    const line = await leaveRoot(account, config.dataDir);
    if (line) console.log(line);
  }
  outbox.start();
  backups.start();
  chain.start();
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
  await start(loadConfig());
} catch (error) {
  console.error("\nFoyer could not start.\n", explain(error));
  process.exitCode = 1;
  process.emit("SIGTERM");
}
