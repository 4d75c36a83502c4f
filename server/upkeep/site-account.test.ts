import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { decideAccount } from "./site-account.ts";

const isRoot = process.getuid?.() === 0;
/** Skipped where tests don't run as root, who alone can become somebody else. */
const rootTest = isRoot ? test : test.skip;

let folder: Awaited<ReturnType<typeof makeTestFolder>>;
let dataDir: string;
beforeEach(async () => {
  folder = await makeTestFolder();
  dataDir = join(folder.folder, "data");
});
afterEach(() => folder.remove());

const toSettings = (more: object = {}) => ({
  siteUser: undefined,
  dataDir,
  outDir: folder.folder,
  isDevelopment: false,
  dailyBackup: { time: undefined, dir: undefined, remote: undefined, recipient: undefined },
  mailReports: { maildir: undefined } as never,
  auditSink: undefined,
  ...more,
});

/**
 * What a start does, in a process of its own: the database, a port below 1024, an upload, then root is left. It prints what it can do
 * afterwards, and stops the database.
 */
const START = `
import { createServer } from "node:net";
import { readFileSync, writeFileSync } from "node:fs";
import pg from "pg";
import { startEmbedded } from "#server/db/embedded/supervisor.ts";
import { decideAccount, leaveRoot } from "#server/upkeep/site-account.ts";
const settings = JSON.parse(process.env.SETTINGS);
const { account } = await decideAccount(settings, process.cwd());
const log = { info() {}, warn() {} };
const server = await startEmbedded({ dataDir: settings.dataDir, reader: account, log });
writeFileSync(settings.dataDir + "/made-by-root", "");
const port = createServer().listen(0, "127.0.0.1");
const line = await leaveRoot(account, settings.dataDir);
const attempt = async (work) => { try { return await work() } catch (error) { return error.code } };
const ask = (connection) => attempt(async () => {
  const client = new pg.Client({ ...connection, ssl: false });
  await client.connect();
  const { rows } = await client.query("SELECT current_user AS name");
  await client.end();
  return rows[0].name;
});
console.log(JSON.stringify({
  line,
  uid: [process.getuid(), process.geteuid(), process.getgid()],
  groups: process.getgroups(),
  status: readFileSync("/proc/self/status", "utf8"),
  back: await attempt(() => process.setuid(0)),
  shadow: await attempt(() => readFileSync("/etc/shadow").length),
  cluster: await attempt(() => readFileSync(settings.dataDir + "/postgres/PG_VERSION").length),
  own: await attempt(() => writeFileSync(settings.dataDir + "/made-by-root", "mine")),
  site: await ask(server.connection),
  superuser: await ask(server.adminConnection),
}));
await server.stop();
port.close();
process.exit(0);
`;

function start(settings: object): Record<string, unknown> {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", START], {
    env: { ...process.env, SETTINGS: JSON.stringify(settings) },
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

rootTest(
  "a site that root started is an account of its own afterwards, and its database goes on and stops",
  () => {
    const said = start(toSettings());
    expect(said).toMatchObject({
      line: expect.stringContaining("belongs to the user id 1907000000"),
      uid: [1907000000, 1907000000, 1907000000],
      groups: [1907000000],
      status: expect.stringMatching(/CapPrm:\t0{16}\nCapEff:\t0{16}\n/),
      back: "EPERM",
      shadow: "EACCES",
      // PostgreSQL's account is another one, and only it and root are let in as the superuser.
      cluster: "EACCES",
      site: "foyer_app",
      superuser: "28000",
    });
    expect(said.own).toBeUndefined();
    expect(statSync(dataDir).uid).toBe(1907000000);
    // A second start finds the folder as the first one left it.
    expect(start(toSettings())).toMatchObject({
      site: "foyer_app",
      uid: [1907000000, 1907000000, 1907000000],
    });
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
  },
);

rootTest(
  "a data folder that belongs to somebody makes the site that account; FOYER_USER names another",
  async () => {
    mkdirSync(dataDir);
    execFileSync("chown", ["nobody", dataDir]);
    const nobody = statSync(dataDir).uid;
    expect(await decideAccount(toSettings(), process.cwd())).toMatchObject({ account: { uid: nobody } });
    const daemon = await decideAccount(toSettings({ siteUser: "daemon" }), process.cwd());
    expect(daemon.account?.title).toBe("the account daemon");
    await expect(decideAccount(toSettings({ siteUser: "no-such-user" }), process.cwd())).rejects.toThrow(
      "FOYER_USER names the user `no-such-user`, which does not exist.",
    );
    expect(await decideAccount(toSettings({ siteUser: "root" }), process.cwd())).toEqual({});
    expect(await decideAccount(toSettings({ isDevelopment: true }), process.cwd())).toEqual({});
  },
);

rootTest.each(["clone", "backups", "copy of the log"] as const)(
  "it stays root, and says what to do, where the account can't reach the %s",
  async (what) => {
    const closed = join(folder.folder, "closed");
    mkdirSync(join(closed, "server"), { recursive: true });
    writeFileSync(join(closed, "server", "start.ts"), "");
    chmodSync(closed, 0o700);
    const more = {
      clone: {},
      backups: { dailyBackup: { time: undefined, dir: closed, remote: undefined, recipient: undefined } },
      "copy of the log": { auditSink: { kind: "file", path: join(closed, "audit.log") } },
    };
    const root = what === "clone" ? closed : process.cwd();
    const { account, refusal } = await decideAccount(toSettings(more[what]), root);
    expect(account).toBeUndefined();
    expect(refusal).toContain(`can't reach ${what === "clone" ? join(closed, "server/start.ts") : closed}`);
    expect(refusal).toContain("FOYER_USER=root");
  },
);

rootTest("who joins others makes nothing as root, walks no folder, and leaves root as they did", () => {
  mkdirSync(dataDir);
  execFileSync("chown", ["nobody", dataDir]);
  writeFileSync(join(dataDir, "of-root"), "");
  const script = `
    import { statSync, writeFileSync } from "node:fs";
    import { actAs, actAsRoot, decideAccount, leaveRoot } from "#server/upkeep/site-account.ts";
    const settings = JSON.parse(process.env.SETTINGS);
    const { account } = await decideAccount(settings, process.cwd());
    actAs(account);
    writeFileSync(settings.dataDir + "/own", "");
    actAsRoot(account);
    const regained = process.geteuid();
    const line = await leaveRoot(account, settings.dataDir, true);
    let back;
    try { process.seteuid(0) } catch (error) { back = error.code }
    const uidOf = (name) => statSync(settings.dataDir + name).uid;
    console.log(JSON.stringify({ line, regained, back, ids: [process.getuid(), process.geteuid(), process.getgroups().length],
      own: uidOf("/own"), ofRoot: uidOf("/of-root") }));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    env: { ...process.env, SETTINGS: JSON.stringify(toSettings()) },
    encoding: "utf8",
  });
  const { uid } = statSync(dataDir);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({ regained: 0, back: "EPERM", ids: [uid, uid, 1], own: uid, ofRoot: 0 });
});

test("another account than root stays what it is", async () => {
  const own = process.getuid;
  try {
    process.getuid = () => 1000;
    expect(await decideAccount(toSettings(), process.cwd())).toEqual({});
  } finally {
    if (own) process.getuid = own;
  }
});
