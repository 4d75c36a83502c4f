import type { Notices } from "#server/db/change-notices.ts";
import type { App } from "#server/http/zod.ts";
import { ENTRY_MODEL, NEW_ENTRIES } from "./service.ts";

const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Sockets' long polls, for instance, write nothing. An export is a GET that is written down. */
function mayWriteEntries(method: string, route: string): boolean {
  return /^\/(?:api|voice)\//.test(route) && (!READING.has(method) || route.endsWith("/export/"));
}

/**
 * Tells of entries once for each request that may have written some, failed ones too: behind its commits, which a notice
 * inside would make wait for each other. Register it before the routes.
 */
export function tellOfEntries(app: App, notices: Pick<Notices, "tell">): void {
  app.addHook("onResponse", async ({ method, routeOptions }) => {
    if (mayWriteEntries(method, routeOptions.url ?? "")) notices.tell(ENTRY_MODEL, NEW_ENTRIES);
  });
}
