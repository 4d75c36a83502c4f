import { test as base } from "@playwright/test";
import { Site } from "./site.ts";

/** Starting a site on a busy machine is slow; what takes longer than this hangs. */
const START_LIMIT_MS = 300_000;

/**
 * `test` of the specs that leave a site as they found it, or keep to what is theirs (a person's sessions, LIN's account):
 * `sharedSite` is one copy of the prepared site for all of them in a worker.
 */
export const test = base.extend<object, { sharedSite: Site }>({
  sharedSite: [
    async ({ browserName: _ }, use) => {
      const site = await Site.startPrepared();
      await use(site);
      await site.remove();
    },
    { scope: "worker", timeout: START_LIMIT_MS },
  ],
});
