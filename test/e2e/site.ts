import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const REPOSITORY = join(import.meta.dirname, "../..");

export interface Person {
  username: string;
  email: string;
  password: string;
}
export const OWNER: Person = { username: "ada", email: "ada@example.org", password: "Correct-Horse-1" };
/** Of a prepared site too: somebody whose account a test may change, which others log in with the owner's. */
export const LIN: Person = { username: "lin", email: "lin@example.org", password: OWNER.password };

/** Names the data folder that `prepare-sites.ts` made, in the environment of the workers. */
export const PREPARED = "FOYER_E2E_PREPARED";

/** A first start on a busy machine is slow; what takes longer than this hangs. */
const START_LIMIT_MS = 300_000;

/** A folder that root's database account can reach too. */
function makeFolder(begin = join(tmpdir(), "foyer-e2e-")): string {
  const folder = mkdtempSync(begin);
  chmodSync(folder, 0o755);
  return folder;
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (!address || typeof address === "string") throw new Error("no port");
  return address.port;
}

/**
 * What a newcomer has: the files of the repository, nothing installed or built. `hasPackages`: npm finds all packages in place,
 * as links to the repository's, and has them only to check; to unpack them costs 80 s of CPU.
 */
export function makeFreshClone({ hasPackages = false } = {}): string {
  // Links stay on one disk.
  const folder = hasPackages ? makeFolder(join(REPOSITORY, ".cache/clone-")) : makeFolder();
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: REPOSITORY });
  execFileSync("tar", ["--null", "-T", "-", "-cf", join(folder, "clone.tar"), "--ignore-failed-read"], {
    cwd: REPOSITORY,
    input: files,
  });
  execFileSync("tar", ["-xf", "clone.tar"], { cwd: folder });
  rmSync(join(folder, "clone.tar"));
  if (hasPackages) {
    execFileSync("cp", ["-al", join(REPOSITORY, "node_modules"), folder]);
    rmSync(join(folder, "node_modules/.foyer-install"), { force: true });
    // npm writes its list in place: a link would change the repository's.
    const list = "node_modules/.package-lock.json";
    rmSync(join(folder, list));
    copyFileSync(join(REPOSITORY, list), join(folder, list));
  }
  return folder;
}

interface Program {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** How a site and its command line are called. */
interface Launch {
  server: Program;
  cli: Program;
}

const BY_README: Launch = {
  server: { command: "npm", args: ["start"], env: {} },
  cli: { command: "npm", args: ["run", "--silent", "foyer", "--"], env: {} },
};

/** What `npm start` runs once everything is installed and built: Playwright runs on the pinned Node. */
function toNode(folder: string): Launch {
  const flags: string[] = JSON.parse(readFileSync(join(folder, "bin/lib/node-flags.json"), "utf8"));
  const env = {
    NODE_ENV: "production",
    NODE_COMPILE_CACHE: join(folder, ".cache/node"),
    MALLOC_ARENA_MAX: "1",
  };
  return {
    server: { command: process.execPath, args: [...flags, "server/main.ts"], env },
    cli: { command: process.execPath, args: ["server/cli.ts"], env: { INIT_CWD: folder } },
  };
}

/** A site with a data folder of its own. */
export class Site {
  /** A started copy of the prepared site: sample content, OWNER, LIN, and `fillConsole`'s records. */
  static async startPrepared(): Promise<Site> {
    const copyOf = process.env[PREPARED];
    if (!copyOf) throw new Error("No prepared site: Playwright runs prepare-sites.ts before its tests.");
    const site = new Site({ copyOf });
    try {
      await site.start();
    } catch (error) {
      await site.remove();
      throw error;
    }
    return site;
  }

  readonly folder: string;
  readonly dataDir: string;
  url = "";
  output = "";
  /** Of its environment, for the next start. */
  settings: Readonly<Record<string, string>> = {};
  readonly #launch: Launch;
  #process: ChildProcess | undefined;

  /**
   * @param options.byReadme Started and used by the README's commands, which install and build what is missing.
   * @param options.copyOf The data folder of a site that stands still; without it the first start makes one.
   */
  constructor(options: { folder?: string; byReadme?: boolean; copyOf?: string } = {}) {
    this.folder = options.folder ?? REPOSITORY;
    this.dataDir = join(makeFolder(), "data");
    this.#launch = options.byReadme ? BY_README : toNode(this.folder);
    if (options.copyOf) execFileSync("cp", ["-a", options.copyOf, this.dataDir]);
  }

  #environment(more: Record<string, string>): NodeJS.ProcessEnv {
    const { LANG: _lang, NODE_ENV: _node, FOYER_LAUNCHED: _launched, ...environment } = process.env;
    // The browser of these tests is what the site prints with.
    const chromium = environment.FOYER_CHROMIUM;
    return {
      ...environment,
      ...(chromium && { CHROMIUM_PATH: chromium }),
      FOYER_DATA_DIR: this.dataDir,
      // Nobody owes a second factor, which the console would say on each screen; second-factor.spec.ts asks for one.
      SECOND_FACTOR_LEVEL: "off",
      ...more,
    };
  }

  /** Until it says that it is ready; again at the same address. @returns milliseconds it took. */
  async start(timeoutMs = START_LIMIT_MS): Promise<number> {
    const port = this.url === "" ? await findFreePort() : Number(new URL(this.url).port);
    const begin = performance.now();
    const { command, args, env } = this.#launch.server;
    const child = spawn(command, args, {
      cwd: this.folder,
      env: this.#environment({ ...env, ...this.settings, PORT: String(port) }),
      // By the channel's end a server learns that whoever started it was killed.
      stdio: ["ignore", "pipe", "pipe", ...(command === process.execPath ? (["ipc"] as const) : [])],
      detached: true,
    });
    this.#process = child;
    this.output = "";
    const ready = new Promise<void>((resolve, reject) => {
      const read = (text: Buffer) => {
        this.output += text;
        if (this.output.includes("Foyer is ready")) resolve();
      };
      child.stdout?.on("data", read);
      child.stderr?.on("data", read);
      child.once("exit", (code) => reject(new Error(`the site ended with ${code}:\n${this.output}`)));
      setTimeout(
        () => reject(new Error(`not ready within ${timeoutMs} ms:\n${this.output}`)),
        timeoutMs,
      ).unref();
    });
    await ready;
    this.url = `http://127.0.0.1:${port}`;
    return performance.now() - begin;
  }

  /** Of the process that was started last. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** The command line: `create-superuser`, `import` and so on. @returns what it printed. */
  command(...words: string[]): string {
    const { command, args, env } = this.#launch.cli;
    return execFileSync(command, [...args, ...words], {
      cwd: this.folder,
      env: this.#environment({ ...env, FOYER_PASSWORD: OWNER.password }),
      encoding: "utf8",
    });
  }

  /** Somebody who may do everything, with the owner's password. */
  createSuperuser({ username, email }: Person): void {
    this.command("create-superuser", "--username", username, "--email", email);
  }

  /** Kills all that was started at once, as a power cut would. PostgreSQL is left to its guard. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Ctrl-C. */
  async stop(): Promise<void> {
    await this.#end("SIGINT");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    process.kill(-child.pid, signal);
    await ended;
  }

  /** Stops the site and removes what it kept. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(join(this.dataDir, ".."), { recursive: true, force: true });
    if (this.folder !== REPOSITORY) rmSync(this.folder, { recursive: true, force: true });
  }

  /** Processes that work in the data folder. */
  findProcesses(): string[] {
    return execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line.includes(this.dataDir));
  }
}
