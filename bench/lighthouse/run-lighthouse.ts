import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";

/** Not a dependency: 70 MB with what it brings would slow every installation. npm keeps it in its own cache. */
const PACKAGE = "lighthouse@13.5.0";
const TIMEOUT_MS = 300_000;

const run = promisify(execFile);

const score = z.object({ score: z.nullable(z.number()) });
const audit = z.object({
  title: z.string(),
  score: z.nullish(z.number()),
  numericValue: z.optional(z.number()),
});
const report = z.object({
  environment: z.object({ benchmarkIndex: z.number() }),
  categories: z.object({
    performance: score,
    accessibility: score,
    "best-practices": score,
    seo: score,
    "agentic-browsing": z.optional(score),
  }),
  audits: z.record(z.string(), audit),
});
type Audits = z.infer<typeof report>["audits"];

/** One run. Scores are 0 to 100; how fast the machine was is in `benchmarkIndex`. */
export interface LighthouseRun {
  performance: number;
  accessibility: number;
  bestPractices: number;
  seo: number;
  agenticBrowsing: number | null;
  fcpMs: number;
  lcpMs: number;
  tbtMs: number;
  cls: number;
  benchmarkIndex: number;
  /** Titles of audits that scored below 90 %. */
  failed: string[];
}

const toPercent = ({ score }: { score: number | null }) => Math.round((score ?? 0) * 100);

function requireFigure(audits: Audits, id: string): number {
  const value = audits[id]?.numericValue;
  if (value === undefined) throw new Error(`Lighthouse did not measure ${id}`);
  return value;
}

/** Lighthouse calls a score of 0.9 good. */
function findFailed(audits: Audits): string[] {
  return Object.values(audits).flatMap(({ score, title }) =>
    typeof score === "number" && score < 0.9 ? [title] : [],
  );
}

function toRun(json: unknown): LighthouseRun {
  const { categories, audits, environment } = report.parse(json);
  const agentic = categories["agentic-browsing"];
  return {
    performance: toPercent(categories.performance),
    accessibility: toPercent(categories.accessibility),
    bestPractices: toPercent(categories["best-practices"]),
    seo: toPercent(categories.seo),
    agenticBrowsing: agentic ? toPercent(agentic) : null,
    fcpMs: requireFigure(audits, "first-contentful-paint"),
    lcpMs: requireFigure(audits, "largest-contentful-paint"),
    tbtMs: requireFigure(audits, "total-blocking-time"),
    cls: requireFigure(audits, "cumulative-layout-shift"),
    benchmarkIndex: environment.benchmarkIndex,
    failed: findFailed(audits),
  };
}

/** Lighthouse's own mobile settings: a slow 4G network and a processor four times as slow, both simulated. */
export async function runLighthouse(url: string): Promise<LighthouseRun> {
  const folder = await mkdtemp(join(tmpdir(), "foyer-lighthouse-"));
  const file = join(folder, "report.json");
  const chromeFlags = "--headless=new --no-sandbox --disable-gpu";
  const output = ["--output=json", `--output-path=${file}`, "--quiet", "--no-enable-error-reporting"];
  try {
    await run(
      "npm",
      [
        "exec",
        "--yes",
        `--package=${PACKAGE}`,
        "--",
        "lighthouse",
        url,
        ...output,
        `--chrome-flags=${chromeFlags}`,
      ],
      {
        timeout: TIMEOUT_MS,
        env: {
          ...process.env,
          CHROME_PATH: process.env.FOYER_CHROMIUM ?? "/usr/bin/chromium",
          PATH: dirname(process.execPath) + delimiter + process.env.PATH,
        },
      },
    );
    return toRun(JSON.parse(await readFile(file, "utf8")));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
