import { existsSync } from "node:fs";
import { chown, mkdir, readdir, rename, rm, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config.ts";
import {
  findOwner,
  isListening,
  type Run,
  type RunAs,
  runOrFail,
  toLocalUrl,
  UpkeepError,
  waitForSite,
} from "./system.ts";

export interface UpdateDeps {
  config: Config;
  /** The clone that runs. */
  root: string;
  /** Of the unit. */
  service: string;
  run: Run;
  now: () => Date;
  onProgress(line: string): void;
}

/** What building beside the running version takes: packages and a clone of the tree. */
const SPACE_MIN_MB = 2_000;
const HEALTHY_LIMIT_MS = 120_000;
/** What a version is made of besides what git has. */
const PARTS = ["node_modules", "dist"] as const;
const TAG = /^v(\d+)\.(\d+)\.(\d+)$/;

/** `v1.10.2` → [1, 10, 2]; undefined for tags that are no version. */
function parseTag(tag: string): number[] | undefined {
  return TAG.exec(tag)?.slice(1).map(Number);
}

/** The newest of the version tags; pre-releases are none. */
export function findNewest(tags: readonly string[]): string | undefined {
  const versions = tags.filter((tag) => parseTag(tag));
  return versions.sort((one, other) => {
    const [a, b] = [parseTag(one) ?? [], parseTag(other) ?? []];
    return (b[0] ?? 0) - (a[0] ?? 0) || (b[1] ?? 0) - (a[1] ?? 0) || (b[2] ?? 0) - (a[2] ?? 0);
  })[0];
}

/** Runs git in the clone as its owner; git refuses a clone of somebody else. */
class Clone {
  readonly root: string;
  readonly #run: Run;
  readonly runAs: RunAs | undefined;

  constructor(root: string, runProgram: Run, runAs: RunAs | undefined) {
    this.root = root;
    this.#run = runProgram;
    this.runAs = runAs;
  }

  git(doing: string, ...args: string[]): Promise<string> {
    return runOrFail(doing, this.#run, ["git", ...args], {
      cwd: this.root,
      runAs: this.runAs,
      // A remote that asks for a password would wait for ever.
      env: { ...process.env, GIT_TERMINAL_PROMPT: "0" },
    });
  }

  async has(revision: string): Promise<boolean> {
    const args = ["rev-parse", "--verify", "--quiet", `${revision}^{commit}`];
    return (await this.#run("git", args, { cwd: this.root, runAs: this.runAs })).code === 0;
  }

  /** Whether what runs has all of it already. */
  async hasInstalled(revision: string): Promise<boolean> {
    const args = ["merge-base", "--is-ancestor", revision, "HEAD"];
    return (await this.#run("git", args, { cwd: this.root, runAs: this.runAs })).code === 0;
  }

  commitOf(revision: string): Promise<string> {
    return this.git(`Looking ${revision} up`, "rev-parse", `${revision}^{commit}`);
  }
}

async function openClone({ root, run: runProgram }: UpdateDeps): Promise<Clone> {
  if (!existsSync(join(root, ".git")))
    throw new UpkeepError(
      `${root} is no git clone, so there is nothing to update it from. Clone Foyer, and restore a backup there.`,
    );
  return new Clone(root, runProgram, await findOwner(root, runProgram));
}

/** What is to be installed. @returns undefined where the newest runs already */
async function chooseTarget(clone: Clone, wanted: string | undefined): Promise<string | undefined> {
  await clone.git("Asking for new versions", "fetch", "--quiet", "--tags", "--force", "origin");
  const newest = findNewest((await clone.git("Listing versions", "tag", "--list")).split("\n"));
  const target = wanted ?? newest;
  if (!target)
    throw new UpkeepError(
      "The clone's origin has no versions (tags such as v1.2.3). Name one: update --to <tag>",
    );
  if (!(await clone.has(target))) throw new UpkeepError(`There is no version ${target}.`);
  if (!wanted && (await clone.hasInstalled(target))) return undefined;
  return (await clone.commitOf(target)) === (await clone.commitOf("HEAD")) ? undefined : target;
}

/** What the owner changed would be lost or in the way: it is theirs to keep. */
async function requireClean(clone: Clone): Promise<void> {
  const changes = await clone.git("Looking for changes", "status", "--porcelain", "--untracked-files=no");
  if (changes)
    throw new UpkeepError(
      `Files of the clone were changed:\n${changes}\nCommit them, or put them back with \`git checkout -- .\`, and update again.`,
    );
}

async function requireSpace(root: string): Promise<void> {
  const { bavail, bsize } = await statfs(root);
  const free = (bavail * bsize) / 1e6;
  if (free < SPACE_MIN_MB)
    throw new UpkeepError(
      `Building beside the running version takes ${SPACE_MIN_MB} MB, and ${Math.round(free)} MB are free.`,
    );
}

/** Tells of a new version, and changes nothing. @returns a line for the terminal */
export async function checkForUpdate(deps: UpdateDeps): Promise<string> {
  const clone = await openClone(deps);
  const target = await chooseTarget(clone, undefined);
  const current = await clone.git("Looking the version up", "describe", "--tags", "--always");
  return target
    ? `${target} is there; ${current} runs. To install it: npm run foyer -- update`
    : `${current} is the newest.`;
}

const toBeside = (root: string) => join(root, ".cache", "update");

/** Installs and builds the version in a folder of its own, with the packages that running needs. The site goes on meanwhile. */
async function prepare(
  clone: Clone,
  target: string,
  { run: runProgram, onProgress }: UpdateDeps,
): Promise<string> {
  const beside = join(toBeside(clone.root), "next");
  await removeLeftovers(clone);
  await clone.git("Preparing a folder", "worktree", "add", "--quiet", "--detach", beside, target);
  onProgress(`Building ${target} beside the running version…`);
  const build = [process.execPath, "bin/build.mjs", "--to-run"] as const;
  await runOrFail("The build", runProgram, build, { cwd: beside, runAs: clone.runAs, isShown: true });
  return beside;
}

async function removeLeftovers(clone: Clone): Promise<void> {
  await rm(toBeside(clone.root), { recursive: true, force: true });
  await clone.git("Forgetting an earlier attempt", "worktree", "prune");
}

/** Puts the parts of one version in the place of those that are there, which go to `aside`. Renames on one disk: milliseconds. */
async function swapParts(root: string, from: string, aside: string): Promise<void> {
  await mkdir(aside, { recursive: true });
  for (const part of PARTS) {
    if (existsSync(join(root, part))) await rename(join(root, part), join(aside, part));
    if (existsSync(join(from, part))) await rename(join(from, part), join(root, part));
  }
}

/** Names of the backups that a start makes before it migrates. */
async function listMigrationBackups(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, "backups")).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => /^before-\d{4}_.*\.zip$/.test(name));
}

