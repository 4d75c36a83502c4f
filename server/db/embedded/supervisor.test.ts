import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  appendFile,
  chown,
  lstat,
  mkdir,
  readFile,
  rename,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import pg from "pg";
import { chooseAccount, toSpawnIdentity } from "./account.ts";
import { findPackagedBinaries, toProgram } from "./binaries.ts";
import { findRunning } from "./connection.ts";
import { buildServerArguments } from "./launch.ts";
import { getProcessState, listServerProcesses, readPostmasterFile } from "./server-processes.ts";
import { DatabaseStartError } from "./start-error.ts";
import { type EmbeddedConnection, type EmbeddedServer, startEmbedded } from "./supervisor.ts";
import { makeTestFolder } from "./test-folder.ts";

/** A name with all that breaks naive quoting; PostgreSQL's socket setting is a comma-separated list. */
const FOLDER_NAME = "ışık, it's data";

let dataDir: string;
let cluster: string;
let remove: () => Promise<void>;
let warnings: string[] = [];
let steps: string[] = [];
let server: EmbeddedServer | undefined;
const children: ChildProcess[] = [];

async function start(folder = dataDir): Promise<EmbeddedServer> {
  warnings = [];
  steps = [];
  server = await startEmbedded({
    dataDir: folder,
    log: { info: () => undefined, warn: (message) => warnings.push(message) },
    onProgress: (step) => steps.push(step),
  });
  return server;
}

async function query(connection: EmbeddedConnection, sql: string): Promise<unknown[][]> {
  const client = new pg.Client(connection);
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}

async function requirePostmaster(): Promise<number> {
  const file = await readPostmasterFile(cluster);
  if (file.kind !== "written") throw new Error("no postmaster runs");
  return file.pid;
}

function keep(child: ChildProcess): ChildProcess {
  child.on("error", () => undefined);
  children.push(child);
  return child;
}

