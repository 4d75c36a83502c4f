import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { actionsAnswer } from "#contract/accounts/admin-users.ts";
import { alertsAnswer, alertsSeenRequest } from "#contract/alerts.ts";
import { ENTRY_MODEL, NEW_ENTRIES } from "#server/audit/service.ts";
import type { ContentService } from "#server/content/service.ts";
import type { Notices } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type RequireLevel, SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import { type App, listQuery } from "#server/http/zod.ts";
import type { Floor } from "../floor.ts";
import { type AlertDeps, type Alerts, createAlerts, createAlertWatch, noteKeys } from "./alerts.ts";
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

/** What the owners of the site are to know at once: for superusers alone. */
function registerAlertRoutes(app: App, deps: { alerts: Alerts; requireLevel: RequireLevel }): void {
  const { alerts, requireLevel } = deps;
  const guard = { onRequest: [noStore, requireLevel(ACCESS_LEVEL.superuser)] };
  const about = { tags: ["audit"], security: SIGNED_IN, response: { 200: alertsAnswer } };
  app.get(
    "/api/admin/alerts/",
    { ...guard, schema: { ...about, summary: "Security alerts that no superuser has seen" } },
    (request) => alerts.getUnseen(toCaller(request).lang),
  );
  app.post(
    "/api/admin/alerts/seen/",
    {
      ...guard,
      schema: { ...about, summary: "Mark security alerts as seen, up to one", body: alertsSeenRequest },
    },
    (request) => {
      const { actor, lang } = toCaller(request);
      return alerts.markSeen(request.body.up_to, actor, lang);
    },
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

interface ActionsDeps extends Pick<AlertDeps, "mail" | "readMailStates"> {
  content: ContentService;
  findPeople: FindPeople;
  listStaff(db: Queryable, level: number): ReturnType<AlertDeps["listOwners"]>;
  /** Those that sign and verify log-ins, and when they are others. */
  keys: { current(): readonly { kid: string }[]; onChange(listener: () => void): void };
}

/** The log: its endpoint, and word of new entries to those who look at it. Alerts: their endpoints, and mails to the owners. */
export function openActions(app: App, floor: Floor, deps: ActionsDeps): Actions {
  publishEntries(app, floor.notices);
  const actions = createActions({ ...floor, ...deps, db: floor.pool });
  registerActionRoutes(app, { ...floor, actions });
  const alerts = createAlerts({
    ...floor,
    ...deps,
    listOwners: (db) => deps.listStaff(db, ACCESS_LEVEL.superuser),
    isMailOff: floor.config.smtpUrl === undefined,
  });
  registerAlertRoutes(app, { ...floor, alerts });
  const watch = createAlertWatch({ ...floor, alerts });
  const note = () =>
    noteKeys(
      floor.pool,
      deps.keys.current().map(({ kid }) => kid),
    );
  app.addHook("onReady", note);
  deps.keys.onChange(() => {
    note().catch((error: unknown) =>
      floor.log.error(
        { err: error },
        "an alert about new keys could not be written: the next start tries again",
      ),
    );
  });
  app.addHook("onListen", async () => watch.start());
  app.addHook("onClose", watch.close);
  return actions;
}
