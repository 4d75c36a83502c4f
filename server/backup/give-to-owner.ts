import { chown, stat } from "node:fs/promises";

/** What root makes in a data folder belongs to whom the folder belongs to: the site's own account has to reach it. */
export async function giveToOwner(paths: readonly string[], dataDir: string): Promise<void> {
  const { uid, gid } = await stat(dataDir);
  if (process.getuid?.() !== 0 || uid === 0) return;
  for (const path of paths) await chown(path, uid, gid);
}
