import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { parseConfig } from "../config.ts";
import { findNewest } from "./clone.ts";
import { type Run, run } from "./system.ts";
import { checkForUpdate, type UpdateDeps, update } from "./update.ts";

/**
 * A version for these tests: its build writes its name into packages and pages, its command line writes down what it is asked.
 * git is real; systemd is played by `systemctl` below, the site by an HTTP server.
 */
const BUILD = `import { mkdirSync, writeFileSync, readFileSync } from "node:fs";
const name = readFileSync("version.txt", "utf8");
if (name === "v0.4.0") process.exit(3);
for (const part of ["node_modules", "dist"]) { mkdirSync(part, { recursive: true }); writeFileSync(part + "/version.txt", name); }
`;
const CLI = `import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
const [command, file] = process.argv.slice(2);
appendFileSync(process.env.TEST_CALLS, readFileSync("version.txt", "utf8") + " " + command + "\\n");
if (command === "backup") writeFileSync(file, "zip");
if (command === "restore" && process.env.TEST_FULL) { console.error("No space left on device"); process.exit(1); }
`;

let folder: string;
let root: string;
let site: Server | undefined;
let port: number;
let isService: boolean;
/** Versions whose site answers, and those that migrate the database before they fail. */
let healthy: Set<string>;
let migrating: Set<string>;
let lines: string[];

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
    cwd,
    encoding: "utf8",
  });
const readCalls = () => readFileSync(join(folder, "calls"), "utf8").trim().split("\n");
const readVersions = () =>
  ["version.txt", "node_modules/version.txt", "dist/version.txt"].map((file) =>
    readFileSync(join(root, file), "utf8"),
  );

function release(name: string): void {
  const origin = join(folder, "origin");
  writeFileSync(join(origin, "version.txt"), name);
  git(origin, "add", "-A");
  git(origin, "commit", "-qm", name);
  git(origin, "tag", name);
}

async function stopSite(): Promise<void> {
  await new Promise((resolve) => (site ? site.close(resolve) : resolve(undefined)));
  site = undefined;
}

async function startSite(): Promise<number> {
  const version = readFileSync(join(root, "dist/version.txt"), "utf8");
  if (migrating.has(version))
    writeFileSync(join(root, "data/backups", "before-0001_new-20261126T000000Z.zip"), "zip");
  if (!healthy.has(version)) return 1;
  site = createServer((request, response) =>
    response.writeHead(["/api/health/ready", "/cv"].includes(request.url ?? "") ? 200 : 404).end(),
  );
  await new Promise<void>((resolve) => site?.listen(port, "127.0.0.1", resolve));
  return 0;
}

const runTest: Run = async (file, args, options) => {
  if (file === "journalctl") return { code: 0, output: "it said why" };
  if (file !== "systemctl")
    return run(file, args, {
      ...options,
      isShown: false,
      env: { ...process.env, ...options.env, TEST_CALLS: join(folder, "calls") },
    });
  const [verb] = args;
  if (verb === "cat") return { code: isService ? 0 : 1, output: "" };
  if (verb === "stop") await stopSite();
  if (verb === "is-failed") return { code: site ? 1 : 0, output: "" };
  return { code: verb === "start" ? await startSite() : 0, output: "" };
};

const toDeps = (): UpdateDeps => ({
  config: parseConfig({ PORT: String(port), FOYER_DATA_DIR: "data" }, root),
  root,
  service: "foyer",
  run: runTest,
  now: () => new Date("2026-11-26T12:00:00Z"),
  onProgress: (line) => lines.push(line),
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "foyer-update-"));
  const origin = join(folder, "origin");
  for (const name of ["bin", "server"]) mkdirSync(join(origin, name), { recursive: true });
  writeFileSync(join(origin, "bin/build.mjs"), BUILD);
  writeFileSync(join(origin, "server/cli.ts"), CLI);
  writeFileSync(join(origin, "package.json"), '{ "type": "module" }');
  writeFileSync(join(origin, ".gitignore"), "node_modules\ndist\ndata\n.cache\n");
  git(origin, "init", "-qb", "main");
  release("v0.9.0");
  root = join(folder, "clone");
  git(folder, "clone", "-q", origin, root);
  mkdirSync(join(root, "data/backups"), { recursive: true });
  execFileSync(process.execPath, ["bin/build.mjs"], { cwd: root });
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  ({ port } = probe.address() as AddressInfo);
  await new Promise((resolve) => probe.close(resolve));
  [healthy, migrating, lines, isService] = [new Set(["v0.9.0", "v0.10.0"]), new Set(), [], true];
  writeFileSync(join(folder, "calls"), "");
  await startSite();
});

afterEach(async () => {
  await stopSite();
  rmSync(folder, { recursive: true, force: true });
});

test("the newest version is the largest number, and not a preview", () => {
  expect(findNewest(["v0.9.0", "v0.10.0", "v1.0.0-rc.1", "nightly", "v0.9.12"])).toBe("v0.10.0");
  expect(findNewest(["nightly"])).toBeUndefined();
});

