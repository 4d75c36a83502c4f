import { Command } from "commander";
import type pg from "pg";
import packageJson from "../package.json" with { type: "json" };
import { registerAccountCommands } from "./accounts/cli.ts";
import { createAppSealing, resealAppSecrets } from "./accounts/factors/codes.ts";
import { registerKeyCommands } from "./accounts/tokens/key-commands.ts";
import { readKeyDate, SigningKeysError } from "./accounts/tokens/keys.ts";
import { registerAuditCommands } from "./audit/chain/cli.ts";
import { registerBackupCommands } from "./backup/cli.ts";
import { withStop } from "./backup/command.ts";
import { openPlace } from "./backup/daily/copy.ts";
import { backUpBeforeImport, createMigrationBackup } from "./backup/former-state.ts";
import { whileStopped } from "./backup/restore-command.ts";
import { type Config, ConfigError } from "./config.ts";
import { registerCvCommands } from "./cv/cli.ts";
import { createAsk } from "./cv/import/cli.ts";
import { DatabaseStartError } from "./db/embedded/start-error.ts";
import { openKeyPlace } from "./db/keys/open-keys.ts";
import { isConnectedSince } from "./db/one-site.ts";
import { openForCommand } from "./db/open.ts";
import type { Queryable } from "./db/pool.ts";
import { withTransaction } from "./db/transaction.ts";
import { SchemaMismatchError, selectTables } from "./db/verify.ts";
import { registerFileCommands } from "./files/cli.ts";
import { FilesUnavailableError } from "./files/s3.ts";
import { findRemovalFault, leaveOthersFiles, openStores } from "./files/stores.ts";
import { loadConfig } from "./launch/load-config.ts";
import { createLog } from "./log.ts";
import { type CommandOutbox, registerMailCommands } from "./mail/cli.ts";
import { queueMail } from "./mail/outbox/message.ts";
import type { OutgoingMail } from "./mail/service.ts";
import { DECLARED } from "./models/declared/all.ts";
import { buildRegistry, ensureContentTypes } from "./models/registry/registry.ts";
import { openMailDeps } from "./open-mail.ts";
import { registerSampleCommands } from "./sample/cli.ts";
import * as tables from "./tables.ts";
import { registerUpkeepCommands } from "./upkeep/cli.ts";
import { toSharedBy } from "./upkeep/sharing.ts";
import { giveBackToSite } from "./upkeep/system.ts";

/** What a command needs to reach the server, whatever is in it. */
function toServerOptions(config: Config) {
  return {
    ...toSharedBy(config),
    databaseUrl: config.databaseUrl,
    databaseOwnerUrl: config.databaseOwnerUrl,
    databaseUser: config.databaseUser,
    log: createLog({ logLevel: "warn" }),
    // Progress is for somebody who looks: cron would mail it.
    onProgress: (step: string) => {
      if (process.stderr.isTTY) console.error(step);
    },
  };
}

/** What backups are made with. */
function toBackupOptions(config: Config) {
  const { version: appVersion } = packageJson;
  const { remote, dir: backupDir } = config.dailyBackup;
  const place = remote && openPlace(remote);
  const stores = openStores(config);
  return {
    ...toServerOptions(config),
    stores: stores.remote,
    findRemovalFault: (db: Queryable) => findRemovalFault(stores, db, "start the site"),
    keysSecret: config.keysSecret,
    appVersion,
    isSkipped: config.skipBackup,
    backupDir,
    place,
    now: () => new Date(),
  };
}

/** Opens the database for one command: beside a running server through its socket, else by itself. */
async function open(config: Config) {
  const database = await openForCommand({
    ...toServerOptions(config),
    tables: selectTables(tables),
    beforeMigrations: createMigrationBackup(toBackupOptions(config)),
  });
  // A command may come before the first start of the server.
  try {
    await ensureContentTypes(database.pool, DECLARED);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** The outbox for one command. Links lead to where the site is by its settings: only the server knows its own port 0. */
async function openOutbox(config: Config): Promise<CommandOutbox> {
  const { pool, close } = await open(config);
  try {
    const origin = config.publicUrl ?? `http://${config.host}:${config.port}`;
    const log = createLog({ logLevel: "error" });
    const deps = await openMailDeps({ config, pool, log, now: () => new Date(), getOrigin: () => origin });
    return {
      ...deps,
      async close() {
        await deps.worker.transport.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

// A reader who leaves (`foyer backup x.zip | head`) ends no work in its middle: a backup comes to its end.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") process.exitCode = 1;
  });
}

const program = new Command("npm run foyer --").description(
  "Commands for the owner of this site. They work beside a running server, but for those that say that it must be stopped. A site that is a service wants sudo before them.",
);

try {
  const config = loadConfig();
  registerAccountCommands(program, {
    ...config,
    open: () => open(config),
    async openMail() {
      const { worker, queue, close } = await openOutbox(config);
      const mail = {
        queue: async (db: Queryable, given: OutgoingMail) => void (await queueMail(queue, db, given)),
      };
      return { pool: worker.pool, mail, close };
    },
  });
  const openKeys = (pool: pg.Pool) => openKeyPlace(pool, config, createLog({ logLevel: "warn" }));
  registerKeyCommands(program, {
    async open() {
      const { pool, isBeside, close } = await open(config);
      return { pool, isBeside, place: await openKeys(pool), close };
    },
    async reseal({ pool, place }, keys) {
      if (!place.isShared && (await isConnectedSince(pool, await readKeyDate(place))))
        throw new SigningKeysError(
          "Foyer runs since before the newest key was made, and still uses the one before. Restart it first, then take the older ones out.",
        );
      return withTransaction(pool, (db) => resealAppSecrets(db, createAppSealing(keys)));
    },
    dataDir: config.dataDir,
    keysSecret: config.keysSecret,
  });
  registerAuditCommands(program, { dataDir: config.dataDir, open: () => open(config), openKeys });
  registerMailCommands(program, () => openOutbox(config));
  registerCvCommands(program, {
    open: () => open(config),
    registry: buildRegistry(DECLARED, new Map()),
    publicUrl: config.publicUrl,
    backUp: (pool) => backUpBeforeImport(pool, toBackupOptions(config)),
    ask: createAsk(),
  });
  registerSampleCommands(program, async () => {
    const { pool, close } = await open(config);
    const log = { warn: (_details: object, line: string) => console.error(line) };
    const stores = leaveOthersFiles(openStores(config), pool, log);
    return { pool, storage: stores.openStorage("files"), close };
  });
  registerFileCommands(program, {
    ...config,
    withStop,
    whileStopped: (work) => whileStopped(toServerOptions(config), ({ pool, lost }) => work(pool, lost)),
    onProgress: toServerOptions(config).onProgress,
  });
  registerBackupCommands(program, { ...toBackupOptions(config), tables: selectTables(tables) });
  registerUpkeepCommands(program, {
    config,
    root: process.cwd(),
    copies: toBackupOptions(config).place,
    bucket: openStores(config).place,
  });
  try {
    await program.parseAsync();
  } finally {
    await giveBackToSite(config.dataDir);
  }
} catch (error) {
  const isExpected = [ConfigError, DatabaseStartError, SchemaMismatchError, FilesUnavailableError].some(
    (kind) => error instanceof kind,
  );
  console.error(isExpected ? (error as Error).message : error);
  process.exitCode = 1;
}
