import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type EmbeddedConnection, knock, toConnection } from "./connection.ts";
import { isFolderLocked } from "./folder-lock.ts";
import { readPostmasterFile } from "./postmaster-file.ts";
import { DatabaseStartError, getErrorCode } from "./start-error.ts";

/** Long enough for a server that is being started or recovered beside the command. */
const FIND_TIMEOUT_MS = 15_000;
const FIND_EVERY_MS = 100;

/**
 * For the command line beside a running server: the connection of the server that holds this data folder's lock,
 * or undefined when none runs. Waits a little for one that is only just starting.
 */
export async function findRunning(dataDir: string): Promise<EmbeddedConnection | undefined> {
  const startedAt = performance.now();
  try {
    const folder = await realpath(dataDir);
    while ((await isFolderLocked(folder)) && performance.now() - startedAt < FIND_TIMEOUT_MS) {
      const connection = await getReadyConnection(join(folder, "postgres"));
      if (connection) return connection;
      await sleep(FIND_EVERY_MS);
    }
    return undefined;
  } catch (error) {
    if (getErrorCode(error) === "ENOENT") return undefined;
    if (getErrorCode(error) !== "EACCES") throw error;
    throw new DatabaseStartError(
      `The database of ${dataDir} runs as another user. Run this command as that user or as root.`,
      { cause: error },
    );
  }
}

/** The socket folder comes from the cluster itself, which only its owner can write, not from whoever holds the lock. */
async function getReadyConnection(cluster: string): Promise<EmbeddedConnection | undefined> {
  const file = await readPostmasterFile(cluster);
  if (file.kind !== "written" || !file.isReady) return undefined;
  const connection = toConnection(file.socketFolder);
  return (await knock(connection)) === "ready" ? connection : undefined;
}
