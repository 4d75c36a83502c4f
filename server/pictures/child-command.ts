import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";

const ROOM = import.meta.dirname;
const ROOT = dirname(dirname(ROOM));

/** Heap of JavaScript. A page of a PDF is read in much less. */
const HEAP_MB = 256;
/** All that the process may write to: 0.6 GB that Node reserves, and twice what the largest picture needs. Above 2 GB Node reserves more. */
const DATA_KB = 1.5 * 1024 * 1024;
/** An endless job is ended by its time limit; this ends one whose server was killed meanwhile. */
const CPU_S = 180;

/**
 * A shell sets what Node can't: limits that the kernel keeps (one that is stricter already stays), and to be the first to go
 * when the machine is short of memory. Then it becomes the child.
 */
const LIMITED = `
ulimit -d "$1" 2>/dev/null
ulimit -t "$2" 2>/dev/null
ulimit -c 0 2>/dev/null
echo 1000 2>/dev/null >/proc/self/oom_score_adj
shift 2
exec "$@"
`;

/** Where the packages really are. */
function findPackages(): string {
  const path = realpathSync(fileURLToPath(import.meta.resolve("pdfjs-dist/package.json")));
  return dirname(dirname(path));
}

/** The program and arguments that start `child/main.ts`: it reads only its code, starts nothing and writes nothing. */
export function buildChildCommand(): { file: string; args: string[] } {
  // Node asks for a package both by the way that leads to it and, where that is a link, by where it ends.
  const readable = [ROOM, join(ROOT, "node_modules"), findPackages(), join(ROOT, "package.json")];
  const node = [
    execPath,
    `--max-old-space-size=${HEAP_MB}`,
    "--permission",
    "--allow-addons",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    "--disable-warning=SecurityWarning",
    fileURLToPath(import.meta.resolve("./child/main.ts")),
  ];
  return {
    file: "/bin/sh",
    args: ["-c", LIMITED, "foyer-pictures", String(DATA_KB), String(CPU_S), ...node],
  };
}
