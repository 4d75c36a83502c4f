import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fillConsole } from "./console-screens.ts";
import { LIN, OWNER, PREPARED, REPOSITORY, Site } from "./site.ts";

/**
 * Once before all browser tests: pages are built where they are stale, and one site gets its sample content, its people
 * and what the console has to show. It stands still from then on; sites of tests are copies of its data folder.
 */
export default async function prepareSites(): Promise<() => Promise<void>> {
  execFileSync(process.execPath, [join(REPOSITORY, "bin/build.mjs")], { stdio: "inherit" });
  const site = new Site();
  try {
    await site.start();
    site.createSuperuser(OWNER);
    site.createSuperuser(LIN);
    await fillConsole(site.url);
    await site.stop();
  } catch (error) {
    await site.remove();
    throw error;
  }
  process.env[PREPARED] = site.dataDir;
  return () => site.remove();
}
