import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const REPOSITORY = join(import.meta.dirname, "../..");
export const OWNER = { username: "ada", email: "ada@example.org", password: "Correct-Horse-1" };

/** A folder that root's database account can reach too. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "foyer-e2e-"));
  chmodSync(folder, 0o755);
  return folder;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (!address || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** What a newcomer has: the files of the repository, nothing installed or built. */
export function makeFreshClone(): string {
  const folder = makeFolder();
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: REPOSITORY });
  execFileSync("tar", ["--null", "-T", "-", "-cf", join(folder, "clone.tar"), "--ignore-failed-read"], {
    cwd: REPOSITORY,
    input: files,
  });
  execFileSync("tar", ["-xf", "clone.tar"], { cwd: folder });
  rmSync(join(folder, "clone.tar"));
  return folder;
}

/** A site that is started and used as its owner does: by the README's commands. */
export class Site {
  readonly folder: string;
  readonly dataDir: string;
  url = "";
  output = "";
  #process: ChildProcess | undefined;

  constructor(folder = REPOSITORY) {
    this.folder = folder;
    this.dataDir = join(makeFolder(), "data");
  }

  #environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
    const { LANG: _lang, NODE_ENV: _node, FOYER_LAUNCHED: _launched, ...environment } = process.env;
    return { ...environment, FOYER_DATA_DIR: this.dataDir, ...more };
  }

  /** `npm start`, until it says that it is ready; again at the same address. @returns milliseconds it took. */
  async start(timeoutMs = 60_000): Promise<number> {
    const port = this.url === "" ? await findFreePort() : Number(new URL(this.url).port);
    const begin = performance.now();
    const child = spawn("npm", ["start"], {
      cwd: this.folder,
      env: this.#environment({ PORT: String(port) }),
      stdio: ["ignore", "pipe", "pipe"],
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
      child.once("exit", (code) => reject(new Error(`npm start ended with ${code}:\n${this.output}`)));
      setTimeout(
        () => reject(new Error(`not ready within ${timeoutMs} ms:\n${this.output}`)),
        timeoutMs,
      ).unref();
    });
    await ready;
    this.url = `http://127.0.0.1:${port}`;
    return performance.now() - begin;
  }

  /** `npm run foyer -- …`. */
  command(...words: string[]): string {
    return execFileSync("npm", ["run", "--silent", "foyer", "--", ...words], {
      cwd: this.folder,
      env: this.#environment({ FOYER_PASSWORD: OWNER.password }),
      encoding: "utf8",
    });
  }

  createOwner(): void {
    this.command("create-superuser", "--username", OWNER.username, "--email", OWNER.email);
  }

  /** Kills npm, launcher and server at once, as a power cut would. PostgreSQL is left to its guard. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Ctrl-C. */
  async stop(): Promise<void> {
    await this.#end("SIGINT");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (!child?.pid || child.exitCode !== null) return;
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
