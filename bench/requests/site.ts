import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { notifyChange } from "#server/db/change-notices.ts";
import { openForCommand } from "#server/db/open.ts";
import { selectTables } from "#server/db/verify.ts";
import { DECLARED } from "#server/models/declared/all.ts";
import { toModelKey } from "#server/models/registry/registry.ts";
import * as tables from "#server/tables.ts";
import nodeFlags from "../../bin/lib/node-flags.json" with { type: "json" };
import { readCpuUs, readMemory } from "../load/process-usage.ts";

/** The product as `npm start` runs it, with a database of its own. */
export interface BenchSite {
  url: string;
  dataDir: string;
  server: ChildProcess;
  /** User and system time of the server process so far, in steps of 10 ms. */
  readCpuUs(): number;
  /** Resident memory of the server process. */
  readMemoryBytes(): number;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 120_000;

/** Waits for the server to say where it is. */
function waitForUrl(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (text: Buffer) => {
      output += text;
      const url = /Foyer is ready: (http:\S+)/.exec(output)?.[1];
      if (url) resolve(url);
    };
    server.stdout?.on("data", read);
    server.stderr?.on("data", read);
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}:\n${output}`)));
    setTimeout(() => reject(new Error(`the server is not ready:\n${output}`)), START_TIMEOUT_MS).unref();
  });
}

/** The address of a page of Markdown with three pictures, as owners write them. */
export const MARKDOWN_PAGE = "/three-pictures";

const PARAGRAPH =
  "The queue had been asleep since Tuesday, and nobody had noticed but the person who was waiting for a birthday wish. " +
  "We found three causes, mended two, and wrote the third down.";

/** A text of three parts, each with its heading, its picture and two paragraphs. */
function toMarkdown(files: readonly string[]): string {
  return files
    .map((file, index) => `## Part ${index + 1}\n\n${PARAGRAPH}\n\n![A certificate](${file})\n\n${PARAGRAPH}`)
    .join("\n\n");
}

/** A page of the owner's, over pictures that the sample has. */
async function writeMarkdownPage(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ file: string }>(
    "SELECT '/files/' || file AS file FROM cv_certificate WHERE file ~ '[.](jpg|png)$' ORDER BY id LIMIT 3",
  );
  if (rows.length < 3) throw new Error("The sample has no three pictures");
  const body = JSON.stringify({ en: toMarkdown(rows.map(({ file }) => file)) });
  await pool.query("INSERT INTO site_page (slug, title, body) VALUES ($1, $2, $3)", [
    MARKDOWN_PAGE.slice(1),
    '{"en": "Three pictures"}',
    body,
  ]);
}

/** The sample content becomes the owner's, as if every item had been edited: pages are as full and open to search engines. */
async function adoptSample(dataDir: string): Promise<void> {
  const database = await openSiteDatabase(dataDir);
  await database.pool.query("DELETE FROM sample_row");
  await writeMarkdownPage(database.pool);
  for (const declaration of DECLARED) await notifyChange(database.pool, toModelKey(declaration));
  await database.close();
}

/** The database of the site whose server runs. */
export async function openSiteDatabase(dataDir: string) {
  const log = { debug: () => {}, warn: console.warn };
  const options = { dataDir, databaseUrl: undefined, databaseUser: undefined, onProgress: () => {} };
  return openForCommand({ ...options, tables: selectTables(tables), log });
}

/** Builds what is stale, starts a server over an empty folder, and makes its sample content the owner's. */
export async function startBenchSite(): Promise<BenchSite> {
  execFileSync(process.execPath, ["bin/build.mjs"], { stdio: "inherit" });
  const dataDir = await mkdtemp(join(tmpdir(), "foyer-bench-"));
  // Open to the account that root drops to.
  await chmod(dataDir, 0o755);
  const { PUBLIC_URL: _url, DATABASE_URL: _database, FOYER_OUT_DIR: _out, ...environment } = process.env;
  const server = spawn(process.execPath, [...nodeFlags, "server/main.ts"], {
    env: { ...environment, NODE_ENV: "production", FOYER_DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(server, "exit");
  const stop = async () => {
    server.kill("SIGINT"); // nothing where it ended by itself
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  const pid = server.pid ?? 0;
  try {
    const url = await waitForUrl(server);
    await adoptSample(dataDir);
    return {
      url,
      dataDir,
      server,
      readCpuUs: () => readCpuUs(pid),
      readMemoryBytes: () => readMemory(pid).rss,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
