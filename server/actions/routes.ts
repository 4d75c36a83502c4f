import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { actionsAnswer } from "#contract/accounts/admin-users.ts";
import { ENTRY_MODEL, NEW_ENTRIES } from "#server/audit/service.ts";
import type { ContentService } from "#server/content/service.ts";
import type { Notices } from "#server/db/change-notices.ts";
import { type RequireLevel, SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import { type App, listQuery } from "#server/http/zod.ts";
import type { Floor } from "../floor.ts";
import { type Actions, createActions, type FindPeople } from "./service.ts";

/** `GET /api/admin/actions/`: the audit log. */
function registerActionRoutes(app: App, deps: { actions: Actions; requireLevel: RequireLevel }): void {
  const { actions, requireLevel } = deps;
  app.get(
    "/api/admin/actions/",
    {
      onRequest: requireLevel(ACCESS_LEVEL.admin),
      schema: {
        tags: ["audit"],
        security: SIGNED_IN,
        summary: "A page of the audit log",
        description:
          "Filters and sorts are `filters[0][field]`, `filters[0][operator]`, `filters[0][value]`, `sort[0][field]` and " +
          "`sort[0][direction]`: `action_type` and `user` exact, `timestamp` and others. `is_folded` exact `false` lists one " +
          "entry of each bulk operation, whose `batch` counts the others; `batch_id` exact lists all of one operation.",
        querystring: listQuery,
        response: { 200: actionsAnswer },
      },
    },
    (request) => actions.list(request.query, toCaller(request)),
  );
}

const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Sockets' long polls, for instance, write nothing. An export is a GET that is written down. */
function mayWriteEntries(method: string, route: string): boolean {
  return /^\/(?:api|voice)\//.test(route) && (!READING.has(method) || route.endsWith("/export/"));
}

/**
 * Publishes new entries once for each request that may have written some, failed ones too: behind its commits, which a notice
 * inside would make wait for each other.
 */
export function publishEntries(app: App, notices: Pick<Notices, "publish">): void {
  app.addHook("onResponse", async ({ method, routeOptions }) => {
    if (mayWriteEntries(method, routeOptions.url ?? "")) notices.publish(ENTRY_MODEL, NEW_ENTRIES);
  });
}

/** The log: its endpoint, and word of new entries to those who look at it. */
export function openActions(
  app: App,
  floor: Floor,
  deps: { content: ContentService; findPeople: FindPeople },
): Actions {
  publishEntries(app, floor.notices);
  const actions = createActions({ ...floor, ...deps, db: floor.pool });
  registerActionRoutes(app, { ...floor, actions });
  return actions;
}