/** Starting and stopping the site by its unit. */
function createService({ config, service, run: runProgram }: UpdateDeps) {
  const systemctl = (...args: string[]) => runProgram("systemctl", args, { cwd: "/" });
  return {
    isInstalled: async () => (await systemctl("cat", service)).code === 0,
    async stop() {
      await runOrFail("The stop", runProgram, ["systemctl", "stop", service], { cwd: "/" });
    },
    /** @returns whether the site works. */
    async start(): Promise<boolean> {
      await systemctl("reset-failed", service);
      if ((await systemctl("start", service)).code !== 0) return false;
      return waitForSite(toLocalUrl(config), {
        limitMs: HEALTHY_LIMIT_MS,
        hasFailed: async () => (await systemctl("is-failed", "--quiet", service)).code === 0,
        sleep,
      });
    },
    async readLog() {
      const args = ["-u", service, "-n", "20", "--no-pager", "-o", "cat"];
      return (await runProgram("journalctl", args, { cwd: "/" })).output;
    },
  };
}

/** `backup`: made by the former version before the update. */
type SwitchDeps = UpdateDeps & { backup: string };

/** The former version, in order: its files, its packages and pages, and its database where the new one had migrated it. */
async function rollBack(
  clone: Clone,
  former: string,
  { aside, backupsBefore }: { aside: string; backupsBefore: readonly string[] },
  deps: SwitchDeps,
): Promise<string[]> {
  const { config, root, run: runProgram, onProgress } = deps;
  onProgress("The new version doesn't work: going back…");
  await clone.git("Going back", "checkout", "--quiet", "--force", former);
  await swapParts(root, aside, join(toBeside(root), "failed"));
  const made = (await listMigrationBackups(config.dataDir)).filter((name) => !backupsBefore.includes(name));
  const [backup] = made.sort();
  if (!backup && config.skipBackup)
    return [
      `If it migrated the database: stop the site, and npm run foyer -- restore ${deps.backup} --replace`,
    ];
  if (!backup) return ["Nothing is lost."];
  onProgress("Its migrations are taken back from the backup that it made before them…");
  const file = join(config.dataDir, "backups", backup);
  const restore = [process.execPath, "server/cli.ts", "restore", file, "--replace"] as const;
  try {
    const notes = await runOrFail("The restore", runProgram, restore, {
      cwd: root,
      runAs: await findOwner(config.dataDir, runProgram),
      // Of what the new version made of the database nothing is kept: the backup is what was there before.
      env: { ...process.env, FOYER_SKIP_BACKUP: "true" },
    });
    return ["The database is as it was at the switch.", notes];
  } catch (error) {
    // Started over a database of the new version it would only refuse.
    throw new UpkeepError(
      [
        (error as Error).message,
        "The former version's files are back, its database isn't, and the site stands still. Mend what it says, then:",
        `  sudo npm run foyer -- restore ${file} --replace`,
        `  sudo systemctl start ${deps.service}`,
        `All of the site before this update is in ${deps.backup}.`,
      ].join("\n"),
    );
  }
}