beforeAll(async () => {
  delete process.env.LANG;
  delete process.env.LC_ALL;
  const made = await makeTestFolder();
  remove = made.remove;
  dataDir = join(made.folder, FOLDER_NAME);
  cluster = join(dataDir, "postgres");
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

afterAll(() => remove());

// The tests share one cluster, and the first of them makes it.
describe("a start", () => {
  test("prepares an empty folder, over what a killed initialisation left", async () => {
    await mkdir(`${cluster}.init`, { recursive: true });
    await writeFile(join(`${cluster}.init`, "PG_VERSION"), "18\n");
    const { connection, version } = await start();
    expect(version).toMatch(/^18\.\d+$/);
    expect(steps).toEqual(["Preparing the database (first start)…"]);
    expect(connection).toEqual({
      host: expect.any(String),
      port: 5432,
      user: "foyer_app",
      database: "foyer",
    });
    expect(existsSync(`${cluster}.init`)).toBe(false);
  });

  test("keeps Turkish letters in trigrams although LANG is not set", async () => {
    const { connection } = await start();
    await query(connection, "create extension if not exists pg_trgm");
    const rows = await query(
      connection,
      "select cardinality(show_trgm('ışık')), show_trgm('ışık') && show_trgm('k')",
    );
    expect(rows).toEqual([[5, false]]);
  });

  test("listens on a private socket alone, with safe settings", async () => {
    const { connection } = await start();
    expect((await lstat(connection.host)).mode & 0o777).toBe(0o700);
    const names = ["listen_addresses", "fsync", "full_page_writes", "synchronous_commit", "data_checksums"];
    const settings = names.map((name) => `current_setting('${name}')`).join(", ");
    expect(await query(connection, `select ${settings}`)).toEqual([["", "on", "on", "on", "on"]]);
  });

  test("finds the data of the start before", async () => {
    await query((await start()).connection, "create table if not exists kept as select 1 as id");
    await server?.stop();
    expect(await query((await start()).connection, "select id from kept")).toEqual([[1]]);
    expect(steps).toEqual([]);
  });

  test("is refused while another one uses the folder, however the path is spelled", async () => {
    await start();
    const second = startEmbedded({ dataDir: `${dataDir}/../${FOLDER_NAME}`, log: console });
    await expect(second).rejects.toThrow(DatabaseStartError);
    await expect(second).rejects.toThrow(`another Foyer process is using ${dataDir}`);
  });

  test("survives being killed during the first initialisation", async () => {
    const folder = join(dataDir, "killed");
    const script = new URL("./supervisor.ts", import.meta.url).pathname;
    const code = `import { startEmbedded } from ${JSON.stringify(script)};
      await startEmbedded({ dataDir: ${JSON.stringify(folder)}, log: { info() {}, warn() {} } });`;
    const child = keep(
      spawn(process.execPath, ["--input-type=module-typescript", "-e", code], { stdio: "ignore" }),
    );
    while (!existsSync(join(folder, "postgres.init", "PG_VERSION"))) await sleep(5);
    child.kill("SIGKILL");
    await once(child, "exit");
    const { connection } = await start(folder);
    expect(
      await query(connection, "select datname from pg_database where datname = 'postgres'"),
    ).toHaveLength(1);
  });
});

describe("the end", () => {
  test("leaves no process and no socket, and may be asked for twice", async () => {
    const { connection, stop } = await start();
    await Promise.all([stop(), stop()]);
    expect(listServerProcesses(cluster)).toEqual([]);
    expect(existsSync(connection.host)).toBe(false);
    expect((await readPostmasterFile(cluster)).kind).toBe("absent");
  });

  test("is reported with the log's last lines when the server ends by itself", async () => {
    const { died } = await start();
    process.kill(await requirePostmaster(), "SIGINT");
    expect((await died).reason).toMatch(/ended by itself \(exit code 0\)[\s\S]*database system is shut down/);
  });

  test("comes in order although SIGTERM went to every process, or the guard's reader was killed", async () => {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const { stop, died } = await start();
      const guard =
        listServerProcesses(cluster).find(({ isPostmaster }) => isPostmaster)?.parentPid ?? Number.NaN;
      const family = (await readFile(`/proc/${guard}/task/${guard}/children`, "utf8"))
        .trim()
        .split(" ")
        .map(Number);
      const [reader] = family.filter(
        (pid) => !listServerProcesses(cluster).some((found) => found.pid === pid),
      );
      for (const pid of signal === "SIGTERM" ? [guard, reader] : [reader])
        process.kill(pid ?? Number.NaN, signal);
      await stop();
      expect(await Promise.race([died, "stopped"])).toBe("stopped");
      expect(await readFile(join(dataDir, "postgres.log"), "utf8")).toMatch(
        /database system is shut down\n$/,
      );
    }
  });

  test("of the guard alone is reported, and stop still ends the server", async () => {
    const { died, stop } = await start();
    const postmaster = listServerProcesses(cluster).find(({ isPostmaster }) => isPostmaster);
    process.kill(postmaster?.parentPid ?? Number.NaN, "SIGKILL");
    expect((await died).reason).toContain("signal SIGKILL");
    await stop();
    expect(listServerProcesses(cluster)).toEqual([]);
  });

  test("by kill -9 of the postmaster is recovered at the next start", async () => {
    const { connection, died, stop } = await start();
    await query(connection, "create table if not exists survived as select 7 as id");
    process.kill(await requirePostmaster(), "SIGKILL");
    expect((await died).reason).toContain("exit code 137");
    await stop();
    expect(await query((await start()).connection, "select id from survived")).toEqual([[7]]);
    expect(steps).toEqual(["Recovering the database after a crash…"]);
  });
});

describe("a postmaster.pid left behind", () => {
  async function leave(firstLine: string): Promise<void> {
    const lines = [
      firstLine,
      cluster,
      "1700000000",
      "5432",
      join(dataDir, "run"),
      "",
      "  5432001    32768",
      "ready",
    ];
    await writeFile(join(cluster, "postmaster.pid"), firstLine === "" ? "" : `${lines.join("\n")}\n`, {
      mode: 0o600,
    });
    const { uid, gid } = await stat(cluster);
    await chown(join(cluster, "postmaster.pid"), uid, gid);
  }

  test.each([
    ["that is empty", ""],
    ["that holds garbage", "no number"],
    ["with the pid of a stranger", String(process.pid)],
    ["with a pid that nobody has", "4194303"],
  ])("%s does not keep the server from starting", async (_, firstLine) => {
    await leave(firstLine);
    await start();
  });

  test("with the pid of a zombie does not keep the server from starting", async () => {
    // The long sleep never collects the short one, which it inherits from the shell.
    const script = "sleep 0.2 & echo $!; exec sleep 60";
    const parent = keep(spawn("/bin/sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] }));
    const [line] = parent.stdout ? await once(parent.stdout, "data") : [];
    const pid = Number(String(line));
    while (getProcessState(pid) !== "zombie") await sleep(10);
    await leave(String(pid));
    await start();
    expect(warnings.join()).toContain("(zombie)");
  });

  test("by a server that outlived Node: that server is stopped first", async () => {
    const socketFolder = join(dataDir, "orphan-run");
    const account = await chooseAccount(undefined, (await stat(cluster)).uid);
    await mkdir(socketFolder, { recursive: true });
    if (account) await chown(socketFolder, account.uid, account.gid);
    const program = toProgram(findPackagedBinaries(), "postgres");
    const orphan = keep(
      spawn(program, buildServerArguments(cluster, socketFolder), {
        ...toSpawnIdentity(account),
        stdio: "ignore",
      }),
    );
    const ended = once(orphan, "exit");
    while (!existsSync(join(socketFolder, ".s.PGSQL.5432"))) await sleep(10);
    await start();
    expect(await ended).toEqual([0, null]);
    expect(warnings.join()).toContain("earlier run");
  });
});

describe("a folder that cannot be used is refused", () => {
  test("when another major version wrote it", async () => {
    await rename(join(cluster, "PG_VERSION"), join(cluster, "PG_VERSION.kept"));
    await writeFile(join(cluster, "PG_VERSION"), "17\n");
    const failed = await start().catch((error: unknown) => error);
    await rename(join(cluster, "PG_VERSION.kept"), join(cluster, "PG_VERSION"));
    expect(String(failed)).toMatch(/written by PostgreSQL 17[\s\S]*backup/);
  });

  test("when it holds files but no database", async () => {
    const folder = join(dataDir, "other");
    await mkdir(join(folder, "postgres"), { recursive: true });
    await writeFile(join(folder, "postgres", "letter.txt"), "hello");
    await expect(start(folder)).rejects.toThrow("is no PostgreSQL database");
  });

  test("with what PostgreSQL said, when it does not start", async () => {
    const file = join(cluster, "postgresql.conf");
    const { size } = await stat(file);
    await appendFile(file, "\nnonsense here\n");
    const failed = await start().catch((error: unknown) => error);
    await truncate(file, size);
    expect(failed).toBeInstanceOf(DatabaseStartError);
    expect(String(failed)).toMatch(/did not start[\s\S]*parameter "nonsense"/);
    await start();
  });
});

describe("findRunning", () => {
  test("gives the running server's connection", async () => {
    const { connection } = await start();
    expect(await findRunning(dataDir)).toEqual(connection);
  });

  test("gives nothing when no server runs or the folder is missing", async () => {
    expect(await findRunning(dataDir)).toBeUndefined();
    expect(await findRunning(join(dataDir, "missing"))).toBeUndefined();
  });
});

test("statements and their values stay out of the log", async () => {
  const { connection } = await start();
  await expect(query(connection, "select 'secret@example.org'::int")).rejects.toThrow("invalid input syntax");
  expect(await readFile(join(dataDir, "postgres.log"), "utf8")).not.toContain("secret@example.org");
});
