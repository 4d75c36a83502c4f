import type { ComponentType } from "react";
import {
  createBrowserRouter,
  createPath,
  Navigate,
  type RouteObject,
  resolvePath,
  type To,
} from "react-router";
import { AdminLayout } from "./layout/admin-layout.tsx";
import { NotFoundPage } from "./navigation/page-header.tsx";
import { HAS_MAILBOX } from "./navigation/screens.tsx";
import { AdminRefine } from "./refine.tsx";
import { StartingScreen } from "./session/start-screens.tsx";
import { loadFile, ScreenError } from "./ui/errors.tsx";

type DataRouter = ReturnType<typeof createBrowserRouter>;

/**
 * An address that one is already at takes its own place in the history. React Router compares with the address that is drawn: of
 * two clicks that come faster than a screen is drawn both would add an entry, and what they open closes only at the second try.
 */
export function pushOnce(router: DataRouter): DataRouter {
  const navigate = router.navigate.bind(router);
  const isHere = (to: To | null) => {
    const { location } = router.state;
    return to !== null && createPath(resolvePath(to, location.pathname)) === createPath(location);
  };
  router.navigate = (to: To | number | null, options?: Parameters<typeof navigate>[1]) => {
    if (typeof to === "number") return navigate(to);
    return navigate(to, isHere(to) ? { ...options, replace: true } : options);
  };
  return router;
}

/** A screen in a chunk of its own, fetched when somebody goes there; the screen before stays until it is here. */
const screen = (load: () => Promise<ComponentType>): Pick<RouteObject, "lazy"> => ({
  lazy: async () => ({ Component: await loadFile(load) }),
});

const dashboard = screen(async () => (await import("./dashboard/dashboard-page.tsx")).DashboardPage);
const users = screen(async () => (await import("./users/users-page.tsx")).UsersPage);
const usersBulk = screen(async () => (await import("./users/users-bulk.tsx")).UsersBulk);
const accessLevels = screen(
  async () => (await import("./access-levels/access-levels-page.tsx")).AccessLevelsPage,
);
const models = screen(async () => (await import("./model-pages/models-page.tsx")).ModelsPage);
const model = screen(async () => (await import("./model-pages/model-page.tsx")).ModelPage);
const bulk = screen(async () => (await import("./bulk/bulk-page.tsx")).BulkPage);
const jobs = screen(async () => (await import("./jobs/jobs-page.tsx")).JobsPage);
const actions = screen(async () => (await import("./actions/actions-page.tsx")).ActionsPage);
const action = screen(async () => (await import("./actions/action-drawer.tsx")).ActionDrawer);
const monitoring = screen(
  async () => (await import("./email/monitoring/monitoring-page.tsx")).MonitoringPage,
);
const activity = screen(async () => (await import("./email/monitoring/activity-drawer.tsx")).ActivityDrawer);
const bounces = screen(async () => (await import("./email/triage-page.tsx")).BouncesPage);
const complaints = screen(async () => (await import("./email/triage-page.tsx")).ComplaintsPage);
const timeline = screen(async () => (await import("./email/timeline-page.tsx")).TimelinePage);
const importScreen = screen(async () => (await import("./import/import-page.tsx")).ImportPage);
const settings = screen(async () => (await import("./settings/settings-page.tsx")).SettingsPage);
const health = screen(async () => (await import("./health/health-page.tsx")).HealthPage);
/** One object for both, so that the drawer stays where it is when a new record gets its address. */
const record = screen(async () => (await import("./views/record/record-drawer.tsx")).RecordDrawer);
const mailbox = screen(async () => (await import("./mailbox/mailbox-page.tsx")).MailboxPage);
const mail = screen(async () => (await import("./mailbox/mail-drawer.tsx")).MailDrawer);

const MAILBOX_ROUTES: RouteObject[] = [
  { path: "mailbox", ...mailbox, children: [{ path: ":file", ...mail }] },
];

/** Every address of the console. A link out of /admin is a plain anchor: the document decides the root. */
export const routes: RouteObject[] = [
  {
    path: "/admin",
    element: (
      <AdminRefine>
        <AdminLayout />
      </AdminRefine>
    ),
    errorElement: <ScreenError />,
    hydrateFallbackElement: <StartingScreen />,
    children: [
      {
        errorElement: <ScreenError />,
        children: [
          { index: true, ...dashboard },
          {
            path: "users",
            ...users,
            children: [
              { path: "new", ...record },
              { path: ":objectId", ...record },
              { path: ":objectId/view", ...record },
            ],
          },
          { path: "users/bulk", ...usersBulk },
          {
            path: "access-levels",
            ...accessLevels,
            children: [
              { path: "new", ...record },
              { path: ":objectId", ...record },
            ],
          },
          { path: "models", ...models },
          // Links of the mail dashboard (specification B section 2).
          { path: "mail_service", element: <Navigate to="/admin/models?app=mail" replace /> },
          {
            path: "models/:contentTypeId",
            ...model,
            children: [
              { path: "objects/new", ...record },
              { path: "objects/:objectId", ...record },
            ],
          },
          { path: "models/:contentTypeId/bulk", ...bulk },
          { path: "jobs", ...jobs },
          { path: "actions", ...actions, children: [{ path: ":actionId", ...action }] },
          { path: "email-monitoring", ...monitoring, children: [{ path: ":mailId", ...activity }] },
          { path: "email-bounces", ...bounces, children: [{ path: ":objectId", ...record }] },
          { path: "email-complaints", ...complaints, children: [{ path: ":objectId", ...record }] },
          { path: "email-timeline", ...timeline },
          { path: "import", ...importScreen },
          { path: "import/:importId", ...importScreen },
          { path: "settings", ...settings },
          { path: "health", ...health },
          ...(HAS_MAILBOX ? MAILBOX_ROUTES : []),
          { path: "*", element: <NotFoundPage /> },
        ],
      },
    ],
  },
];

export const createAdminRouter = () => pushOnce(createBrowserRouter(routes));
