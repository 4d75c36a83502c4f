import { createHash } from "node:crypto";
import { get, type IncomingMessage } from "node:http";
import { to as copyTo } from "pg-copy-streams";
import { type ExportFormat, exportInfo } from "#contract/content/exports.ts";
import { readMemory } from "../load/process-usage.ts";
import { type Bench, callJson, type Figure } from "./bench.ts";

const RUNS = 3;
const SHEET_ROWS = 200_000;
const WATCH_EVERY_MS = 50;
const MIB = 1024 * 1024;

/** Bars of one file: seconds, or how many times what COPY alone takes. */
interface Bars {
  timesCopy?: number;
  seconds?: number;
  firstByteMs: number;
  growthMib: number;
}

interface Run {
  seconds: number;
  firstByteMs: number;
  growthMib: number;
}

const toSeconds = (begin: number) => (performance.now() - begin) / 1000;

/** Reads a stream to its end and hashes it, as who checks a file does. */
async function drain(stream: NodeJS.ReadableStream): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** What the file holds, by COPY alone: the same columns, names of authors among them, and nothing done to their texts. */
const COLUMNS_SQL = `t.id, t.title, t.body, t.status, t.views, t.published_at, t.author, a.username, t.created_at, t.updated_at
  FROM bench_article t LEFT JOIN account_user a ON a.id = t.author`;

function copySql(format: ExportFormat, where: string): string {
  const rows = `SELECT ${COLUMNS_SQL} ${where} ORDER BY t.id`;
  return format === "json"
    ? `COPY (SELECT row_to_json(r) FROM (${rows}) r) TO STDOUT`
    : `COPY (${rows}) TO STDOUT WITH (FORMAT csv, HEADER true)`;
}

/** Over the same protocol and to the same reader. */
async function runCopy(bench: Bench, format: ExportFormat, where: string): Promise<number> {
  const client = await bench.pool.connect();
  const begin = performance.now();
  await drain(client.query(copyTo(copySql(format, where))));
  const seconds = toSeconds(begin);
  client.release();
  return seconds;
}

function open(bench: Bench, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${bench.token}` };
    get(bench.url + path, { headers, agent: false }, resolve).on("error", reject);
  });
}

function watchGrowth(pid: number): () => number {
  const before = readMemory(pid).rss;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, readMemory(pid).rss);
  }, WATCH_EVERY_MS);
  return () => {
    clearInterval(timer);
    return (peak - before) / MIB;
  };
}

/** One file, and whether the server tells of it what its reader got. @throws Error where it doesn't. */
async function runExport(bench: Bench, format: ExportFormat, query: string, rows: number): Promise<Run> {
  const stopWatching = watchGrowth(bench.pid);
  const begin = performance.now();
  const answer = await open(bench, `${bench.objects}export/?format=${format}${query}`);
  if (answer.statusCode !== 200) throw new Error(`${format}: ${answer.statusCode}`);
  await new Promise((resolve) => answer.once("readable", resolve));
  const firstByteMs = performance.now() - begin;
  const { bytes, sha256 } = await drain(answer);
  const seconds = toSeconds(begin);
  const growthMib = stopWatching();
  const id = String(answer.headers["x-export-id"]);
  const info = await callJson(bench, exportInfo, "GET", `/api/admin/exports/${id}/`);
  if (info.row_count !== rows || info.byte_count !== bytes || info.sha256 !== sha256)
    throw new Error(
      `${format}: the server tells of another file than the one that came: ${JSON.stringify(info)}`,
    );
  return { seconds, firstByteMs, growthMib };
}

async function countRows(bench: Bench, where: string): Promise<number> {
  const { rows } = await bench.pool.query<{ count: string }>(`SELECT count(*) FROM bench_article t ${where}`);
  return Number(rows[0]?.count);
}

/** The best time of some runs, COPY between them; first byte and growth at their worst. */
async function measure(
  bench: Bench,
  format: ExportFormat,
  scope: { query: string; where: string },
  bars: Bars,
): Promise<Figure[]> {
  const rows = await countRows(bench, scope.where);
  const runs: Run[] = [];
  const copies: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    copies.push(await runCopy(bench, format, scope.where));
    runs.push(await runExport(bench, format, scope.query, rows));
  }
  const copy = Math.min(...copies);
  const seconds = Math.min(...runs.map((run) => run.seconds));
  const firstByteMs = Math.max(...runs.map((run) => run.firstByteMs));
  const growthMib = Math.max(...runs.map((run) => run.growthMib));
  const name = `export ${rows.toLocaleString("en")} rows ${format}`;
  const most = bars.timesCopy ? bars.timesCopy * copy : (bars.seconds ?? 0);
  return [
    {
      name,
      bar: bars.timesCopy ? `≤ ${bars.timesCopy} × COPY` : `≤ ${bars.seconds} s`,
      measured: `${seconds.toFixed(1)} s, ${(seconds / copy).toFixed(2)} × COPY`,
      isMet: seconds <= most,
      plain: `${copy.toFixed(1)} s`,
    },
    {
      name: `${name}: first byte`,
      bar: `≤ ${bars.firstByteMs} ms`,
      measured: `${Math.round(firstByteMs)} ms`,
      isMet: firstByteMs <= bars.firstByteMs,
    },
    {
      name: `${name}: memory growth`,
      bar: `≤ ${bars.growthMib} MiB`,
      measured: `${Math.round(growthMib)} MiB`,
      isMet: growthMib <= bars.growthMib,
    },
  ];
}

/** Files of all articles beside plain COPY, and a sheet of a part of them. */
export async function measureExports(bench: Bench): Promise<Figure[]> {
  const all = { query: "", where: "" };
  const text: Bars = { timesCopy: 2, firstByteMs: 200, growthMib: 48 };
  const { rows } = await bench.pool.query<{ id: number }>(
    "SELECT id FROM bench_article ORDER BY id OFFSET $1 LIMIT 1",
    [Math.min(SHEET_ROWS, bench.rows) - 1],
  );
  const last = rows[0]?.id ?? bench.rows;
  const part = {
    query: `&filters[0][field]=id&filters[0][operator]=lte&filters[0][value]=${last}`,
    where: `WHERE t.id <= ${last}`,
  };
  return [
    ...(await measure(bench, "csv", all, text)),
    ...(await measure(bench, "json", all, text)),
    ...(await measure(bench, "xlsx", part, { seconds: 8, firstByteMs: 500, growthMib: 64 })),
  ];
}
