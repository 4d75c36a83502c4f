import { parseArgs } from "node:util";
import { findMissed, toMedian } from "./lighthouse/bars.ts";
import { type LighthouseRun, runLighthouse } from "./lighthouse/run-lighthouse.ts";
import { MARKDOWN_PAGE, startBenchSite } from "./requests/site.ts";

/**
 * `npm run bench:lighthouse [-- --runs 3 --paths /cv,/contact]`: Lighthouse's mobile figures of public pages with the full
 * sample content, the median of some runs, beside the bars of the product. The figures depend on the machine: compare
 * them where `benchmark` is alike.
 */
const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "3" },
    paths: { type: "string", default: `/cv,/tr/cv,/contact,/dev,${MARKDOWN_PAGE}` },
  },
});
const RUNS = Number(options.runs);

/** On a busy machine Chromium's recording fails at times; that says nothing of the page, and is tried again. */
const ATTEMPTS = 3;

async function measure(url: string): Promise<LighthouseRun> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runLighthouse(url);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      console.log(`  attempt ${attempt} failed: ${String(error).split("\n").slice(0, 3).join(" ")}`);
    }
  }
}

function toRow(path: string, runs: readonly LighthouseRun[]) {
  return {
    page: path,
    "perf 100": toMedian(runs, "performance"),
    "a11y 100": toMedian(runs, "accessibility"),
    "practices 100": toMedian(runs, "bestPractices"),
    "SEO 100": toMedian(runs, "seo"),
    agentic: runs.map(({ agenticBrowsing }) => agenticBrowsing ?? "–").join(" "),
    "FCP ms": Math.round(toMedian(runs, "fcpMs")),
    "LCP ≤ 950 ms": Math.round(toMedian(runs, "lcpMs")),
    "TBT ≤ 100 ms": Math.round(toMedian(runs, "tbtMs")),
    "CLS 0": Number(toMedian(runs, "cls").toFixed(3)),
    benchmark: Math.round(toMedian(runs, "benchmarkIndex")),
  };
}

const site = await startBenchSite();
try {
  const measured: { path: string; runs: LighthouseRun[] }[] = [];
  for (const path of options.paths.split(",")) {
    // The first visit makes what later ones find made: the page itself and its pictures.
    await measure(site.url + path);
    const runs: LighthouseRun[] = [];
    for (let run = 0; run < RUNS; run++) {
      console.log(`${path}, run ${run + 1} of ${RUNS} …`);
      runs.push(await measure(site.url + path));
    }
    measured.push({ path, runs });
  }
  console.log(`\nLighthouse mobile, median of ${RUNS}`);
  console.table(measured.map(({ path, runs }) => toRow(path, runs)));
  for (const { path, runs } of measured) {
    const failed = [...new Set(runs.flatMap((run) => run.failed))];
    if (failed.length > 0) console.log(`${path}: scored below 90 %: ${failed.join("; ")}`);
  }
  const missed = measured.flatMap(({ path, runs }) => findMissed(runs).map((name) => `${path} ${name}`));
  console.log(missed.length === 0 ? "all bars met" : `MISSED: ${missed.join(", ")}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  await site.stop();
}
