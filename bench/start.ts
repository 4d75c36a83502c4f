import { parseArgs } from "node:util";
import { makeFreshClone, Site } from "#test/e2e/site.ts";

/**
 * `npm run bench:start [-- --starts 5] [--skip-fresh]`: a fresh clone to its first page with the package cache warm, then
 * starts over existing data to the first 200 of /cv, all by the README's command.
 */
const { values: options } = parseArgs({
  options: { starts: { type: "string", default: "5" }, "skip-fresh": { type: "boolean", default: false } },
});
const FRESH_BAR_S = 180;
const START_BAR_S = 4;

async function measureStart(site: Site, timeoutMs: number): Promise<number> {
  const begin = performance.now();
  await site.start(timeoutMs);
  const { status } = await fetch(`${site.url}/cv`);
  if (status !== 200) throw new Error(`/cv answered ${status}`);
  return (performance.now() - begin) / 1000;
}

const site = new Site({ byReadme: true, ...(!options["skip-fresh"] && { folder: makeFreshClone() }) });
try {
  const fresh = await measureStart(site, 600_000);
  const starts: number[] = [];
  for (let round = 0; round < Number(options.starts); round++) {
    await site.stop();
    starts.push(await measureStart(site, 60_000));
  }
  starts.sort((a, b) => a - b);
  const median = starts[Math.floor(starts.length / 2)] ?? Number.NaN;
  console.table([
    {
      figure: options["skip-fresh"] ? "first start, build as it is" : "fresh clone to first page",
      seconds: fresh.toFixed(1),
      bar: `≤ ${FRESH_BAR_S}`,
    },
    {
      figure: `existing data to the first 200, median of ${starts.length}`,
      seconds: median.toFixed(2),
      bar: `≤ ${START_BAR_S}`,
    },
    { figure: "the slowest of them", seconds: starts.at(-1)?.toFixed(2), bar: "" },
  ]);
  process.exitCode = fresh <= FRESH_BAR_S && median <= START_BAR_S ? 0 : 1;
} finally {
  await site.remove();
}
