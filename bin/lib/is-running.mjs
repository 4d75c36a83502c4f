import { existsSync, readFileSync } from "node:fs";

/**
 * Whether a process of an earlier run still works. After a restart of the machine its id may be another program's, and
 * a container may keep ended processes in its list for ever: Linux tells by the command line, which must hold `word`.
 * Elsewhere the id is believed.
 */
export function isRunning(pid, word) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  if (process.platform !== "linux") return true;
  const file = `/proc/${pid}/cmdline`;
  return existsSync(file) && readFileSync(file, "utf8").includes(word);
}
