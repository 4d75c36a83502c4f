import { constants } from "node:fs";
import { type FileHandle, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { getErrorCode } from "./start-error.ts";

const ROTATE_ABOVE_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 4096;
const TAIL_LINES = 15;

/** The file PostgreSQL writes its messages to. */
export interface ServerLog {
  path: string;
  fd: number;
  /** Bytes written so far; hand it to `readTail` to see only what came after. */
  measureBytes(): Promise<number>;
  /** The last lines, from `fromByte` on. */
  readTail(fromByte: number): Promise<string>;
  close(): Promise<void>;
}

/** Opens the log for appending; above 10 MB the old one becomes `<path>.1`, in place of an earlier one. */
export async function openServerLog(path: string): Promise<ServerLog> {
  await rotate(path);
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
  const file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  await giveToFolderOwner(file, path);
  return {
    path,
    fd: file.fd,
    measureBytes: async () => (await file.stat()).size,
    readTail: (fromByte) => readTail(file, fromByte),
    close: () => file.close(),
  };
}

/** One start as root must not lock the owner of the data folder out of the log. */
async function giveToFolderOwner(file: FileHandle, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  await file.chown(uid, gid);
}

async function rotate(path: string): Promise<void> {
  try {
    if ((await stat(path)).size > ROTATE_ABOVE_BYTES) await rename(path, `${path}.1`);
  } catch (error) {
    if (getErrorCode(error) !== "ENOENT") throw error;
  }
}

async function readTail(file: FileHandle, fromByte: number): Promise<string> {
  const { size } = await file.stat();
  const position = Math.max(fromByte, size - TAIL_BYTES);
  const buffer = Buffer.alloc(Math.max(0, size - position));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
  return buffer.toString("utf8", 0, bytesRead).trim().split("\n").slice(-TAIL_LINES).join("\n");
}
