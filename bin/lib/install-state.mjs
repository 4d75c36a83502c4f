import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NODE_PACKAGE } from "./find-node.mjs";
import { hashFiles } from "./hash-files.mjs";
import { isRunning } from "./is-running.mjs";

/** What packages are for: `npm start` of a site that is built needs less than half of those that built it. */
export const FOR_BUILDING = "";
export const FOR_RUNNING = " for running";

/**
 * What is known about the packages of one repository: two small files inside node_modules.
 *
 * `.foyer-install` is written after a good install: platform, package-lock.json, npm's own list of what it put
 * there (node_modules/.package-lock.json), and whether what building needs is among it. The list takes part because any
 * later `npm install`, `npm ci` or `npm prune` rewrites it, and the packages may then be other ones.
 *
 * `.foyer-installing` holds the process id of npm while it works. npm takes a package that was half unpacked for
 * a whole one, so packages that a killed npm left are not repaired but removed.
 */
export function openInstallState(root) {
  const nodeModules = join(root, "node_modules");
  const doneFile = join(nodeModules, ".foyer-install");
  const busyFile = join(nodeModules, ".foyer-installing");
  const npmList = join(nodeModules, ".package-lock.json");
  const getFingerprint = (use) =>
    `${NODE_PACKAGE} ${hashFiles(root, ["package-lock.json", "node_modules/.package-lock.json"])}${use}\n`;

  return {
    /** Packages that can build can run as well. */
    isFresh: (use) =>
      !existsSync(busyFile) &&
      [use, FOR_BUILDING].some((installed) => getText(doneFile) === getFingerprint(installed)),
    getBusyPid: () => {
      const pid = Number(getText(busyFile));
      return pid > 0 && isRunning(pid, "npm") ? pid : undefined;
    },
    isHalfDone: () => existsSync(busyFile) || (existsSync(nodeModules) && !existsSync(npmList)),
    /** npm's list goes first: without it, a removal that is itself killed still counts as half done. */
    removePackages: () => {
      rmSync(npmList, { force: true });
      rmSync(nodeModules, { recursive: true, force: true });
    },
    begin: (npmPid) => {
      mkdirSync(nodeModules, { recursive: true });
      rmSync(doneFile, { force: true });
      replaceText(busyFile, String(npmPid));
    },
    /** npm ended by itself, well or not; where it fails it takes back what it did. */
    end: () => rmSync(busyFile, { force: true }),
    markFresh: (use) => replaceText(doneFile, getFingerprint(use)),
  };
}

function getText(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** By rename: in a copy of node_modules made of hard links, writing in place would change the original too. */
function replaceText(file, text) {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
