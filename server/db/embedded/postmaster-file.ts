import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { getErrorCode } from "./start-error.ts";

/** What `postmaster.pid` of a cluster says. A server that was not stopped cleanly leaves it behind. */
export type PostmasterFile =
  | { kind: "absent" }
  | { kind: "garbage" }
  | { kind: "written"; pid: number; socketFolder: string; isReady: boolean };

/** Path of the file by which PostgreSQL itself keeps a second server away. */
export function toPostmasterFile(cluster: string): string {
  return join(cluster, "postmaster.pid");
}

/** Reads it. Lines (PostgreSQL's miscadmin.h): pid, data folder, start, port, socket folder, address, shmem, status. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile> {
  let text: string;
  try {
    text = await readFile(toPostmasterFile(cluster), "utf8");
  } catch (error) {
    if (getErrorCode(error) === "ENOENT") return { kind: "absent" };
    throw error;
  }
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return { kind: "garbage" };
  return { kind: "written", pid, socketFolder: lines[4] ?? "", isReady: lines[7]?.trim() === "ready" };
}
