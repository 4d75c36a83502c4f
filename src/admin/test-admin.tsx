import "#test/browser-globals.ts";
import { act, render } from "@testing-library/react";
import { createMemoryRouter, matchRoutes } from "react-router";
import type { ModelInfo } from "#contract/content/models.ts";
import type { AuthState } from "#providers/http/auth-state.ts";
import { createHttp } from "#providers/http/http.ts";
import { createI18n, createI18nProvider } from "#providers/i18n.ts";
import { createDataProvider } from "#providers/refine/data.ts";
import { createLiveProvider } from "#providers/refine/live.ts";
import { createAccessControl, type Permissions } from "#providers/refine/permissions.ts";
import type { Socket } from "#providers/socket/socket.ts";
import { AdminApp } from "./app.tsx";
import { createQueryClient } from "./cache/query-client.ts";
import { pushOnce, routes } from "./router.tsx";
import type { AdminServices } from "./services.ts";

interface FakeAnswer {
  status?: number;
  body?: unknown;
  etag?: string;
}

/** One call as a test's server sees it, and what it answers. */
export type FakeServer = (call: {
  method: string;
  url: URL;
  body: unknown;
  headers: Readonly<Record<string, string>>;
}) => FakeAnswer | Promise<FakeAnswer>;

interface Setup {
  address: string;
  models: ModelInfo[];
  server: FakeServer;
  lang?: "en" | "tr";
  /** Somebody is signed in and stays so, unless a test says otherwise. */
  session?: AdminServices["session"];
  /** Connected and silent, unless a test says otherwise. */
  socket?: Pick<Socket, "join" | "subscribe" | "getStatus" | "tryNow">;
  /** Whether the models call answers; read at each call. */
  hasModels?: () => boolean;
  /** Called for each models call. */
  onModels?: () => void;
  /** Everything, unless a test says otherwise. */
  permissions?: Permissions;
  upload?: AdminServices["upload"];
}

/** The part of Request that the data router makes for a navigation; jsdom has none. */
class NavigationRequest {
  readonly url: string;
  readonly signal: AbortSignal | undefined;
  readonly method = "GET";
  constructor(url: URL | string, { signal }: { signal?: AbortSignal } = {}) {
    this.url = String(url);
    this.signal = signal;
  }
}

/** What jsdom lacks; no test depends on the answers. */
export function fillInBrowser(): void {
  window.matchMedia ??= (query: string) =>
    Object.assign(new EventTarget(), {
      media: query,
      // No motion: nothing waits for transitions that jsdom never ends.
      matches: query.includes("reduce") || query.includes("min-width"),
      onchange: null,
      addListener() {},
      removeListener() {},
    });
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  globalThis.Request ??= NavigationRequest as unknown as typeof Request;
  // With antd's style elements in the page, each of jsdom's own answers takes milliseconds, and roles ask for thousands.
  window.getComputedStyle = (element) => (element as HTMLElement).style;
  Element.prototype.scrollIntoView ??= () => {};
}

/** A narrow screen, without motion, until the returned function is called. */
export function showOnPhone(): () => void {
  fillInBrowser();
  const { matchMedia } = window;
  window.matchMedia = (query) =>
    Object.assign(matchMedia(query), !query.includes("reduce") && { matches: false });
  return () => {
    window.matchMedia = matchMedia;
  };
}

/** jsdom has no Response; this is the part of it that providers/http/http.ts reads. */
function toResponse(status: number, body: unknown, etag?: string): Response {
  const headers = { get: (name: string) => (name === "ETag" ? (etag ?? null) : null) };
  const part = { ok: status < 300, status, headers, text: async () => JSON.stringify(body ?? null) };
  return part as unknown as Response;
}

/** Whoever is signed in: screens only ask whether there is somebody. */
export const SOMEBODY = { user: { profile: { admin_theme: "light" } } } as AuthState;

const SIGNED_IN: AdminServices["session"] = {
  subscribe: () => () => {},
  getAuthState: () => SOMEBODY,
  signIn: async () => SOMEBODY,
  restore: async () => SOMEBODY,
};

const ALL_PERMITTED: Permissions = { isSuperuser: true, accessLevel: 999, can: () => true };

const SILENT: NonNullable<Setup["socket"]> = {
  join: () => ({ push: () => Promise.reject(new Error("unused")), send: () => false, leave() {} }),
  subscribe: () => () => {},
  getStatus: () => "connected",
  tryNow() {},
};

export const TOKENS_FALLBACK = new Proxy({}, { get: () => "#123456" });

/** One after the other: Jest links no two modules at once that share a third ("request for … is not in cache"). */
async function loadScreens(address: string): Promise<void> {
  for (const { route } of matchRoutes(routes, address) ?? []) {
    if (typeof route.lazy === "function") await route.lazy();
  }
}

/** The whole console at an address, over a server of the test's own. Nothing is mocked but the network. */
export async function renderAdmin({
  address,
  models,
  server,
  lang = "en",
  session = SIGNED_IN,
  socket = SILENT,
  hasModels = () => true,
  onModels = () => {},
  permissions = ALL_PERMITTED,
  upload = () => Promise.reject(new Error("unused")),
}: Setup) {
  fillInBrowser();
  await loadScreens(address);
  const i18n = createI18n(lang);
  const http = createHttp({
    baseUrl: "https://x.test",
    getLanguage: () => i18n.language,
    fetch: async (target, init) => {
      const url = new URL(String(target));
      const method = init?.method ?? "GET";
      if (url.pathname === "/api/admin/models/") onModels();
      if (url.pathname === "/api/admin/models/" && hasModels()) return toResponse(200, { models });
      const {
        status = 200,
        body,
        etag,
      } = await server({
        method,
        url,
        headers: init?.headers as Record<string, string>, // as providers/http/http.ts writes them
        body: init?.body && JSON.parse(String(init.body)),
      });
      return toResponse(status, body, etag);
    },
  });
  const router = pushOnce(createMemoryRouter(routes, { initialEntries: [address] }));
  const queryClient = createQueryClient();
  const app = (
    <AdminApp
      router={router}
      providers={{
        queryClient,
        dataProvider: createDataProvider(http),
        authProvider: {
          login: async () => ({ success: true }),
          logout: async () => ({ success: true }),
          check: async () => ({ authenticated: true }),
          onError: async () => ({}),
        },
        accessControlProvider: createAccessControl(permissions),
        i18nProvider: createI18nProvider(i18n),
        liveProvider: createLiveProvider(socket),
      }}
      services={{
        upload,
        download: (path, { signal, body }) =>
          http.requestRaw(path, body === undefined ? { signal } : { signal, method: "POST", body }),
        session,
        socket,
        permissions,
      }}
      i18n={i18n}
      tokens={TOKENS_FALLBACK}
      nonce={undefined}
    />
  );
  // Refine and the router settle in microtasks after the first drawing.
  await act(async () => {
    render(app);
  });
  return { router, queryClient };
}
