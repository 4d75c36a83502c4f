import { existsSync, readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./paths.mjs";

/** What the server's process reads. The rest is Vite's, which renews pages without a restart. */
const SERVER_FOLDERS = ["server", "contract", "locales"].map((name) => join(ROOT, name));

/** An editor saves by several events, a branch switch by hundreds. */
const QUIET_MS = 150;

const isIgnored = (file) => /\.test\.ts$|~$|\.sw.$/.test(file ?? "");

/**
 * Calls `onChange` once files below the folders have changed and are quiet again; the result ends it. One watcher per
 * folder, all renewed after each change: on Linux, Node's recursive watch loses a file that an editor replaced by rename.
 */
export function watchServerFiles(
  onChange,
  folders = SERVER_FOLDERS,
  { setTimeout, clearTimeout } = globalThis,
) {
  let watchers = [];
  let timer;
  const unwatch = () => {
    for (const watcher of watchers) watcher.close();
  };
  const notice = (_event, file) => {
    if (isIgnored(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      rewatch();
      onChange();
    }, QUIET_MS);
  };
  const rewatch = () => {
    unwatch();
    watchers = folders.flatMap(listFolders).map((folder) => watch(folder, notice).on("error", notice));
  };
  rewatch();
  return () => {
    clearTimeout(timer);
    unwatch();
  };
}

function listFolders(folder) {
  if (!existsSync(folder)) return [];
  const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...inner.flatMap((entry) => listFolders(join(folder, entry.name)))];
}
