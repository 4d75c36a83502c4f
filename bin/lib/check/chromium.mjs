import { existsSync } from "node:fs";
import { installPackages, mayInstall } from "../debian-packages.mjs";
import { Fault } from "../fault.mjs";

/** The same engine without windows: a context costs it a fifth of the processor time (0.2 s, not 1 s). */
const HEADLESS = { program: "/usr/bin/chromium-headless-shell", package: "chromium-headless-shell" };
const WHOLE = "/usr/bin/chromium";

/**
 * The path of a Chromium for the browser tests: $FOYER_CHROMIUM, else Debian's headless one, which root installs where it is
 * missing, else Debian's whole one. Playwright's own download is not used: it is no package that a lock file pins. Throws a Fault that says what to do.
 */
export async function ensureChromium(env = process.env) {
  if (env.FOYER_CHROMIUM) {
    if (existsSync(env.FOYER_CHROMIUM)) return env.FOYER_CHROMIUM;
    throw new Fault(`FOYER_CHROMIUM names ${env.FOYER_CHROMIUM}, and there is no such file.`);
  }
  if (existsSync(HEADLESS.program)) return HEADLESS.program;
  if (!mayInstall()) {
    if (existsSync(WHOLE)) return WHOLE;
    throw new Fault(
      `The browser tests need Chromium. On Debian run "apt-get install chromium-headless-shell" as root; elsewhere install Chromium ` +
        "or Chrome and name its program in FOYER_CHROMIUM. Then run the tests again.",
    );
  }
  await installPackages("Chromium", [HEADLESS]);
  return HEADLESS.program;
}
