import { createBrowserRouter, Navigate, type RouteObject } from "react-router";
import { AdminLayout } from "./layout/admin-layout.tsx";
import { HAS_MAILBOX } from "./mailbox/has-mailbox.ts";
import { MailDrawer } from "./mailbox/mail-drawer.tsx";
import { MailboxPage } from "./mailbox/mailbox-page.tsx";
import { ModelPage } from "./models/model-page.tsx";
import { ModelsPage } from "./models/models-page.tsx";
import { NotFoundPage } from "./parts/not-found-page.tsx";
import { ScreenError } from "./parts/screen-error.tsx";
import { AdminRefine } from "./refine.tsx";
import { RecordDrawer } from "./views/form/record-drawer.tsx";

const MAILBOX_ROUTES: RouteObject[] = [
  { path: "mailbox", element: <MailboxPage />, children: [{ path: ":file", element: <MailDrawer /> }] },
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
    children: [
      {
        errorElement: <ScreenError />,
        children: [
          // The dashboard takes this place.
          { index: true, element: <Navigate to="/admin/models" replace /> },
          { path: "models", element: <ModelsPage /> },
          {
            path: "models/:contentTypeId",
            element: <ModelPage />,
            children: [
              { path: "objects/new", element: <RecordDrawer /> },
              { path: "objects/:objectId", element: <RecordDrawer /> },
            ],
          },
          ...(HAS_MAILBOX ? MAILBOX_ROUTES : []),
          { path: "*", element: <NotFoundPage /> },
        ],
      },
    ],
  },
];

export function createAdminRouter() {
  return createBrowserRouter(routes);
}
