import { createHash } from "node:crypto";
import { unlink } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseStartError, getErrorCode } from "./start-error.ts";

/** Held by the one process that uses a folder. */
export interface FolderLock {
  release(): Promise<void>;
}

/** A short, stable name for a folder, fit for file and socket names. */
export function hashFolder(folder: string): string {
  return createHash("sha256").update(folder).digest("hex").slice(0, 24);
}

/**
 * On Linux an abstract socket: the kernel drops it with the process, even after kill -9, so it is never stale.
 * It has no permissions, so nothing that comes over it is believed. Elsewhere a socket file.
 */
function toLockAddress(folder: string): string {
  const name = `foyer-${hashFolder(folder)}`;
  return process.platform === "linux" ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

/**
 * Takes the lock of a folder; `folder` must be a real path, so that two spellings share one lock.
 * Throws DatabaseStartError while another process (or another start in this one) holds it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const address = toLockAddress(folder);
  const server = (await listenOrGetNothing(address)) ?? (await replaceStaleSocket(folder, address));
  if (!server) {
    throw new DatabaseStartError(
      `another Foyer process is using ${folder}.\nStop it first, or give this one its own folder in FOYER_DATA_DIR.`,
    );
  }
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** True while some process holds the lock of this folder (a real path). */
export function isFolderLocked(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(toLockAddress(folder));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

async function replaceStaleSocket(folder: string, address: string): Promise<Server | undefined> {
  if (address.startsWith("\0") || (await isFolderLocked(folder))) return undefined;
  await unlink(address);
  return listenOrGetNothing(address);
}

function listenOrGetNothing(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error) => {
      if (getErrorCode(error) === "EADDRINUSE") resolve(undefined);
      else reject(error);
    });
    server.listen(address, () => {
      server.unref();
      resolve(server);
    });
  });
}
