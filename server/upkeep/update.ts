import { existsSync } from "node:fs";
import { chown, mkdir, readdir, rename, rm, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config.ts";
import { type Clone, chooseTarget, openClone, requireClean } from "./clone.ts";
import {
  findOwner,
  isListening,
  type Run,
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
  const clone = await openClone(deps.root, deps.run);
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

/**
 * The former version, in order: its files, its packages and pages, and its database where the new one had migrated it.
 * @returns what the owner should know; nothing where there was nothing to take back
 */
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
  if (!backup) return [];
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
  const outcome = isBack
    ? ["and the former version runs again.", ...(notes.length > 0 ? notes : ["Nothing is lost."])]
    : [
        `and the former version doesn't start either: journalctl -u ${deps.service} says why.`,
        ...notes,
        // A site that holds nothing yet migrates without a backup: no note tells of one.
        "If it is the database, which the new one may have changed, put back what was there before the update:",
        `  sudo npm run foyer -- restore ${deps.backup} --replace`,
        `  sudo systemctl start ${deps.service}`,
      ];
  throw new UpkeepError(
    [`${target} didn't work, ${outcome.join("\n")}`, `The last lines of ${target}:\n${log}`].join("\n"),
  );
}

/**
 * Fetches a version, builds it beside the running one, backs up, switches, and goes back by itself where the new one doesn't work.
 * @returns lines for the terminal. @throws UpkeepError
 */
export async function update(wanted: string | undefined, deps: UpdateDeps): Promise<string[]> {
  const { config, root, run: runProgram, now, onProgress } = deps;
  const clone = await openClone(deps.root, deps.run);
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