async function switchTo(clone: Clone, target: string, beside: string, deps: SwitchDeps): Promise<string[]> {
  const { config, root, onProgress } = deps;
  const service = createService(deps);
  const former = await clone.commitOf("HEAD");
  const branch = await clone.git("Looking the branch up", "rev-parse", "--abbrev-ref", "HEAD");
  const aside = join(toBeside(root), "former");
  const backupsBefore = await listMigrationBackups(config.dataDir);
  onProgress(`Switching to ${target}…`);
  await service.stop();
  const stopped = performance.now();
  try {
    await clone.git("The switch", "checkout", "--quiet", "--detach", target);
    await swapParts(root, beside, aside);
  } catch (error) {
    // The swap may have ended between two of its renames.
    for (const part of PARTS.filter((name) => existsSync(join(aside, name)))) {
      await rm(join(root, part), { recursive: true, force: true });
      await rename(join(aside, part), join(root, part));
    }
    await clone.git("Going back", "checkout", "--quiet", "--force", branch === "HEAD" ? former : branch);
    await service.start();
    throw error;
  }
  if (await service.start()) {
    const seconds = ((performance.now() - stopped) / 1000).toFixed(1);
    await removeLeftovers(clone);
    return [`${target} runs (${seconds} s without an answer).`];
  }
  const log = await service.readLog();
  await service.stop();
  const notes = await rollBack(
    clone,
    branch === "HEAD" ? former : branch,
    { aside, backupsBefore },
    deps,
  ).catch((error: Error) => {
    throw new UpkeepError(`${target} didn't work:\n${log}\nGoing back failed. ${error.message}`);
  });
  const isBack = await service.start();
  if (isBack) await removeLeftovers(clone);
  throw new UpkeepError(
    [
      `${target} didn't work, and the former version ${isBack ? "runs again." : "doesn't start either: see the journal."}`,
      ...notes,
      `The last lines of ${target}:\n${log}`,
    ].join("\n"),
  );
}

/**
 * Fetches a version, builds it beside the running one, backs up, switches, and goes back by itself where the new one doesn't work.
 * @returns lines for the terminal. @throws UpkeepError
 */
export async function update(wanted: string | undefined, deps: UpdateDeps): Promise<string[]> {
  const { config, root, run: runProgram, now, onProgress } = deps;
  const clone = await openClone(deps);
  const service = createService(deps);
  const hasService = await service.isInstalled();
  if (hasService && process.getuid?.() !== 0)
    throw new UpkeepError("The site is a service, which root stops and starts: sudo npm run foyer -- update");
  if (!hasService && (await isListening(config.port, config.host)))
    throw new UpkeepError(
      "The site runs, and not as a service, so nobody could start it again. Stop it (Ctrl-C) and update, or install the service first: sudo npm run foyer -- install-service",
    );
  await requireClean(clone);
  await requireSpace(root);
  const target = await chooseTarget(clone, wanted);
  if (!target) return ["The newest version runs already."];

  const stamp = now()
    .toISOString()
    .replace(/[-:]|\.\d+/g, "");
  const backup = join(config.dataDir, "backups", `before-update-${stamp}.zip`);
  const owner = await findOwner(config.dataDir, runProgram);
  await mkdir(dirname(backup), { recursive: true, mode: 0o700 });
  if (owner) await chown(dirname(backup), owner.uid, owner.gid);
  onProgress(`Backing up to ${backup}…`);
  await runOrFail("The backup", runProgram, [process.execPath, "server/cli.ts", "backup", backup], {
    cwd: root,
    runAs: owner,
  });
  const beside = await prepare(clone, target, deps);
  if (hasService) return switchTo(clone, target, beside, { ...deps, backup });
  await clone.git("The switch", "checkout", "--quiet", "--detach", target);
  await swapParts(root, beside, join(toBeside(root), "former"));
  await removeLeftovers(clone);
  return [`${target} is installed. Start it with \`npm start\`.`];
}
