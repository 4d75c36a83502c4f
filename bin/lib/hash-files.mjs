import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

function* listFiles(root, path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) {
    yield path;
    return;
  }
  for (const name of readdirSync(join(root, path)).sort()) yield* listFiles(root, `${path}/${name}`);
}

/**
 * One hash over the names and contents of files and folders; what is missing counts as empty. Times and sizes are not
 * asked, because a git checkout changes times without contents and can keep the size of what it changes.
 */
export function hashFiles(root, paths, isSkipped = () => false) {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of listFiles(root, path)) {
      if (isSkipped(file)) continue;
      const content = readFileSync(join(root, file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest("hex");
}
