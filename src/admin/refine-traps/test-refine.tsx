import "#test/browser-globals.ts";
import { act, render } from "@testing-library/react";
import { App } from "antd";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { createHttp } from "#providers/http/http.ts";
import { createI18n, createI18nProvider } from "#providers/i18n.ts";
import { createDataProvider } from "#providers/refine/data.ts";
import { createLiveProvider } from "#providers/refine/live.ts";
import { createAccessControl, type Permissions } from "#providers/refine/permissions.ts";
import { createQueryClient } from "../cache/query-client.ts";
import { AdminRefine } from "../refine.tsx";
import { type AdminServices, ProvidersContext, ServicesContext } from "../services.ts";

export interface TrapCall {
  method: string;
  url: URL;
  body: unknown;
  signal: AbortSignal | undefined;
}

type TrapServer = (
  call: TrapCall,
) => { status?: number; body?: unknown } | Promise<{ status?: number; body?: unknown }>;

const SESSION = { subscribe: () => () => {}, getAuthState: () => null };

/** jsdom has no Response; this is the part of it that providers/http/http.ts reads. */
function toResponse({ status = 200, body }: { status?: number; body?: unknown }): Response {
  const part = {
    ok: status < 300,
    status,
    headers: { get: () => null },
    text: async () => JSON.stringify(body),
  };
  return part as unknown as Response;
}

/** Refine as the console sets it up, around hooks of its own that the console's screens don't use, over a server of the test's. */
export async function renderInRefine(
  content: ReactNode,
  {
    server,
    permissions,
    address = "/admin/models/7",
  }: { server: TrapServer; permissions?: Permissions; address?: string },
) {
  const calls: TrapCall[] = [];
  const i18n = createI18n("en");
  const http = createHttp({
    baseUrl: "https://x.test",
    getLanguage: () => "en",
    fetch: async (target, init) => {
      const call = {
        method: init?.method ?? "GET",
        url: new URL(String(target)),
        body: init?.body && JSON.parse(String(init.body)),
        signal: init?.signal ?? undefined,
      };
      calls.push(call);
      return toResponse(await server(call));
    },
  });
  const all: Permissions = permissions ?? { isSuperuser: true, accessLevel: 999, can: () => true };
  const providers = {
    queryClient: createQueryClient(),
    dataProvider: createDataProvider(http),
    authProvider: {
      login: async () => ({ success: true }),
      logout: async () => ({ success: true }),
      check: async () => ({ authenticated: true }),
      onError: async () => ({}),
    },
    accessControlProvider: createAccessControl(all),
    i18nProvider: createI18nProvider(i18n),
    liveProvider: createLiveProvider({
      join: () => ({ push: () => Promise.reject(new Error("unused")), send: () => false, leave() {} }),
    }),
  };
  // What the cache around the screens asks of the services; nothing else is used here.
  const services = { session: SESSION, permissions: all } as unknown as AdminServices;
  const router = createMemoryRouter([{ path: "*", element: <AdminRefine>{content}</AdminRefine> }], {
    initialEntries: [address],
  });
  const { unmount } = await act(async () =>
    render(
      <App>
        <ServicesContext value={services}>
          <ProvidersContext value={providers}>
            <RouterProvider router={router} />
          </ProvidersContext>
        </ServicesContext>
      </App>,
    ),
  );
  return { calls, router, unmount };
}

/** A page of rows that say their number. */
export function toPage(rows: number, pagination: object = {}) {
  const objects = Array.from({ length: rows }, (_, at) => ({ id: at + 1, repr: `Row ${at + 1}` }));
  return {
    objects,
    pagination: { page: 1, page_size: 20, total_count: rows, total_pages: 1, ...pagination },
  };
}
