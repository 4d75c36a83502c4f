import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { followMail } from "./own-site/mail-steps.ts";
import { type OwnSite, openOwnSite } from "./own-site/open-site.ts";
import { followProxy } from "./own-site/proxy-steps.ts";
import { followService } from "./own-site/service-steps.ts";
import { followStart } from "./own-site/start-steps.ts";

/**
 * `npm run bench:own-site [-- --folder /var/tmp --port 4600]`: from `git clone` to an own site, with the commands and blocks that
 * README.md has, read out of it: own CV in two languages, own page, mails sent, a domain behind Caddy, the service. Bar: one run, and
 * no step that the README doesn't say. It needs git and Caddy, and the packages (from npm's cache, or the network).
 */
const { values: options } = parseArgs({
  options: { folder: { type: "string", default: tmpdir() }, port: { type: "string", default: "4600" } },
});

const folder = mkdtempSync(join(options.folder, "own-site-"));
// What runs is in groups of its own, which a terminal's Ctrl-C doesn't reach.
const interruption = new AbortController();
process.once("SIGINT", () => interruption.abort());
const site: OwnSite = openOwnSite({ folder, port: Number(options.port), signal: interruption.signal });
try {
  await followStart(site);
  await followMail(site);
  const caller = await followProxy(site);
  await followService(site, caller);
  console.log(`${site.stepCount} steps, all said by the README.`);
  console.log("Otherwise than on a server on the internet:");
  for (const line of site.differences) console.log(`  ${line}`);
} finally {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
}
