import { type createBrowserRouter, RouterProvider } from "react-router";
import { AppFrame, type AppFrameProps } from "./app-frame.tsx";
import { ReadKeyContext } from "./parts/use-step-back.ts";
import { type AdminProviders, ProvidersContext } from "./providers-context.ts";
import { type AdminServices, ServicesContext } from "./services.ts";

export interface AdminAppProps extends Omit<AppFrameProps, "session"> {
  router: ReturnType<typeof createBrowserRouter>;
  providers: AdminProviders;
  services: AdminServices;
}

/** Frame and services around the router. */
export function AdminApp({ router, providers, services, ...frame }: AdminAppProps) {
  return (
    <AppFrame session={services.session} {...frame}>
      <ServicesContext value={services}>
        <ProvidersContext value={providers}>
          <ReadKeyContext value={() => router.state.location.key}>
            <RouterProvider router={router} />
          </ReadKeyContext>
        </ProvidersContext>
      </ServicesContext>
    </AppFrame>
  );
}
