import { existsSync } from "node:fs";
import { chmod, chown, lstat, mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config.ts";
import {
  findOwner,
  giveTree,
  isListening,
  type Run,
  runOrFail,
  toLocalUrl,
  UpkeepError,
  waitForSite,
} from "./system.ts";
import { buildUnit } from "./unit.ts";

export interface ServiceOptions {
  /** Of the unit, and of its account where `user` names none. */
  name: string;
  user?: string;
  /** systemd's `MemoryMax=`. */
  memory: string;
}

export interface ServiceDeps {
  config: Config;
  /** The clone. */
  root: string;
  run: Run;
  onProgress(line: string): void;
}

/** systemd's own test of whether it runs the machine: sd_booted(3). */
const SYSTEMD_RUNS = "/run/systemd/system";
const UNITS = "/etc/systemd/system";
const START_LIMIT_MS = 120_000;
const NAME = /^[a-z][a-z0-9_-]{0,30}$/;
const MEMORY = /^(infinity|\d+(\.\d+)?%|\d+[KMGT]?)$/;

function checkOptions({ name, user = name, memory }: ServiceOptions): void {
  if (!NAME.test(name) || !NAME.test(user))
    throw new UpkeepError("A name has small letters, digits, - and _, and begins with a letter.");
  if (user === "root") throw new UpkeepError("The site runs under an account of its own, not as root.");
  if (!MEMORY.test(memory))
    throw new UpkeepError(
      'The memory limit is a number with K, M or G (768M), a share of the machine\'s memory (75%), or "infinity".',
    );
}

/** What is the site's alone, links followed: the data folder, and its database where that is elsewhere. */
async function listOwn({ dataDir }: Config): Promise<string[]> {
  return listReal([dataDir, join(dataDir, "postgres")]);
}

/** What the site writes to and may share with other programs: the folders of backups, of returned mail, and of the log's copy. */
async function listShared({ mailReports, dailyBackup, auditSink }: Config): Promise<string[]> {
  const copy = auditSink?.kind === "file" ? dirname(auditSink.path) : undefined;
  return listReal([dailyBackup.dir, mailReports.maildir, copy].filter((folder) => folder !== undefined));
}

/** Folders as they are on the disk, without those that lie in another one. One that isn't there yet is named as it was given. */
async function listReal(folders: readonly string[]): Promise<string[]> {
  const found = [...new Set(await Promise.all(folders.map((folder) => realpathOr(folder, folder))))];
  return found.filter((folder) => !found.some((other) => folder.startsWith(`${other}/`)));
}

async function listWritable(config: Config): Promise<string[]> {
  return listReal([...(await listOwn(config)), ...(await listShared(config))]);
}

async function realpathOr(path: string, fallback: string): Promise<string> {
  return realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return fallback;
    throw error;
  });
}

/** The unit as text, for `--print` and for the machine. */
export async function printUnit(options: ServiceOptions, { config, root }: ServiceDeps): Promise<string> {
  checkOptions(options);
  return buildUnit({
    title: config.publicUrl ? new URL(config.publicUrl).host : root,
    root,
    node: process.execPath,
    nodeFlags: JSON.parse(await readFile(join(root, "bin/lib/node-flags.json"), "utf8")) as string[],
    user: options.user ?? options.name,
    writable: await listWritable(config),
    ports: [config.port, ...(config.mailReports.listen ? [config.mailReports.listen.port] : [])],
    memory: options.memory,
    name: options.name,
  });
}

interface Owner {
  uid: number;
  gid: number;
}

async function findAccount(user: string, runProgram: Run): Promise<Owner | undefined> {
  const { code, output } = await runProgram("getent", ["passwd", user], { cwd: "/" });
  const [, , uid, gid] = output.split(":");
  return code === 0 && uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

async function ensureAccount(user: string, { run: runProgram, onProgress }: ServiceDeps): Promise<Owner> {
  const found = await findAccount(user, runProgram);
  if (found) return found;
  onProgress(`Making the account ${user}…`);
  const shell = "/usr/sbin/nologin";
  await runOrFail(
    `Making the account ${user}`,
    runProgram,
    [
      "useradd",
      "--system",
      "--user-group",
      "--home-dir",
      "/nonexistent",
      "--no-create-home",
      "--shell",
      shell,
      user,
    ],
    { cwd: "/" },
  );
  const made = await findAccount(user, runProgram);
  if (!made) throw new UpkeepError(`The account ${user} was made and can't be found.`);
  return made;
}

/** Settings hold passwords: the account may read them, and nobody but root may write them. */
async function giveSettings(file: string, { gid }: Owner): Promise<void> {
  const found = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!found) return;
  await chown(file, found.uid, gid);
  await chmod(file, 0o640);
}

