import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** For tests: a folder under the system's temporary one with these files, and its removal. */
export function makeTestFolder(files = {}) {
  const root = mkdtempSync(join(tmpdir(), "foyer-test-"));
  const write = (name, text) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  return { root, write, remove: () => rmSync(root, { recursive: true, force: true }) };
}
