import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Result } from "autocannon";
import type { Load } from "./requests/load.ts";
import { type BenchSite, startBenchSite } from "./requests/site.ts";

/**
 * `npm run bench:pages [-- --seconds 10]`: requests per second of /cv with the full sample content. One server process;
 * load and PostgreSQL are processes of their own on the same cores. Cached: as a browser asks, with brotli. Uncached:
 * each request names another host, so that its page is drawn for it alone; what it shows is kept until it changes.
 */
const { values: options } = parseArgs({ options: { seconds: { type: "string", default: "10" } } });
const SECONDS = Number(options.seconds);
const CONNECTIONS = 20;

interface Step {
  name: string;
  path: string;
  encoding: string;
  isUncached: boolean;
  bar: number | null;
}

const STEPS: readonly Step[] = [
  { name: "cached, brotli", path: "/en/cv", encoding: "br", isUncached: false, bar: 5_000 },
  { name: "cached, language negotiated", path: "/cv", encoding: "br", isUncached: false, bar: null },
  { name: "drawn each time, as it is", path: "/en/cv", encoding: "identity", isUncached: true, bar: 600 },
  { name: "drawn each time, brotli", path: "/en/cv", encoding: "br", isUncached: true, bar: null },
];

async function runLoad(load: Load): Promise<Result> {
  const child = fork(join(import.meta.dirname, "requests", "load.ts"));
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the load ended with ${code}`);
  });
  child.send(load);
  const [result] = await Promise.race([once(child, "message"), ended]);
  ended.catch(() => undefined); // it is ended on purpose
  child.kill();
  return result as Result; // what load.ts sends
}

async function measure(site: BenchSite, step: Step) {
  const { encoding, isUncached } = step;
  const load = { url: site.url + step.path, connections: CONNECTIONS, encoding, isUncached };
  await runLoad({ ...load, seconds: 2 });
  const before = site.readCpuUs();
  const result = await runLoad({ ...load, seconds: SECONDS });
  return { step, result, cpuUs: (site.readCpuUs() - before) / result.requests.total };
}

function isMet({ step, result }: { step: Step; result: Result }): boolean {
  return result.non2xx + result.errors === 0 && result.requests.average >= (step.bar ?? 0);
}

const site = await startBenchSite();
try {
  const rows: Awaited<ReturnType<typeof measure>>[] = [];
  for (const step of STEPS) rows.push(await measure(site, step));
  console.log(`\n/cv, ${CONNECTIONS} connections, ${SECONDS} s each, one server process`);
  console.table(
    rows.map(({ step, result, cpuUs }) => ({
      step: step.name,
      "requests/s": Math.round(result.requests.average),
      bar: step.bar === null ? "" : `≥ ${step.bar}`,
      "p50 ms": result.latency.p50,
      "p99 ms": result.latency.p99,
      "CPU µs per request": Math.round(cpuUs),
      "bytes per answer": Math.round(result.throughput.total / result.requests.total),
      failed: result.non2xx + result.errors,
    })),
  );
  console.log(`server memory after the load: ${(site.readMemoryBytes() / 1e6).toFixed(0)} MB`);
  const missed = rows.filter((row) => !isMet(row)).map(({ step }) => step.name);
  console.log(missed.length === 0 ? "all bars met" : `MISSED: ${missed.join(", ")}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  await site.stop();
}
