import { existsSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "./fault.mjs";
import { NODE_MODULES } from "./paths.mjs";

/** From 24.12 on, TypeScript files run without a flag or a warning. */
const OLDEST = [24, 12];

export const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

function isNewEnough(version) {
  const [major, minor] = version.split(".").map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/**
 * The Node that runs TypeScript: the one that package-lock.json pins, else the running one. Undefined where neither
 * will do.
 */
export function getNode24(nodeModules = NODE_MODULES, running = process) {
  const pinned = join(nodeModules, NODE_PACKAGE, "bin", "node");
  if (existsSync(pinned)) return pinned;
  return isNewEnough(running.versions.node) ? running.execPath : undefined;
}

export function requireNode24() {
  const node = getNode24();
  if (node) return node;
  throw new Fault(
    `Foyer runs on Node ${OLDEST.join(".")} or later. npm did not install the package ${NODE_PACKAGE} that holds it, ` +
      `and the Node on the PATH is ${process.versions.node}.\n` +
      `Check that the registry has ${NODE_PACKAGE} (npm view ${NODE_PACKAGE} version), or put Node 24 on the PATH.`,
  );
}
