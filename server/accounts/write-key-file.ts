import { randomBytes } from "node:crypto";
import { open, rm } from "node:fs/promises";

/**
 * Writes a file that only its owner may read, whole or not at all: `put` moves the finished draft, which stands in the same
 * folder, to its place. A draft never stays.
 */
export async function writeKeyFile(
  path: string,
  content: object,
  put: (draft: string, path: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await put(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
