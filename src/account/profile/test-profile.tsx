import { jest } from "@jest/globals";
import { render } from "@testing-library/react";
import { MemoryRouter, useLocation } from "react-router";
import { type OwnProfile, ownProfile } from "#contract/accounts/own-account.ts";
import type { KeyStorage } from "#providers/browser-storage.ts";
import { toAuthState } from "#providers/http/auth-state.ts";
import { createHttp, type Http } from "#providers/http/http.ts";
import { createSession } from "#providers/http/session.ts";
import { toAccountUser } from "#test/account-user.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { NO_IDENTITY } from "#test/no-identity.ts";
import { toRequest } from "../../head/test-request.ts";
import { texts } from "../../public-texts-en.ts";
import { PublicApp, toPage } from "../../ui/site-layout.tsx";
import { AccountArea } from "../account-area.tsx";
import { texts as accountTexts } from "../account-texts-en.ts";
import type { ProfileServices } from "./own-profile.tsx";
import { ProfilePage } from "./profile-page.tsx";

/** A call as the back end sees it; a form's fields by their names. */
export interface Call {
  route: string;
  body: Record<string, unknown>;
}

/** What a route answers: 200 with a body unless given. */
export interface Answer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export type Routes = Record<string, (call: Call) => Answer | Promise<Answer>>;

const NOW = Date.parse("2026-11-20T12:00:00Z");

export function toProfile(more: Partial<OwnProfile> = {}): OwnProfile {
  const { profile } = toAccountUser();
  return ownProfile.parse({
    ...profile,
    username: "isil",
    email: "isil@example.com",
    pending_email: null,
    created_at: "2026-01-05T10:00:00Z",
    updated_at: "2026-11-01T10:00:00Z",
    ...more,
  });
}

export function createMemoryStorage(): KeyStorage {
  const map = new Map<string, string>();
  return {
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
  };
}

function readBody(body: unknown): Record<string, unknown> {
  if (body instanceof FormData) return Object.fromEntries(body);
  return typeof body === "string" ? JSON.parse(body) : {};
}

/** The part of Response that is read; jsdom has none. */
function toResponse({ status = 200, body = null, headers = {} }: Answer): Response {
  const text = async () => (body === null ? "" : JSON.stringify(body));
  const response = {
    ok: status < 400,
    status,
    headers: { get: (name: string) => headers[name.toLowerCase()] ?? null },
    body: null,
    text,
    blob: async () => new Blob([await text()]),
  };
  return response as unknown as Response;
}

