import type pg from "pg";
import { DatabaseStartError } from "../embedded/start-error.ts";
import type { Queryable } from "../pool.ts";
import { selectOthers } from "../site-processes.ts";
import { withTransaction } from "../transaction.ts";
import { type KeyPlace, openKeyFolder, readKeyFolder, removeFromFolder } from "./key-place.ts";
import { deleteKeyRows, hasKeyRows, lockKeyTable, openKeyTable } from "./key-table.ts";

/** Which decide where keys are. */
export interface KeySettings {
  dataDir: string;
  /** KEYS_SECRET; undefined: keys are files of the data folder. */
  keysSecret?: string | undefined;
}

const NEEDS_SECRET =
  "The keys of this site are in its database, sealed with KEYS_SECRET, which isn't set. Set it to what the other processes have; or, with it set once more, write them into the data folder again: npm run foyer -- keys-to-folder";

/**
 * Puts key files of a data folder into the database, as they are, but for those that are there: what the database has wins.
 * In the caller's transaction. @throws DatabaseStartError where the rows that are there are sealed with another secret
 */
export async function putKeysIn(db: Queryable, dataDir: string, keysSecret: string): Promise<void> {
  await lockKeyTable(db);
  const table = openKeyTable(db, keysSecret);
  const known = await table.list();
  for (const [name, text] of await readKeyFolder(dataDir))
    if (!known.has(name)) await table.create(name, text);
}

/** Whether there is anything that keys vouch for: people, or seals of the audit log. */
async function isUsed(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query(
    "SELECT WHERE EXISTS (SELECT FROM account_user) OR EXISTS (SELECT FROM audit_seal)",
  );
  return rowCount === 1;
}

/**
 * Opens the site's keys. With KEYS_SECRET they are in the database: those of the data folder move there, for processes that have
 * the same secret, whatever their folders. Without it they are in the folder.
 * @throws DatabaseStartError where they are in the database, and the secret is missing or another one; with it also where the site has
 *   keys that are in neither place, so that new ones would take theirs
 */
export async function openKeyPlace(
  pool: pg.Pool,
  { dataDir, keysSecret }: KeySettings,
  log: { warn(details: object, message: string): void },
): Promise<KeyPlace> {
  if (keysSecret === undefined) {
    if (await hasKeyRows(pool)) throw new DatabaseStartError(NEEDS_SECRET);
    return openKeyFolder(dataDir);
  }
  await withTransaction(pool, async (db) => {
    await putKeysIn(db, dataDir, keysSecret);
    if (!(await hasKeyRows(db)) && (await isUsed(db)))
      throw new DatabaseStartError(
        `The keys of this site are neither in its database nor in ${dataDir}: first start the process whose data folder holds them. Where they are lost, restore a backup; or start once without KEYS_SECRET, which makes new ones, so that everybody signs in again.`,
      );
  });
  const table = openKeyTable(pool, keysSecret);
  const kept = await table.list();
  for (const [name, text] of await readKeyFolder(dataDir)) {
    if (kept.get(name) === text) await removeFromFolder(dataDir, name);
    else
      log.warn(
        {},
        `${openKeyFolder(dataDir).toTitle(name)} is not used: the keys are in the database (KEYS_SECRET), and it holds others. Move it away`,
      );
  }
  return table;
}

/**
 * What a backup holds of keys that are in the database: the files that they are in a data folder.
 * @throws DatabaseStartError where the secret is missing or another one
 */
export async function readKeyFiles(
  db: Queryable,
  keysSecret: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  if (!(await hasKeyRows(db))) return new Map();
  if (keysSecret === undefined) throw new DatabaseStartError(NEEDS_SECRET);
  return openKeyTable(db, keysSecret).list();
}

/**
 * The way back: writes the keys into the data folder, and takes them out of the database. `isBeside`: of `openForCommand`.
 * @returns the names of the files. @throws DatabaseStartError while a process runs, and where the folder holds another file of such a name
 */
export async function takeKeysOut(
  pool: pg.Pool,
  { dataDir, keysSecret, isBeside }: { dataDir: string; keysSecret: string; isBeside: boolean },
): Promise<string[]> {
  return withTransaction(pool, async (db) => {
    await lockKeyTable(db);
    // One that came back meanwhile, with a folder without keys, would find none; one that runs would sign with what is gone.
    if (isBeside || (await selectOthers(db)).length > 0)
      throw new DatabaseStartError(
        "Foyer runs on this database. Stop every process, then take the keys out.",
      );
    const files = await openKeyTable(db, keysSecret).list();
    const folder = openKeyFolder(dataDir);
    for (const [name, text] of files) {
      await folder.create(name, text);
      if ((await folder.read(name))?.text !== text)
        throw new DatabaseStartError(
          `${folder.toTitle(name)} is there, and holds other keys than the database. Move it away first.`,
        );
    }
    // The files are on the disk: a commit that fails leaves the keys in both places.
    await deleteKeyRows(db);
    return [...files.keys()];
  });
}
