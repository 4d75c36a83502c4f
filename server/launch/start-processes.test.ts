import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { isFolderLocked } from "#server/db/embedded/folder-lock.ts";
import { until } from "#test/until.ts";

const FAULT = /"level":[56]0/;
const ROOT = join(import.meta.dirname, "../..");

let folder: string;
let launcher: ChildProcess;
let output = "";
let url = "";

/** What stands for a build where nobody asks for a page. */
function writeEmptyBuild(outDir: string): void {
  const files = {
    "client/index.html": "<html><!--head--></html>",
    "client/src/admin/index.html": "<html><!--head--></html>",
    "client/.vite/manifest.json": "{}",
    "server/entry-server.js": "export const render = () => ({});",
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(outDir, name, ".."), { recursive: true });
    writeFileSync(join(outDir, name), text);
  }
}

const count = (text: string) => output.split(text).length - 1;

/** On a connection of its own, which the system gives to one of the processes. */
function call(path: string, body?: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const method = body ? "POST" : "GET";
    const headers = body && { "Content-Type": "application/json", Origin: url };
    const agent = new Agent({ keepAlive: false });
    const sent = request(new URL(path, url), { method, agent, ...(headers && { headers }) }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", reject);
    sent.end(body && JSON.stringify(body));
  });
}

const toPostmasterFile = () => join(folder, "data/postgres/postmaster.pid");
const readPostmaster = () => Number.parseInt(readFileSync(toPostmasterFile(), "utf8"), 10);

/** Process ids of the site's own processes, by age. */
function listChildren(): number[] {
  const columns = ["-o", "pid=,args=", "--sort=start_time,pid"];
  const list = execFileSync("ps", ["--ppid", String(launcher.pid), ...columns], { encoding: "utf8" });
  const lines = list.split("\n").filter((line) => line.includes("server/main.ts"));
  return lines.map((line) => Number.parseInt(line, 10));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "foyer-processes-"));
  chmodSync(folder, 0o755);
  writeEmptyBuild(join(folder, "dist"));
  const { FOYER_PROCESS: _none, DATABASE_URL: _database, REDIS_URL: _redis, ...env } = process.env;
  launcher = spawn(process.execPath, ["server/main.ts", "--processes", "2"], {
    cwd: ROOT,
    env: {
      ...env,
      NODE_ENV: "production",
      NODE_OPTIONS: "",
      PORT: "0",
      HOST: "127.0.0.1",
      FOYER_DATA_DIR: join(folder, "data"),
      FOYER_OUT_DIR: join(folder, "dist"),
      LOG_REQUESTS: "true",
      BACKUP_DAILY: "false",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [launcher.stdout, launcher.stderr])
    stream?.on("data", (text: Buffer) => {
      output += text;
    });
  await until(() => output.includes("2 processes answer") || launcher.exitCode !== null);
  expect(output).toContain("2 processes answer");
  url = /Foyer is ready: (http:\S+)/.exec(output)?.[1] ?? "";
});

afterAll(async () => {
  if (launcher.exitCode === null) {
    launcher.kill("SIGKILL");
    await once(launcher, "exit");
  }
  rmSync(folder, { recursive: true, force: true });
});

test("two processes answer on one port, and the banner stands there once", async () => {
  expect(count("Foyer is ready")).toBe(1);
  expect(url).toMatch(/:\d{2,5}$/);
  await until(async () => {
    expect(await call("/api/health/ready")).toBe(200);
    return [1, 2].every((process) => new RegExp(`"process":${process},.*health/ready`).test(output));
  });
});

test("thirty wrong passwords at once are compared five times, as with one process", async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      call("/api/users/login/", { username: "nobody", password: `Wrong-${index}` }),
    ),
  );
  expect(answers.filter((status) => status === 401)).toHaveLength(5);
  expect(answers.filter((status) => status === 429)).toHaveLength(25);
});

/** Kills one, and waits until it answers again beside the others, which work in the folder all the time. */
async function killOne(number: number, pid: number): Promise<void> {
  const data = join(folder, "data");
  const files = join(data, "files");
  const left = join(data, "left.txt");
  mkdirSync(files, { recursive: true });
  chmodSync(files, 0o750);
  writeFileSync(left, "");
  const { mtimeMs: begin } = statSync(left);
  process.kill(pid, "SIGKILL");
  await until(() => output.includes(`Process ${number} of 2 ended (signal SIGKILL) and is started again.`));
  for (let index = 0; index < 10; index += 1) expect(await call("/api/health/ready")).toBe(200);
  await until(() => count(`"process":${number},"msg":"Server listening`) === 2);
  expect(listChildren()).toHaveLength(2);
  // It isn't prepared once more, and nothing new in it is root's.
  expect(statSync(files).mode & 0o777).toBe(0o750);
  expect(statSync(left).uid).toBe(process.getuid?.());
  const made = readdirSync(data).filter((name) => name !== "postgres" && name !== "left.txt");
  const uid = statSync(data).uid;
  expect(
    made.filter(
      (name) => statSync(join(data, name)).ctimeMs > begin && statSync(join(data, name)).uid !== uid,
    ),
  ).toEqual([]);
}

test("where one is killed the other goes on, and it comes back", async () => {
  const [first, second = 0] = listChildren();
  await killOne(2, second);
  expect(listChildren()[0]).toBe(first);
});

test("where the first is killed, its database and the others go on", async () => {
  const [first = 0, ...others] = listChildren();
  const postmaster = readPostmaster();
  await killOne(1, first);
  expect(listChildren().slice(0, -1)).toEqual(others);
  expect(readPostmaster()).toBe(postmaster);
});

test("where the database is killed it is started again, and the processes find it there", async () => {
  expect(output).not.toMatch(FAULT);
  const before = listChildren();
  const postmaster = readPostmaster();
  process.kill(postmaster, "SIGKILL");
  await until(() => output.includes("PostgreSQL ended by itself"));
  // No other start and no command that wants it stopped comes in meanwhile.
  expect(await isFolderLocked(join(folder, "data"))).toBe(true);
  await until(() => existsSync(toPostmasterFile()) && readPostmaster() !== postmaster);
  // What they log while it is away is theirs to log.
  await until(async () => (await call("/api/health/ready")) === 200);
  expect(await call("/cv.json")).toBe(200);
  expect(listChildren()).toEqual(before);
});

test("a stop ends all of it without a fault", async () => {
  const before = output.length;
  const exited = once(launcher, "exit");
  launcher.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
  expect(output.slice(before)).not.toMatch(FAULT);
  const left = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
  expect(left.split("\n").filter((line) => line.includes(folder))).toEqual([]);
});