/** A back end with one account, by the contracts. `routes` stand before its own ones. */
function createBackEnd(first: Partial<OwnProfile>, routes: Routes) {
  const calls: Call[] = [];
  const state = { profile: toProfile(first), isSessionOver: false, saves: 0 };
  const user = () => {
    const { username, email, pending_email: _pending, ...profile } = state.profile;
    return toAccountUser({ username, email, display_name: "" }, profile);
  };
  const own: Routes = {
    "POST /api/auth/token/refresh/": () =>
      state.isSessionOver
        ? { status: 401, body: { detail: "Your session has expired. Please log in again." } }
        : { body: { access: "token", refresh: "refresh" } },
    "POST /api/users/login/": () => {
      state.isSessionOver = false;
      return { body: { tokens: { access_token: "token", refresh_token: "refresh" }, user: user() } };
    },
    "POST /api/users/logout/": () => ({ status: 204 }),
    "GET /api/users/me/": () => ({ body: user() }),
    "GET /api/users/profile/": () => ({ body: state.profile }),
    "PUT /api/users/profile/": ({ body }) => {
      state.saves += 1;
      const { current_password: _password, email, ...rest } = body;
      const isNew = typeof email === "string" && email !== state.profile.email;
      const groups = ["voice_preferences", "notification_preferences", "privacy_settings"] as const;
      for (const group of groups)
        if (rest[group]) rest[group] = { ...state.profile[group], ...JSON.parse(String(rest[group])) };
      for (const name of ["avatar", "cover"])
        if (name in rest) rest[name] = rest[name] === "" ? null : `/pictures/people/${name}.webp`;
      state.profile = toProfile({
        ...state.profile,
        ...rest,
        pending_email: isNew ? email : email === undefined ? state.profile.pending_email : null,
        updated_at: new Date(NOW + state.saves * 1000).toISOString(),
      });
      return { body: state.profile };
    },
    "GET /api/users/mail-address/": () => ({
      body: {
        email: state.profile.email,
        problem: null,
        can_try: false,
        tried_at: null,
        next_try_at: null,
      },
    }),
    "GET /api/users/sessions/": () => ({ body: { sessions: [] } }),
    "GET /api/users/activity/": () => ({ body: { entries: [], next_before: null } }),
  };
  const guarded = (route: string) => !/login|refresh|logout/.test(route);

  async function answer(url: string, init: RequestInit): Promise<Response> {
    const route = `${init.method ?? "GET"} ${url}`;
    const call = { route, body: readBody(init.body) };
    calls.push(call);
    if (state.isSessionOver && guarded(route))
      return toResponse({ status: 401, body: { detail: "Your session has expired. Please log in again." } });
    const handler = routes[route] ?? own[route];
    if (!handler) throw new Error(`The test's back end has no ${route}`);
    return toResponse(await handler(call));
  }
  const fakeFetch = ((url: string, init: RequestInit = {}) => answer(url, init)) as typeof fetch;
  return {
    state,
    calls,
    user,
    fetch: fakeFetch,
    /** Bodies of the calls of a route. */
    sent: (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body),
  };
}

interface Setup {
  path?: string;
  profile?: Partial<OwnProfile>;
  routes?: Routes;
  /** That of an earlier drawing: the same tab after a reload. */
  tabStorage?: KeyStorage;
  prefix?: "" | "/tr";
}

function Address({ onAddress }: { onAddress: (address: string) => void }) {
  const { pathname, search } = useLocation();
  onAddress(pathname + search);
  return null;
}

/** Draws the profile of a signed-in person over a back end of the test's own. */
export function openProfile(setup: Setup = {}) {
  const { path = "/profile", tabStorage = createMemoryStorage(), prefix = "" } = setup;
  // jsdom has no modal dialogs; `open` is what tests see of one.
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false;
  };
  const backEnd = createBackEnd(setup.profile ?? {}, setup.routes ?? {});
  const storage = createMemoryStorage();
  storage.setItem("refresh_token", "refresh");
  const auth = toAuthState(backEnd.user(), null, NOW);
  storage.setItem("auth_state", JSON.stringify(auth));
  const options = { getLanguage: () => "en", baseUrl: "", fetch: backEnd.fetch };
  const events = new EventTarget();
  const session = createSession({ ...NO_IDENTITY, ...options, storage, events, locks: undefined });
  const plain = createHttp({ ...options, session });
  const http: Http = {
    ...plain,
    upload(address, form, { schema, method = "POST", onProgress }) {
      onProgress?.({ sentBytes: 1, totalBytes: 2 });
      return plain.request(address, { method, body: form, schema });
    },
  };
  const goTo = jest.fn<(address: string) => void>();
  const services: ProfileServices = {
    getSession: () => session,
    getHttp: () => http,
    goTo,
    tabStorage,
    storage,
    now: () => NOW,
  };
  let address = "";
  const drawn = render(
    <MemoryRouter initialEntries={[path]}>
      <PublicApp
        page={toPage(toRequest("profile", { prefix }), texts)}
        screen={
          <AccountArea texts={accountTexts}>
            <ProfilePage auth={auth} services={services} />
            <Address
              onAddress={(now) => {
                address = now;
              }}
            />
          </AccountArea>
        }
      />
    </MemoryRouter>,
  );
  return {
    ...drawn,
    backEnd,
    session,
    storage,
    tabStorage,
    events,
    goTo,
    user: setUpDrawnUser(),
    getAddress: () => address,
  };
}