test("a new version is told, installed after a backup, and leaves nothing beside it", async () => {
  expect(await checkForUpdate(toDeps())).toBe("v0.9.0 is the newest.");
  release("v0.10.0");
  expect(await checkForUpdate(toDeps())).toContain("v0.10.0 is there; v0.9.0");
  expect(readVersions()).toEqual(["v0.9.0", "v0.9.0", "v0.9.0"]);

  const [line] = await update(undefined, toDeps());
  expect(line).toMatch(/^v0\.10\.0 runs \(\d+\.\d s without an answer\)\.$/);
  expect(readVersions()).toEqual(["v0.10.0", "v0.10.0", "v0.10.0"]);
  expect(site?.listening).toBe(true);
  expect(readCalls()).toEqual(["v0.9.0 backup"]);
  expect(existsSync(join(root, "data/backups/before-update-20261126T120000Z.zip"))).toBe(true);
  expect(existsSync(join(root, ".cache/update"))).toBe(false);
  expect(git(root, "worktree", "list").trim().split("\n")).toHaveLength(1);
  expect(await update(undefined, toDeps())).toEqual(["The newest version runs already."]);
});

test("a clone that is ahead of the newest version is not taken back to it", async () => {
  git(root, "commit", "-q", "--allow-empty", "-m", "of the owner's own");
  expect(await checkForUpdate(toDeps())).toMatch(/^v0\.9\.0-1-g\w+ is the newest\.$/);
  expect(await update(undefined, toDeps())).toEqual(["The newest version runs already."]);
});

test("one that doesn't start is taken back: files, packages, pages", async () => {
  release("v0.11.0");
  await expect(update(undefined, toDeps())).rejects.toThrow(
    "v0.11.0 didn't work, and the former version runs again.\nNothing is lost.\nThe last lines of v0.11.0:\nit said why",
  );
  expect(readVersions()).toEqual(["v0.9.0", "v0.9.0", "v0.9.0"]);
  expect(site?.listening).toBe(true);
  expect(git(root, "status", "--porcelain")).toBe("");
  expect(git(root, "rev-parse", "--abbrev-ref", "HEAD").trim()).toBe("main");
});

test("one that migrated before it failed has its database taken back by the former version", async () => {
  release("v0.11.0");
  migrating.add("v0.11.0");
  await expect(update(undefined, toDeps())).rejects.toThrow("The database is as it was at the switch.");
  expect(readCalls()).toEqual(["v0.9.0 backup", "v0.9.0 restore"]);
});

test("one whose database can't be taken back says where the backups are and what to run, and isn't started over it", async () => {
  release("v0.11.0");
  migrating.add("v0.11.0");
  const failed: unknown = await update(undefined, {
    ...toDeps(),
    run: (file, args, options) =>
      runTest(file, args, { ...options, env: { ...process.env, ...options.env, TEST_FULL: "1" } }),
  }).catch((error: unknown) => error);
  const backups = join(root, "data/backups");
  const { message } = failed as Error;
  expect(message).toContain("v0.11.0 didn't work:\nit said why\nGoing back failed. The restore failed");
  expect(message).toContain("No space left on device");
  expect(message).toContain(`restore ${join(backups, "before-0001_new-20261126T000000Z.zip")} --replace`);
  expect(message).toContain("systemctl start foyer");
  expect(message).toContain(join(backups, "before-update-20261126T120000Z.zip"));
  expect(readVersions()).toEqual(["v0.9.0", "v0.9.0", "v0.9.0"]);
  expect(site).toBeUndefined();
});

test("where the former version doesn't start after it either, the backup and what to run are named", async () => {
  release("v0.11.0");
  const failed: unknown = await update(undefined, {
    ...toDeps(),
    onProgress: (line) => line.includes("going back") && healthy.delete("v0.9.0"),
  }).catch((error: unknown) => error);
  const { message } = failed as Error;
  expect(message).toContain(
    "v0.11.0 didn't work, and the former version doesn't start either: journalctl -u foyer",
  );
  expect(message).toContain(
    `restore ${join(root, "data/backups/before-update-20261126T120000Z.zip")} --replace\n  sudo systemctl start foyer`,
  );
  expect(message).not.toContain("Nothing is lost");
  expect(readVersions()).toEqual(["v0.9.0", "v0.9.0", "v0.9.0"]);
});

test("one that can't be built changes nothing, and the site goes on", async () => {
  release("v0.4.0");
  await expect(update("v0.4.0", toDeps())).rejects.toThrow("The build failed (exit code 3)");
  expect(readVersions()).toEqual(["v0.9.0", "v0.9.0", "v0.9.0"]);
  expect(site?.listening).toBe(true);
  // What it left is no obstacle to the next one.
  release("v0.10.0");
  await update("v0.10.0", toDeps());
  expect(readVersions()[0]).toBe("v0.10.0");
});

test("changes of the owner's are named and kept", async () => {
  release("v0.10.0");
  writeFileSync(join(root, "package.json"), '{ "type": "module", "mine": true }');
  await expect(update(undefined, toDeps())).rejects.toThrow(/were changed:\nM package\.json\nCommit them/);
  expect(readFileSync(join(root, "package.json"), "utf8")).toContain("mine");
});

test("a version that isn't there, and a folder that is no clone, are named", async () => {
  await expect(update("v7.0.0", toDeps())).rejects.toThrow("There is no version v7.0.0.");
  const copy = join(folder, "copy");
  cpSync(root, copy, { recursive: true, filter: (path) => !path.endsWith(".git") });
  await expect(update(undefined, { ...toDeps(), root: copy })).rejects.toThrow("is no git clone");
});

test("a site that runs in a terminal is not stopped; one that stands still is updated", async () => {
  isService = false;
  release("v0.10.0");
  await expect(update(undefined, toDeps())).rejects.toThrow("not as a service");
  expect(readVersions()[0]).toBe("v0.9.0");
  await stopSite();
  expect(await update(undefined, toDeps())).toEqual(["v0.10.0 is installed. Start it with `npm start`."]);
  expect(readVersions()).toEqual(["v0.10.0", "v0.10.0", "v0.10.0"]);
});
