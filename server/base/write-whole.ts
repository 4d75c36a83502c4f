import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";

/**
 * Writes a file whole or not at all: aside, forced to disk, then renamed to its place, over what was there. A crash leaves
 * at most a draft, which ends with `.part`.
 */
export async function writeWhole(path: string, content: Uint8Array, mode: number): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString("hex")}.part`;
  try {
    const handle = await open(draft, "wx", mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
