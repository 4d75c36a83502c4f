import { parseArgs } from "node:util";
import { measureFrames } from "./fuzz/measure-frames.ts";
import { measureRequests } from "./fuzz/measure-requests.ts";
import { startMeteredSite } from "./fuzz/site.ts";
import { printFigures } from "./mail/figure.ts";

/**
 * `npm run bench:fuzz [-- --seed 1 --requests 200000 --frames 100000 --only requests,frames --from 0]`: what broken requests and
 * frames do to the product, which runs as `npm start` runs it over the sample's content.
 * 1. Requests to every route of OpenAPI and those that it leaves out: broken bodies, addresses, headers and framing, by nobody, by an
 *    ordinary account and by a superuser whose password was just confirmed. No answer above 499 but the documented ones, which are listed.
 * 2. Frames and posts to the product's own channels over WebSocket and long poll.
 * The process must live, its log must hold no error, and what is left after collecting garbage must not grow.
 * The same seed makes the same requests; `--from` goes on with a later one. To get past the limits each request names one of 2,000
 * addresses (`TRUST_PROXY=1`), and people are new after 150 requests; nothing else of the product is changed.
 */
const PARTS = ["requests", "frames"] as const;
const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    requests: { type: "string", default: "200000" },
    frames: { type: "string", default: "100000" },
    from: { type: "string", default: "0" },
    only: { type: "string", default: PARTS.join(",") },
  },
});

function toCount(name: "seed" | "requests" | "frames" | "from"): number {
  const count = Number(options[name]);
  if (!Number.isSafeInteger(count) || count < 0) throw new Error(`--${name} wants a whole number`);
  return count;
}

const only = options.only.split(",");
const unknown = only.filter((name) => !PARTS.some((part) => part === name));
if (unknown.length > 0) throw new Error(`--only knows ${PARTS.join(", ")}; not ${unknown.join(", ")}`);

const seed = toCount("seed");
console.log(`seed ${seed}`);
const site = await startMeteredSite();
try {
  const figures = [
    ...(only.includes("requests")
      ? await measureRequests(site, { seed, from: toCount("from"), count: toCount("requests") })
      : []),
    ...(only.includes("frames") ? await measureFrames(site, { seed, count: toCount("frames") }) : []),
  ];
  const end = site.readEnd();
  printFigures([
    ...figures,
    {
      name: `the server's process and its log, seed ${seed}`,
      bar: "lives, 0 errors",
      measured: `${end === undefined ? "lives" : `ended with ${end}`}, ${site.faults.length} errors`,
      isMet: end === undefined && site.faults.length === 0,
    },
  ]);
} finally {
  await site.stop();
}
