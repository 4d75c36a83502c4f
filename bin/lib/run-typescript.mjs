import { statSync } from "node:fs";
import { requireNode24 } from "./find-node.mjs";
import { runForeground } from "./foreground.mjs";
import { ensureInstalled } from "./install.mjs";
import { NODE_COMPILE_CACHE, ROOT } from "./paths.mjs";

/** Root's commands leave no files of root's in somebody's clone, which that person could not remove. */
const isOwner = () => process.getuid?.() === statSync(ROOT).uid;

/**
 * Runs a TypeScript file from the repository's root with the pinned Node; terminal, arguments and exit code are
 * passed through. `use` says what it needs of the packages, all of them by default. INIT_CWD (npm sets it too) is the folder in which the command was typed: paths given by hand start there.
 */
export async function runTypeScript([file, ...args], use) {
  await ensureInstalled(use);
  const env = {
    ...(isOwner() && { NODE_COMPILE_CACHE }),
    ...process.env,
    INIT_CWD: process.env.INIT_CWD ?? process.cwd(),
  };
  return runForeground(requireNode24(), [file, ...args], { env });
}
