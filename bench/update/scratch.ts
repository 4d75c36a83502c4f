import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { openArchive } from "#server/backup/archive.ts";
import { parseManifest } from "#server/backup/manifest.ts";

const REPOSITORY = join(import.meta.dirname, "../..");
const JOURNAL = "server/db/migrations/meta/_journal.json";

/**
 * systemd's part, as a script: `start` and `stop` do what the unit says, Node itself, TERM to it alone, SIGKILL after 40 s.
 * Other verbs succeed.
 */
function writeSystemctl(folder: string, clone: string): string {
  return `#!${process.execPath}
const { spawn } = require("node:child_process");
const { existsSync, openSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const folder = ${JSON.stringify(folder)};
const clone = ${JSON.stringify(clone)};
const pidFile = folder + "/pid";
const readPid = () => existsSync(pidFile) ? Number(readFileSync(pidFile, "utf8")) : undefined;
const runs = () => {
  const pid = readPid();
  if (!pid) return false;
  // What ended and was not fetched by its parent still has a number.
  try { return !/^State:\\s+Z/m.test(readFileSync("/proc/" + pid + "/status", "utf8")); } catch { return false; }
};
const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
switch (process.argv[2]) {
  case "start": {
    const log = openSync(folder + "/log", "a");
    const flags = JSON.parse(readFileSync(clone + "/bin/lib/node-flags.json", "utf8"));
    const env = { ...process.env, NODE_ENV: "production", MALLOC_ARENA_MAX: "1", NODE_COMPILE_CACHE: folder + "/compiled" };
    const child = spawn(process.execPath, [...flags, "server/main.ts"], { cwd: clone, detached: true, stdio: ["ignore", log, log], env });
    writeFileSync(pidFile, String(child.pid));
    child.unref();
    break;
  }
  case "stop":
    if (runs()) process.kill(readPid(), "SIGTERM");
    for (let waited = 0; runs(); waited += 20) { if (waited === 40_000) process.kill(readPid(), "SIGKILL"); wait(20); }
    rmSync(pidFile, { force: true });
    break;
  case "is-failed":
    process.exitCode = runs() ? 1 : 0;
}
`;
}

/** Changes a file of the repository: its text before → after. */
type Change = (text: string) => string;

/** A clone of this repository that a site runs from, and the origin that it is updated from. */
export class Scratch {
  readonly folder: string;
  readonly #origin: string;
  readonly #clone: string;
  readonly #programs: string;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(parent: string, port: number) {
    this.folder = mkdtempSync(join(parent, "foyer-update-bench-"));
    // Root's database account must reach it.
    chmodSync(this.folder, 0o755);
    [this.#origin, this.#clone, this.#programs] = ["origin", "foyer", "bin"].map((name) =>
      join(this.folder, name),
    ) as [string, string, string];
    this.#environment = {
      ...process.env,
      PATH: `${this.#programs}:${process.env.PATH}`,
      FOYER_PASSWORD: "Correct-Horse-Battery-7",
    };
    mkdirSync(this.#programs);
    this.#writeProgram("systemctl", writeSystemctl(this.folder, this.#clone));
    this.#writeProgram("journalctl", `#!/bin/sh\ntail -n 20 ${join(this.folder, "log")}\n`);
    this.#git(this.folder, "clone", "--quiet", REPOSITORY, this.#origin);
    const tags = this.#git(this.#origin, "tag", "--list").split("\n").filter(Boolean);
    if (tags.length > 0) this.#git(this.#origin, "tag", "--delete", ...tags);
    this.#git(this.#origin, "checkout", "--quiet", "-B", "main");
    this.#settings = `PORT=${port}\nFOYER_DATA_DIR=${join(this.folder, "data")}\n`;
  }

  readonly #settings: string;

  #git(cwd: string, ...args: string[]): string {
    const author = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"];
    return execFileSync("git", [...author, ...args], { cwd, encoding: "utf8" });
  }

  #writeProgram(name: string, text: string): void {
    writeFileSync(join(this.#programs, name), text, { mode: 0o755 });
  }

  /** A new version of the origin's, with these files changed. */
  release(tag: string, changes: Record<string, Change>): void {
    for (const [name, change] of Object.entries(changes)) {
      const [file, before] = [join(this.#origin, name), readFileSync(join(this.#origin, name), "utf8")];
      const after = change(before);
      if (after === before) throw new Error(`${name} has nothing that ${tag} changes`);
      writeFileSync(file, after);
    }
    this.#git(this.#origin, "add", "--all");
    this.#git(this.#origin, "commit", "--quiet", "--allow-empty", "--message", tag);
    this.#git(this.#origin, "tag", tag);
  }

  /** One with a migration besides, which changes what people wrote. */
  releaseWithMigration(tag: string, sql: string, changes: Record<string, Change>): void {
    writeFileSync(join(this.#origin, "server/db/migrations/9999_bench.sql"), sql);
    this.release(tag, {
      ...changes,
      [JOURNAL]: (text) => {
        const journal: { entries: { idx: number; when: number }[] } = JSON.parse(text); // our own file
        const last = journal.entries.at(-1);
        const next = {
          ...last,
          idx: (last?.idx ?? 0) + 1,
          when: (last?.when ?? 0) + 1000,
          tag: "9999_bench",
        };
        return JSON.stringify({ ...journal, entries: [...journal.entries, next] });
      },
    });
  }

  /** Clones, builds, starts. */
  async install(): Promise<void> {
    this.#git(this.folder, "clone", "--quiet", this.#origin, this.#clone);
    writeFileSync(join(this.#clone, ".env"), this.#settings);
    const options = { cwd: this.#clone, env: this.#environment, stdio: "inherit" } as const;
    execFileSync(process.execPath, ["bin/build.mjs", "--to-run"], options);
    await this.systemctl("start");
  }

  async systemctl(verb: string): Promise<void> {
    await promisify(execFile)(join(this.#programs, "systemctl"), [verb], { env: this.#environment });
  }

  /** The version whose files the site runs from. */
  readVersion(): string {
    return this.#git(this.#clone, "describe", "--tags").trim();
  }

  /** The command line's, as the owner calls it. */
  async foyer(...args: string[]): Promise<{ code: number; output: string }> {
    const child = spawn(process.execPath, ["bin/foyer.mjs", ...args], {
      cwd: this.#clone,
      env: this.#environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk;
        process.stderr.write(chunk);
      });
    const [code] = await once(child, "close");
    return { code, output };
  }

  /** What the database and the files hold, by name: rows and checksum. Read from a backup, so by the version that runs. */
  async readData(): Promise<Map<string, string>> {
    const path = join(this.folder, `data-${readdirSync(this.folder).length}.zip`);
    const { code } = await this.foyer("backup", path);
    if (code !== 0) throw new Error("the data could not be read");
    const archive = await openArchive(path);
    const { tables, files } = parseManifest(await archive.readManifest());
    archive.close();
    rmSync(path);
    return new Map([
      ...tables.map(({ name, row_count, sha256 }) => [name, `${row_count} rows, ${sha256}`] as const),
      ...files.map(({ path: name, sha256 }) => [name, sha256] as const),
    ]);
  }

  async remove(): Promise<void> {
    await this.systemctl("stop");
    rmSync(this.folder, { recursive: true, force: true });
  }
}
