import { type ChildProcess, fork } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import type { Result } from "autocannon";
import { startEmbedded } from "#server/db/embedded/supervisor.ts";
import { createPool } from "#server/db/pool.ts";
import { ARTICLE_INDEX_SQL, ARTICLE_SQL } from "#test/article.ts";

/**
 * `npm run bench:list [-- --rows 1000000 --seconds 10]`: the generic list over a large model, 10 connections, token checked,
 * estimated total; beside it the same statement on the same connections without HTTP. Server, load and PostgreSQL are three
 * processes on the machine's cores.
 */
const { values: options } = parseArgs({
  options: { rows: { type: "string", default: "1000000" }, seconds: { type: "string", default: "10" } },
});
const ROWS = Number(options.rows);
const SECONDS = Number(options.seconds);
const CONNECTIONS = 10;
const BAR = 1_500;

const SEED_SQL = `
  INSERT INTO test_article (title, body, status, views, published_at)
  SELECT 'Article ' || i || ' ' || md5(i::text), repeat(md5((i * 7)::text) || ' ', 4),
         (ARRAY['draft', 'review', 'published', 'archived'])[1 + i % 4], i % 10000,
         '2020-01-01T00:00:00Z'::timestamptz + (i * 97 % 200000) * interval '10 minutes'
  FROM generate_series(1, $1::integer) i`;

interface Usage {
  memoryBytes: number;
  cpuUs: number;
}

interface ServerReady {
  url: string;
  token: string;
  contentTypeId: number;
}

function waitFor<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as Message));
    child.once("exit", (code) => reject(new Error(`the child ended with ${code}`)));
  });
}

/** The page's statement alone, from as many connections as the HTTP load has. */
async function measurePlainSql(connection: Parameters<typeof createPool>[0]): Promise<number> {
  const pool = createPool(connection, { name: "bench", max: CONNECTIONS, onError: console.error });
  let count = 0;
  const end = performance.now() + SECONDS * 1000;
  const work = async () => {
    while (performance.now() < end) {
      await pool.query(
        "SELECT id, title, body, status, views, published_at, created_at, updated_at FROM test_article ORDER BY id LIMIT $1 OFFSET $2",
        [20, 0],
      );
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  await pool.end();
  return count / SECONDS;
}

async function run(url: string, token: string): Promise<Result> {
  const load = fork(join(import.meta.dirname, "list", "load.ts"));
  load.send({ url, token, connections: CONNECTIONS, seconds: SECONDS });
  const result = await waitFor<Result>(load);
  load.kill();
  return result;
}

const dataDir = await mkdtemp(join(tmpdir(), "foyer-bench-"));
await chmod(dataDir, 0o711);
const server = await startEmbedded({ dataDir, log: { info: () => {}, warn: console.warn } });
const site = fork(join(import.meta.dirname, "list", "site.ts"), { execArgv: ["--max-semi-space-size=4"] });
try {
  site.send({ connection: server.connection, dataDir, articleSql: ARTICLE_SQL });
  const ready = await waitFor<ServerReady>(site);
  console.log(`Seeding ${ROWS.toLocaleString("en")} articles …`);
  const pool = createPool(server.connection, { name: "bench", max: 1, onError: console.error });
  await pool.query(SEED_SQL, [ROWS]);
  await pool.query(ARTICLE_INDEX_SQL);
  await pool.query("VACUUM ANALYZE test_article");
  await pool.end();

  const list = `${ready.url}/api/admin/models/${ready.contentTypeId}/objects/`;
  await run(list, ready.token);
  const plain = await measurePlainSql(server.connection);
  const rows: { step: string; result: Result; cpuUs: number }[] = [];
  const steps: [string, string][] = [
    ["first page, estimated total", list],
    [
      "status = published, newest first",
      `${list}?filters[0][field]=status&filters[0][value]=published&sort[0][field]=published_at&sort[0][direction]=desc`,
    ],
    ["search for a substring", `${list}?search=c4ca42`],
  ];
  const readUsage = () => {
    site.send("usage");
    return waitFor<Usage>(site);
  };
  for (const [step, url] of steps) {
    const before = await readUsage();
    const result = await run(url, ready.token);
    const after = await readUsage();
    rows.push({ step, result, cpuUs: (after.cpuUs - before.cpuUs) / result.requests.total });
  }
  console.log(
    `\nGeneric list of ${ROWS.toLocaleString("en")} rows, ${CONNECTIONS} connections, ${SECONDS} s each`,
  );
  console.table([
    { step: "plain SQL of the page, no HTTP", "requests/s": Math.round(plain) },
    ...rows.map(({ step, result, cpuUs }) => ({
      step,
      "requests/s": Math.round(result.requests.average),
      "p50 ms": result.latency.p50,
      "p99 ms": result.latency.p99,
      "server CPU µs per request": Math.round(cpuUs),
      failed: result.non2xx + result.errors,
    })),
  ]);
  console.log(`server memory after the load: ${((await readUsage()).memoryBytes / 1e6).toFixed(0)} MB`);
  const first = rows[0]?.result;
  const isMet = first !== undefined && first.requests.average >= BAR && first.non2xx + first.errors === 0;
  console.log(`bar: first page ≥ ${BAR} requests/s: ${isMet ? "met" : "MISSED"}`);
  process.exitCode = isMet ? 0 : 1;
} finally {
  site.kill();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
