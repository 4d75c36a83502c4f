import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execPath } from "node:process";
import { createInterface } from "node:readline";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { CODE_IS_CLOSED, LINK, OWN_ID } from "./child/link.ts";

const ROOM = import.meta.dirname;
const ROOT = dirname(dirname(ROOM));

/** Heap of JavaScript. A page of a PDF is read in much less. */
const HEAP_MB = 256;
/** All that the process may write to: 0.6 GB that Node reserves, and twice what the largest picture needs. Above 2 GB Node reserves more. */
const DATA_KB = 1.5 * 1024 * 1024;
/** An endless job is ended by its time limit; this ends one whose server was killed meanwhile. */
const CPU_S = 180;

/**
 * A shell sets what Node can't: limits that the kernel keeps (one that is stricter already stays; no file grows), to be the first
 * to go when the machine is short of memory, and, where the system has `setpriv`, that no program gives the child new rights.
 * Then it becomes the child, which leaves root's account itself: child/leave-root.ts.
 */
const LIMITED = `
ulimit -d "$1" 2>/dev/null
ulimit -t "$2" 2>/dev/null
ulimit -c 0 2>/dev/null
ulimit -f 0 2>/dev/null
echo 1000 2>/dev/null >/proc/self/oom_score_adj
shift 2
if setpriv --no-new-privs true 2>/dev/null; then exec setpriv --no-new-privs "$@"; fi
exec "$@"
`;

/** Where the packages really are. */
function findPackages(): string {
  const path = realpathSync(fileURLToPath(import.meta.resolve("pdfjs-dist/package.json")));
  return dirname(dirname(path));
}

/** Whether any account may come to this folder: not below a /root that is closed. */
function isOpenToAll(folder: string): boolean {
  const parent = dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || isOpenToAll(parent));
}

/** Whether any account may run what draws. */
const isCodeOpen = () => [ROOM, findPackages(), dirname(execPath)].every(isOpenToAll);

/** The command that starts `child/main.ts`: it reads only its code, starts nothing and writes nothing. */
function buildCommand(): { args: [string, ...string[]]; cwd: string } {
  const packages = findPackages();
  // Node asks for a package both by the way that leads to it and, where that is a link, by where it ends.
  const readable = [ROOM, join(ROOT, "node_modules"), packages, join(ROOT, "package.json")];
  const node = [
    execPath,
    `--max-old-space-size=${HEAP_MB}`,
    "--permission",
    "--allow-addons",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    "--disable-warning=SecurityWarning",
    fileURLToPath(import.meta.resolve("./child/main.ts")),
    ...(isCodeOpen() ? [] : [CODE_IS_CLOSED]),
  ];
  return {
    args: ["/bin/sh", "-c", LIMITED, "foyer-pictures", String(DATA_KB), String(CPU_S), ...node],
    // Fonts and tables of pdf.js are read from there when a file needs them.
    cwd: join(packages, "pdfjs-dist"),
  };
}

const LAST_WORDS_CHARS = 300;

/** Keeps the end of what a process writes to its standard error. */
function keepLastWords({ stderr }: ChildProcess): () => string {
  let words = "";
  stderr?.setEncoding("utf8").on("data", (text: string) => {
    words = (words + text).slice(-LAST_WORDS_CHARS);
  });
  return () => words.trim();
}

/** It gets no settings, and with them no secrets; a home has to be named, and there is none. */
const ENVIRONMENT = { HOME: "/nonexistent" };

/** A process that draws. */
export interface StartedChild {
  getPid(): number | undefined;
  /** Requests and their bytes go there, answers come from there: child/link.ts. */
  socket: Promise<Duplex>;
  /** Resolves with the reason when it is gone; never rejects. */
  ended: Promise<string>;
  kill(): void;
}

/** Starts processes that draw. */
export interface ChildStarter {
  start(): StartedChild;
  /** Resolves when none is left. */
  close(): Promise<void>;
}

/** Starts them itself. */
export const ownStarter: ChildStarter = {
  start() {
    const { args, cwd } = buildCommand();
    const [file, ...rest] = args;
    const child = spawn(file, rest, {
      cwd,
      env: ENVIRONMENT,
      stdio: ["ignore", "ignore", "pipe", "pipe"],
    });
    const getLastWords = keepLastWords(child);
    const socket = child.stdio[3] as Duplex; // one of a pair
    // What it sent and nobody read would keep it from closing.
    child.once("exit", () => socket.destroy());
    const ended = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("close", (code, signal) => resolve(`${signal ?? `exit code ${code}`}: ${getLastWords()}`));
    });
    return {
      getPid: () => child.pid,
      socket: Promise.resolve(socket),
      ended,
      kill: () => void child.kill("SIGKILL"),
    };
  },
  close: async () => undefined,
};