async function requireReadable(
  user: string,
  owner: Owner,
  { root, run: runProgram }: ServiceDeps,
): Promise<void> {
  for (const path of ["server/main.ts", "dist", "node_modules"].map((name) => join(root, name))) {
    const runAs = { ...owner, home: "/" };
    const { code } = await runProgram("test", ["-r", path], { cwd: "/", runAs });
    if (code === 0) continue;
    throw new UpkeepError(
      `The account ${user} can't read ${path}.\nMove the clone to where it can, for instance with \`sudo mv ${root} /opt/foyer\`, and let others read it: \`sudo chmod -R go+rX /opt/foyer\`.`,
    );
  }
}

/** Such a folder is not taken from whom it belongs to. */
async function requireShared(
  user: string,
  owner: Owner,
  { config, run: runProgram }: ServiceDeps,
): Promise<void> {
  for (const folder of await listShared(config)) {
    const { code } = await runProgram("test", ["-w", folder], { cwd: "/", runAs: { ...owner, home: "/" } });
    if (code === 0) continue;
    throw new UpkeepError(
      `The account ${user} can't write to ${folder}. Make it, and let the account write there: sudo mkdir -p ${folder} && sudo setfacl -m u:${user}:rwx ${folder}, or chown it where it is the site's alone.`,
    );
  }
}

async function requireMachine({ config }: ServiceDeps, name: string): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new UpkeepError("Installing a service needs root: sudo npm run foyer -- install-service");
  const booted = await lstat(SYSTEMD_RUNS).catch(() => undefined); // absent, or not to be seen: systemd doesn't run
  if (!booted)
    throw new UpkeepError(
      "systemd doesn't run this machine. `install-service --print` shows the unit, for another supervisor or another machine.",
    );
  const hasUnit = await lstat(join(UNITS, `${name}.service`)).catch(() => undefined); // absent: a first installation
  if (!hasUnit && (await isListening(config.port, config.host)))
    throw new UpkeepError(
      `Something listens on port ${config.port} already. If it is this site, stop it first (Ctrl-C): the service starts it.`,
    );
}

/**
 * Makes the account, builds, gives the data folder to the account, writes the unit, enables and starts it, and waits until the
 * site answers. Run again it writes the unit anew. @returns lines for the terminal. @throws UpkeepError
 */
export async function installService(options: ServiceOptions, deps: ServiceDeps): Promise<string[]> {
  checkOptions(options);
  const { name, user = name } = options;
  const { config, root, run: runProgram, onProgress } = deps;
  await requireMachine(deps, name);
  const systemctl = (doing: string, ...args: string[]) =>
    runOrFail(doing, runProgram, ["systemctl", ...args], { cwd: "/" });

  await runOrFail("The build", runProgram, [process.execPath, "bin/build.mjs", "--to-run"], {
    cwd: root,
    runAs: await findOwner(root, runProgram),
    isShown: true,
  });
  const owner = await ensureAccount(user, deps);
  await requireReadable(user, owner, deps);
  await mkdir(config.dataDir, { recursive: true });
  await requireShared(user, owner, deps);
  const unit = await printUnit(options, deps);
  const file = join(UNITS, `${name}.service`);
  const former = await readFile(file, "utf8").catch(() => undefined); // none yet
  await writeFile(file, unit, { mode: 0o644 });
  const verified = await runProgram("systemd-analyze", ["verify", file], { cwd: "/" });
  if (verified.code !== 0) {
    if (former === undefined) await rm(file);
    else await writeFile(file, former);
    throw new UpkeepError(`systemd refuses the unit, and nothing was changed:\n${verified.output}`);
  }

  onProgress(`Starting ${name}.service…`);
  await systemctl("Reading the unit", "daemon-reload");
  if (former !== undefined) await systemctl("Stopping the service", "stop", name);
  for (const folder of await listOwn(config)) if (existsSync(folder)) await giveTree(folder, owner);
  await giveSettings(join(root, ".env"), owner);
  await systemctl("Starting at boot", "enable", name);
  await systemctl("The start", "start", name);
  const isUp = await waitForSite(toLocalUrl(config), {
    limitMs: START_LIMIT_MS,
    hasFailed: async () =>
      (await runProgram("systemctl", ["is-failed", "--quiet", name], { cwd: "/" })).code === 0,
    sleep,
  });
  if (!isUp) {
    const { output } = await runProgram("journalctl", ["-u", name, "-n", "30", "--no-pager", "-o", "cat"], {
      cwd: "/",
    });
    throw new UpkeepError(
      `The service is installed, and the site doesn't answer. Its last lines:\n${output}`,
    );
  }
  return [
    `${name}.service runs, starts with the machine, and again by itself where it fails.`,
    `  log:     journalctl -u ${name} -f`,
    `  stop:    systemctl stop ${name}     start: systemctl start ${name}`,
    `  update:  sudo npm run foyer -- update`,
    `  check:   sudo npm run foyer -- doctor`,
  ];
}
