import { access, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { findOwner, type Run } from "./system.ts";
import { bad, good, note, type Verdict } from "./verdict.ts";

export interface DoctorDeps {
  config: Config;
  /** The clone. */
  root: string;
  service: string;
  run: Run;
  now: () => Date;
  /** Where copies of backups go (BACKUP_TO); `check` writes there and rejects with what is wrong. */
  copies: { title: string; check(): Promise<void> } | undefined;
  /** The bucket with the site's files (S3_URL); `check` writes there and rejects with what is wrong. */
  bucket: DoctorDeps["copies"];
  /** The unit as this version writes it, for the settings that hold and what was chosen at its installation. */
  printUnit(chosen: { user: string; memory: string }): Promise<string>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const BACKUP_DAYS_MAX = 2;

const toClock = ({ hour, minute }: { hour: number; minute: number }) =>
  `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;

export async function checkBackups({ config: { dataDir, dailyBackup }, now }: DoctorDeps): Promise<Verdict> {
  const folder = dailyBackup.dir ?? join(dataDir, "backups");
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const files = await Promise.all(
    names.filter((name) => name.endsWith(".zip")).map((name) => stat(join(folder, name))),
  );
  const newest = Math.max(0, ...files.map(({ mtimeMs }) => mtimeMs));
  if (newest === 0) {
    const begun = await stat(dataDir).catch(() => undefined); // absent: the site was never started
    const isNew = !begun || now().getTime() - begun.birthtimeMs < BACKUP_DAYS_MAX * DAY_MS;
    const text = `There is no backup in ${folder}`;
    return isNew && dailyBackup.time
      ? note(`${text} yet: the site makes one each day at ${toClock(dailyBackup.time)}.`)
      : bad(`${text}.`, "npm run foyer -- backup");
  }
  const days = (now().getTime() - newest) / DAY_MS;
  const text = `The newest backup in ${folder} is ${days < 1 ? "of today" : `${Math.floor(days)} days old`}.`;
  return days > BACKUP_DAYS_MAX
    ? bad(text, "Look at /admin/health for why none was made; npm run foyer -- backup")
    : good(text);
}

/** Folders that nothing in the service sees, by the setting of its unit that hides them. */
const HIDDEN: readonly { setting: string; folders: readonly string[] }[] = [
  { setting: "ProtectHome", folders: ["/home", "/root", "/run/user"] },
  { setting: "PrivateTmp", folders: ["/tmp", "/var/tmp"] },
];

/** What the installed unit says of itself; empty where there is none. */
async function readUnit({ service, run }: DoctorDeps): Promise<ReadonlyMap<string, string>> {
  const names = ["LoadState", "User", ...HIDDEN.map(({ setting }) => setting)].join(",");
  const { code, output } = await run("systemctl", ["show", service, "-p", names], { cwd: "/" });
  const values = new Map(output.split("\n").map((line) => line.split("=", 2) as [string, string]));
  return code === 0 && values.get("LoadState") === "loaded" ? values : new Map();
}

/** What keeps the site from its key: it isn't there, the unit, or who may read the file. This command itself, as root, reads every one. */
async function findKeyFault(key: string, deps: DoctorDeps): Promise<Verdict | undefined> {
  const { config, run } = deps;
  const unit = await readUnit(deps);
  const isStarted = await access(config.dataDir).then(
    () => true,
    () => false,
  );
  const runAs = isStarted ? await findOwner(config.dataDir, run) : undefined;
  const account = unit.get("User") || runAs?.uid;
  const place = "/etc/foyer-backup.key";
  const owner = account === undefined ? "" : ` -o ${account}`;
  // Where this account may not look, it may be there.
  const isGone = await access(key).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === "ENOENT",
  );
  const settle = `set BACKUP_TO_KEY_FILE=${place}, and start the site again`;
  const todo = isGone
    ? `sudo install${owner} -m 600 YOUR_KEY ${place}, ${settle}`
    : `sudo install${owner} -m 600 ${key} ${place}, ${settle}`;
  // A link leads where the file is.
  const real = await realpath(key).catch(() => key);
  const hidden = HIDDEN.find(
    ({ setting, folders }) =>
      unit.get(setting) === "yes" &&
      [key, real].some((path) => folders.some((folder) => path.startsWith(`${folder}/`))),
  );
  if (hidden)
    return bad(
      `The service doesn't see the key ${key}: its unit hides that folder (${hidden.setting}).${isGone ? " There is no such file." : ""}`,
      todo,
    );
  if (isGone) return bad(`There is no key ${key} (BACKUP_TO_KEY_FILE).`, todo);
  if (runAs && (await run("test", ["-r", key], { cwd: "/", runAs })).code !== 0)
    return bad(`The site's account can't read the key ${key}.`, todo);
  return undefined;
}

export async function checkFiles({ bucket }: DoctorDeps): Promise<Verdict> {
  if (!bucket) return good("Uploaded files lie in the data folder.");
  try {
    await bucket.check();
    return good(`Uploaded files lie in ${bucket.title}: one could be written there and deleted again.`);
  } catch (error) {
    return bad((error as Error).message, 'Correct S3_URL, or mend the store (README, "Files in a bucket").');
  }
}

export async function checkCopies(deps: DoctorDeps): Promise<Verdict> {
  const { copies } = deps;
  const { remote, time } = deps.config.dailyBackup;
  if (!copies)
    return note(
      "Backups are on this machine alone.",
      "Set BACKUP_TO to an SFTP or S3 address, so that a lost disk loses nothing.",
    );
  if (!time)
    return bad(
      `Nothing is copied to ${copies.title}: the site makes no backups by itself (BACKUP_DAILY).`,
      "Set BACKUP_DAILY=true, or take BACKUP_TO away.",
    );
  const key = remote?.kind === "sftp" ? remote.keyFile : undefined;
  const fault = key && (await findKeyFault(key, deps));
  if (fault) return fault;
  try {
    await copies.check();
    return good(`${copies.title}: a file could be written there and deleted again.`);
  } catch (error) {
    return bad(
      `${copies.title}: ${(error as Error).message}`,
      "Correct BACKUP_TO, and run the doctor again.",
    );
  }
}
