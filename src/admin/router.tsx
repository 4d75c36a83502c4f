import { createBrowserRouter, Navigate, type RouteObject } from "react-router";
import { AdminLayout } from "./layout/admin-layout.tsx";
import { ModelPage } from "./models/model-page.tsx";
import { ModelsPage } from "./models/models-page.tsx";
import { NotFoundPage } from "./parts/not-found-page.tsx";
import { ScreenError } from "./parts/screen-error.tsx";
import { AdminRefine } from "./refine.tsx";
import { RecordDrawer } from "./views/form/record-drawer.tsx";

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
          { path: "*", element: <NotFoundPage /> },
        ],
      },
    ],
  },
];

export function createAdminRouter() {
  return createBrowserRouter(routes);
}
