import { chownSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { dirname, join } from "node:path";
import type { Config } from "../config.ts";
import { getAccount, isRoot, runCommand } from "../db/embedded/account.ts";
import { DatabaseStartError } from "../db/embedded/start-error.ts";
import { giveBackToSite } from "./system.ts";

/** Whom a site that root started becomes where nobody is named: no other program's account, and above what systemd gives out. */
const OWN_ID = 1_907_000_000;

/** An account that the site becomes. */
export interface SiteAccount {
  uid: number;
  gid: number;
  /** For the terminal: a name, or "the user id …". */
  title: string;
}

/** Whom the site becomes, or why it stays root. Neither: root did not start it. */
export interface RootDecision {
  account?: SiteAccount;
  /** For the terminal: what to do. */
  refusal?: string;
}

type Settings = Pick<
  Config,
  "siteUser" | "dataDir" | "outDir" | "isDevelopment" | "dailyBackup" | "mailReports" | "auditSink"
>;

const toAccount = (uid: number, gid: number, name?: string): SiteAccount => ({
  uid,
  gid,
  title: name === undefined ? `the user id ${uid}` : `the account ${name}`,
});

/** Who is named, else whom the data folder belongs to, else an id of the site's own. */
async function choose({ siteUser, dataDir }: Settings): Promise<SiteAccount> {
  if (siteUser !== undefined) {
    const named = await getAccount(siteUser);
    if (!named)
      throw new DatabaseStartError(`FOYER_USER names the user \`${siteUser}\`, which does not exist.`);
    return toAccount(named.uid, named.gid, named.name);
  }
  const found = statSync(dataDir);
  if (found.uid === 0) return toAccount(OWN_ID, OWN_ID);
  const owner = await getAccount(String(found.uid));
  return owner ? toAccount(owner.uid, owner.gid, owner.name) : toAccount(found.uid, found.gid);
}

/** Paths that the account has to reach, each with the shell's test of it. */
function listNeeds(
  { dataDir, outDir, dailyBackup, mailReports, auditSink }: Settings,
  root: string,
): [string, string][] {
  const { remote } = dailyBackup;
  const keys = remote?.kind === "sftp" && remote.keyFile !== undefined ? [remote.keyFile] : [];
  const copy = auditSink?.kind === "file" ? dirname(auditSink.path) : undefined;
  const shared = [dailyBackup.dir, mailReports.maildir, copy].filter((path) => path !== undefined);
  return [
    ...["server/start.ts", "package.json", "node_modules/pg/package.json"].map((name): [string, string] => [
      "-r",
      join(root, name),
    ]),
    ...keys.map((path): [string, string] => ["-r", path]),
    ["-x", process.execPath],
    ["-r", outDir],
    ["-x", join(realpathSync(dataDir), "..")],
    ...shared.map((path): [string, string] => ["-w", path]),
  ];
}

/** The first path that the account can't reach. */
async function findClosed(
  account: SiteAccount,
  needs: readonly [string, string][],
): Promise<string | undefined> {
  const script = 'while [ $# -gt 0 ]; do [ "$1" "$2" ] || { printf %s "$2"; exit 1; }; shift 2; done';
  const { isOk, output } = await runCommand("/bin/sh", ["-c", script, "sh", ...needs.flat()], account);
  return isOk ? undefined : output;
}

/**
 * Decides whom a site that root started becomes once it has its folder and its port. It stays root where that account could not reach
 * what the site needs (a clone under /root), and says so.
 * @throws DatabaseStartError where FOYER_USER can't be used
 */
export async function decideAccount(settings: Settings, root: string): Promise<RootDecision> {
  // Vite writes into the clone.
  if (!isRoot() || settings.isDevelopment) return {};
  if (settings.siteUser === "root") return {};
  mkdirSync(settings.dataDir, { recursive: true });
  const account = await choose(settings);
  const closed = await findClosed(account, listNeeds(settings, root));
  if (closed === undefined) return { account };
  if (!closed.startsWith("/"))
    return { refusal: `this system lets no process become another account (${closed}).` };
  return {
    refusal: `${account.title} can't reach ${closed}. Move the clone to where it can (mv ${root} /opt/foyer) and let others read it (chmod -R go+rX /opt/foyer), or give that folder to it; FOYER_USER=root says that it shall stay.`,
  };
}

/** Whom a process that joins others acts as: they work in the folder. */
export const toJoiner = (launched: { isJoining: boolean } | undefined, account: SiteAccount | undefined) =>
  launched?.isJoining ? account : undefined;

/**
 * For a process that joins others (undefined: it doesn't): it acts as that account, so that nothing it makes in their folder has to change
 * hands, and is root again for its ports.
 */
export function actAs(account: SiteAccount | undefined): void {
  if (!account || process.geteuid?.() !== 0) return;
  process.setgroups?.([]);
  process.setegid?.(account.gid);
  process.seteuid?.(account.uid);
}

/** Ends what `actAs` began. */
export function actAsRoot(account: SiteAccount | undefined): void {
  if (account) process.seteuid?.(0);
}

/** Does work that may open a port of root's. */
export async function asRoot<Answer>(
  account: SiteAccount | undefined,
  work: () => Promise<Answer>,
): Promise<Answer> {
  actAsRoot(account);
  try {
    return await work();
  } finally {
    actAs(account);
  }
}

/**
 * Gives root up for good: from here on the process is that account, with no group and no right beyond it. What root made in the data
 * folder meanwhile goes along, but for a process that joins others: they work in it, and it made nothing as root. @returns a line for the terminal where the folder changed hands
 */
export async function leaveRoot(
  { uid, gid, title }: SiteAccount,
  dataDir: string,
  isJoining = false,
): Promise<string | undefined> {
  const isTaken = !isJoining && statSync(dataDir).uid !== uid;
  if (isTaken) chownSync(dataDir, uid, gid);
  if (!isJoining) await giveBackToSite(dataDir);
  // Afterwards it is somebody else's folder.
  flushCompileCache();
  process.setgroups?.([]);
  process.setgid?.(gid);
  process.setuid?.(uid);
  // Programs that it starts look there for their own files.
  process.env.HOME = dataDir;
  delete process.env.USER;
  delete process.env.LOGNAME;
  return isTaken ? `${dataDir} belongs to ${title} from now on, which the site runs as.` : undefined;
}
