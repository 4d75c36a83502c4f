import { chown, lstat, mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account } from "./account.ts";
import { hashFolder } from "./folder-lock.ts";
import { DatabaseStartError, getErrorCode } from "./start-error.ts";

/** Names PostgreSQL's socket file; nothing listens on TCP. */
export const SOCKET_PORT = 5432;

/** sun_path holds 107 bytes on Linux and 103 on macOS; longer paths fail with a message nobody understands. */
const MAX_SOCKET_PATH_BYTES = 100;

/** `<home>/run`, or a folder below the temporary one when that path would be too long for a socket. */
export function toSocketFolder(home: string, uid: number): string {
  const near = join(home, "run");
  const socketPath = join(near, `.s.PGSQL.${SOCKET_PORT}`);
  if (Buffer.byteLength(socketPath) < MAX_SOCKET_PATH_BYTES) return near;
  return join(tmpdir(), `foyer-${uid}-${hashFolder(home)}`);
}

/**
 * Makes the folder anew, for the account alone. It is the only door to a database that trusts whoever enters,
 * so a folder that belongs to somebody else is refused, never repaired.
 */
export async function createSocketFolder(home: string, account: Account | undefined): Promise<string> {
  const ownUid = process.getuid?.() ?? 0;
  const folder = toSocketFolder(home, account?.uid ?? ownUid);
  await refuseForeign(folder, [ownUid, account?.uid ?? ownUid]);
  await rm(folder, { recursive: true, force: true });
  // Without `recursive` mkdir fails when someone was quicker, rather than accepting their folder.
  await mkdir(folder, { mode: 0o700 });
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

async function refuseForeign(folder: string, allowedUids: number[]): Promise<void> {
  const found = await lstat(folder).catch((error: unknown) => {
    if (getErrorCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (!found || (found.isDirectory() && allowedUids.includes(found.uid))) return;
  throw new DatabaseStartError(
    `${folder} is not a folder of ours (it belongs to user id ${found.uid}), so the database's private socket ` +
      "cannot go there.\nRemove it and start again.",
  );
}