/**
 * Starts and ends a child at each line, one at a time, and says its number and how it ended. It ends the last one when the server is
 * gone, however that ended. What a service manager sends to all is the server's to judge. A second shell waits for each child, and
 * kills it at USR1, which may come before there is one.
 */
const BROKER = `
trap '' HUP INT TERM
waiter=
end() {
  if [ -n "$waiter" ]; then kill -s USR1 "$waiter" 2>/dev/null; wait "$waiter"; fi
  waiter=
}
while read -r word path; do
  end
  if [ "$word" = start ]; then
    (
      child=
      isOver=
      trap 'isOver=1; if [ -n "$child" ]; then kill -9 "$child"; fi' USR1
      "$@" "${LINK}$path" </dev/null >/dev/null &
      child=$!
      echo "$path $child"
      if [ -n "$isOver" ]; then kill -9 "$child"; fi
      wait "$child"
      code=$?
      # A signal ends the waiting too.
      while kill -0 "$child" 2>/dev/null; do wait "$child"; code=$?; done
      echo "$path exit code $code"
    ) &
    waiter=$!
  fi
done
end
`;

/**
 * For a server that gives root up: a shell that has the drawing account from the beginning, because later nobody could give it to a
 * child. A child is reached by a socket in a folder that only the server and that account can enter.
 * @param server whom the server becomes
 */
export function openBroker(server: { uid: number; gid: number }): ChildStarter | undefined {
  if (!isCodeOpen()) return undefined;
  const { args, cwd } = buildCommand();
  // Nobody tidies up in /run, as some systems do in the temporary folder.
  const folder = mkdtempSync(join(existsSync("/run") ? "/run" : tmpdir(), "foyer-pictures-"));
  chownSync(folder, server.uid, OWN_ID);
  chmodSync(folder, 0o710);
  const broker = spawn("/bin/sh", ["-c", BROKER, "foyer-pictures", ...args], {
    cwd,
    env: ENVIRONMENT,
    uid: OWN_ID,
    gid: OWN_ID,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const getLastWords = keepLastWords(broker);
  broker.stdin.on("error", () => undefined); // a pipe that breaks shows when it ends
  const brokerEnded = new Promise<string>((resolve) => {
    broker.once("error", (error) => resolve(error.message));
    broker.once("exit", () => resolve("what starts drawing processes ended"));
  });
  let current: { path: string; onLine(words: string): void } | undefined;
  createInterface(broker.stdout).on("line", (line) => {
    const [path, words] = line.split(/ (.*)/);
    if (path === current?.path) current?.onLine(words ?? "");
  });
  let count = 0;

  function start(): StartedChild {
    const path = join(folder, String(count++));
    const listener = createServer();
    const { promise: socket, resolve: take } = Promise.withResolvers<Duplex>();
    const { promise: ended, resolve: end } = Promise.withResolvers<string>();
    let pid: number | undefined;
    let taken: Duplex | undefined;
    current = {
      path,
      onLine(words) {
        if (/^\d+$/.test(words)) pid = Number(words);
        else end(`${words}: ${getLastWords()}`);
      },
    };
    void brokerEnded.then(end);
    void ended.then(() => listener.close());
    listener.on("error", (error) => end(error.message));
    listener.once("connection", (connection) => {
      taken = connection;
      listener.close();
      take(connection);
    });
    // The folder is closed to everybody else.
    listener.listen({ path, readableAll: true, writableAll: true }, () =>
      broker.stdin.write(`start ${path}\n`),
    );
    return {
      getPid: () => pid,
      socket,
      ended,
      kill() {
        broker.stdin.write("end\n");
        taken?.destroy();
        end("the server");
      },
    };
  }
  return {
    start,
    async close() {
      broker.stdin.end();
      await brokerEnded;
      try {
        rmSync(folder, { recursive: true, force: true });
      } catch (error) {
        // It is empty, and what stands around it is root's: it goes with the machine's next start.
        if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
      }
    },
  };
}
