import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { chromium } from "playwright-core";
import { build, type Rolldown } from "vite";
import type { ContactChallenge } from "#contract/site/contact.ts";
import {
  CHALLENGE_LIFETIME_MS,
  CHALLENGE_WAIT_MS,
  createChallenges,
  isSolved,
  PUZZLES,
  ZERO_BITS,
} from "#server/contact/challenge.ts";

/**
 * `npm run bench:proof-of-work [-- --runs 50 --slowdown 4]`: what the contact form's proof of work costs a visitor. Chromium,
 * its CPU slowed down, works off challenges like the server's, each checked as the server checks it; then the bytes of
 * the code that does it, as brotli.
 */
const { values: options } = parseArgs({
  options: { runs: { type: "string", default: "50" }, slowdown: { type: "string", default: "4" } },
});
const RUNS = Number(options.runs);
const SLOWDOWN = Number(options.slowdown);
const P95_BAR_MS = 1000;
const BYTES_BAR = 1500;

/** Code of the proof of work alone: what it shares with other pages (fetch, schemas) is no part of it. */
async function bundle(file: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      target: "baseline-widely-available",
      lib: {
        entry: join(import.meta.dirname, "../src/site/contact", file),
        formats: ["es"],
      },
      rolldownOptions: { external: /^#(providers|contract)\// },
      minify: true,
    },
  });
  const [output] = [built].flat() as Rolldown.RolldownOutput[]; // `write: false` without `watch` answers this
  const chunk = output?.output[0];
  if (!chunk) throw new Error("the build gave no code");
  return chunk.code;
}

/** A page of an origin where browsers offer `crypto.subtle`. */
async function servePage(code: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const isScript = request.url === "/solve.js";
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? code : "<!doctype html><title>bench</title>");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

function toPercentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

async function measureTimes(url: string): Promise<number[]> {
  const browser = await chromium.launch({
    executablePath: process.env.FOYER_CHROMIUM ?? "/usr/bin/chromium",
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    const challenges = createChallenges([randomBytes(32)], () => Date.now());
    const times: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const work: ContactChallenge = {
        challenge: challenges.issue("work"),
        puzzles: PUZZLES,
        zero_bits: ZERO_BITS,
        wait_ms: CHALLENGE_WAIT_MS,
        lifetime_ms: CHALLENGE_LIFETIME_MS,
      };
      const { solution, ms } = await page.evaluate(async (given) => {
        const address = "/solve.js";
        const { solve } = await import(address);
        const begin = performance.now();
        return { solution: String(await solve(given)), ms: performance.now() - begin };
      }, work);
      if (!isSolved(work.challenge, solution)) throw new Error("the server would refuse this solution");
      times.push(ms);
    }
    return times.sort((a, b) => a - b);
  } finally {
    await browser.close();
  }
}

const size = brotliCompressSync(await bundle("contact-sender.ts"), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
}).length;
const site = await servePage(await bundle("proof-of-work.ts"));
try {
  const times = await measureTimes(site.url);
  const p95 = toPercentile(times, 0.95);
  console.table([
    {
      figure: `work for one message, p50 of ${RUNS} at ${SLOWDOWN}× CPU`,
      value: `${Math.round(toPercentile(times, 0.5))} ms`,
      bar: "",
    },
    { figure: "p95", value: `${Math.round(p95)} ms`, bar: `≤ ${P95_BAR_MS} ms` },
    { figure: "the slowest", value: `${Math.round(times.at(-1) ?? Number.NaN)} ms`, bar: "" },
    { figure: "code of the work and of its sending, brotli", value: `${size} B`, bar: `≤ ${BYTES_BAR} B` },
  ]);
  process.exitCode = p95 <= P95_BAR_MS && size <= BYTES_BAR ? 0 : 1;
} finally {
  site.close();
}
