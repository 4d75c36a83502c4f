import { parseArgs } from "node:util";
import { toLine } from "../test/e2e/clicks/faults.ts";
import { RHYTHMS } from "../test/e2e/clicks/press.ts";
import { tryAll } from "../test/e2e/clicks/try-all.ts";
import prepareSites from "../test/e2e/prepare-sites.ts";
import { Site } from "../test/e2e/site.ts";
import { openBrowser } from "./console/browser.ts";

/**
 * `npm run bench:clicks [-- --only cv,list --rhythms double,triple --slowdown 6]`: every control of every screen is clicked twice,
 * three times, and 60 to 160 ms apart, on a processor that is six times slower. Bar: no trap (what opens closes by Escape and opens
 * again, the address is what it was), no write sent twice.
 */
const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    rhythms: { type: "string", default: Object.keys(RHYTHMS).join(",") },
    slowdown: { type: "string", default: "6" },
  },
});
const only = options.only?.split(",");

const removePrepared = await prepareSites();
const site = await Site.startPrepared();
try {
  const faults = await tryAll(openBrowser, {
    url: site.url,
    rhythms: options.rhythms.split(","),
    slowdown: Number(options.slowdown),
    isWanted: ({ name }) => !only || only.includes(name),
    onRetry: (name, reason) => console.log(`${name}: once more, ${reason}`),
    onScreen(name, tried, found) {
      console.log(`${name}: ${tried} presses, ${found.length} faults`);
      for (const fault of found) console.log(`    ${toLine(fault)}`);
    },
  });
  console.log(
    `${faults.length === 0 ? "met   " : "MISSED"}  bar 0 traps, 0 doubled writes, 0 not tried; found ${faults.length}`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await site.remove();
  await removePrepared();
}
