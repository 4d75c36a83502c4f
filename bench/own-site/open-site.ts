import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "#test/e2e/site.ts";
import { type Caller, createCaller } from "./caller.ts";
import { type Program, startLine, toPlainEnvironment } from "./programs.ts";
import { openReadme, type Readme } from "./readme.ts";

/** The domain that the README's blocks have, and the one that the script puts there. */
const README_DOMAIN = "example.org";
export const DOMAIN = "own.test";

const START_LIMIT_MS = 600_000;

/** A site that is made by following the README, and the steps so far. */
export interface OwnSite {
  folder: string;
  clone: string;
  env: NodeJS.ProcessEnv;
  /** Ctrl-C. */
  signal: AbortSignal;
  /** Of the site's server, of HTTPS, and of HTTP. */
  ports: { site: number; https: number; http: number };
  /** What people type. */
  address: string;
  /** Past the proxy. */
  local: Caller;
  stepCount: number;
  /** What is not as on a real server, for the end. */
  differences: string[];
  /** One step. @throws Error where it stands on no word of the README */
  step<Result>(title: string, work: (take: Readme["take"]) => Promise<Result>): Promise<Result>;
  /** Puts lines `NAME=value` into the clone's `.env`, in place of those that have the names. */
  setSettings(lines: string): void;
  /** Starts the site by a line. @returns what it printed until it was ready */
  start(line: string): Promise<string>;
  stop(signal?: "SIGINT" | "SIGTERM"): Promise<void>;
  /** What is ended with the script; the last first. */
  endings: (() => Promise<unknown>)[];
  close(): Promise<void>;
}

/** A block of the README with the own domain. */
export function toOwnDomain(text: string): string {
  return text.replaceAll(README_DOMAIN, DOMAIN);
}

export function openOwnSite(options: { folder: string; port: number; signal: AbortSignal }): OwnSite {
  const { folder, port, signal } = options;
  chmodSync(folder, 0o755);
  const clone = join(folder, "foyer");
  const ports = { site: port, https: port + 43, http: port + 44 };
  let used: string[] = [];
  let program: Program | undefined;
  // Of the commit that is cloned: the same words that a newcomer reads.
  const readReadme = () => {
    const own = join(clone, "README.md");
    const file = existsSync(own) ? own : join(REPOSITORY, "README.md");
    return openReadme(readFileSync(file, "utf8"), (name) => used.push(name));
  };
  return {
    folder,
    clone,
    signal,
    env: toPlainEnvironment(join(REPOSITORY, ".env.example")),
    ports,
    address: `https://${DOMAIN}:${ports.https}`,
    local: createCaller(`http://127.0.0.1:${port}`),
    stepCount: 0,
    differences: [],
    endings: [],
    async step(title, work) {
      signal.throwIfAborted();
      used = [];
      const begin = performance.now();
      const result = await work(readReadme().take);
      if (used.length === 0) throw new Error(`"${title}" stands on no word of the README`);
      this.stepCount++;
      const seconds = ((performance.now() - begin) / 1000).toFixed(1);
      console.log(`${String(this.stepCount).padStart(2)}. ${title.padEnd(72)} ${seconds.padStart(6)} s`);
      return result;
    },
    setSettings(lines) {
      const file = join(clone, ".env");
      const settings = new Map<string, string>();
      const text = `${existsSync(file) ? readFileSync(file, "utf8") : ""}\n${lines}`;
      for (const line of text.split("\n").filter(Boolean)) settings.set(line.split("=", 1)[0] ?? "", line);
      writeFileSync(file, `${[...settings.values()].join("\n")}\n`, { mode: 0o600 });
    },
    async start(line) {
      program = await startLine(line, /Foyer is ready/, {
        cwd: clone,
        env: this.env,
        limitMs: START_LIMIT_MS,
        signal,
      });
      return program.output;
    },
    async stop(signal) {
      await program?.stop(signal);
    },
    async close() {
      await this.stop();
      for (const end of this.endings.reverse()) await end();
    },
  };
}
