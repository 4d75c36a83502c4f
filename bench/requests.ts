import { parseArgs } from "node:util";
import type { Result } from "autocannon";
import { countFailed, runLoad } from "./load/run-load.ts";
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

async function measure(site: BenchSite, step: Step) {
  const { path, encoding, isUncached } = step;
  // Each host has an origin, and so a page, that nobody asked for before.
  const headers = { "accept-encoding": encoding, ...(isUncached && { host: "{n}.bench.test" }) };
  const load = { url: site.url, connections: CONNECTIONS, requests: [{ path, headers }] };
  await runLoad({ ...load, seconds: 2 });
  const before = site.readCpuUs();
  const result = await runLoad({ ...load, seconds: SECONDS });
  return { step, result, cpuUs: (site.readCpuUs() - before) / result.requests.total };
}

function isMet({ step, result }: { step: Step; result: Result }): boolean {
  return countFailed(result) === 0 && result.requests.average >= (step.bar ?? 0);
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
      failed: countFailed(result),
    })),
  );
  console.log(`server memory after the load: ${(site.readMemoryBytes() / 1e6).toFixed(0)} MB`);
  const missed = rows.filter((row) => !isMet(row)).map(({ step }) => step.name);
  console.log(missed.length === 0 ? "all bars met" : `MISSED: ${missed.join(", ")}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  await site.stop();
}
