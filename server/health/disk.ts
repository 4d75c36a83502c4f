import { statfs } from "node:fs/promises";

/** A disk in bytes. `free` is what the server may still use: less than what is not used where some is reserved. */
export interface Disk {
  used: number;
  free: number;
}

/** Reads the disk that a folder is on. */
export async function readDisk(folder: string): Promise<Disk> {
  const { bsize, blocks, bfree, bavail } = await statfs(folder);
  return { used: (blocks - bfree) * bsize, free: bavail * bsize };
}

/** Share of a disk that is used, 0 to 1. */
export function toDiskUsage({ used, free }: Disk): number {
  return used + free > 0 ? used / (used + free) : 0;
}
