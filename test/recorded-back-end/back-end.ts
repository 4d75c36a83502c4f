import { createAuthProvider } from "#providers/http/auth.ts";
import { createHttp } from "#providers/http/http.ts";
import { createSession } from "#providers/http/session.ts";
import { createDataProvider } from "#providers/refine/data.ts";
import { createAccessControl, fetchPermissions, guessPermissions } from "#providers/refine/permissions.ts";
import { NO_IDENTITY } from "#test/no-identity.ts";

export interface BackEndOptions {
  /** Where the back end is: what VITE_API_URL says in a build. */
  baseUrl: string;
  fetch: typeof fetch;
  /** Between two looks at a job. */
  pause: (ms: number) => Promise<void>;
}

function createMemoryStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

/** The providers of the console over one back end, put together as src/admin/main.tsx does it. */
export function createBackEnd({ pause, ...wire }: BackEndOptions) {
  const options = { ...wire, getLanguage: () => "en" };
  const left: string[] = [];
  const storage = createMemoryStorage();
  const session = createSession({
    ...NO_IDENTITY,
    ...options,
    storage,
    locks: undefined,
    events: new EventTarget(),
  });
  const http = createHttp({ ...options, session });
  return {
    left,
    session,
    http,
    pause,
    data: createDataProvider(http),
    auth: createAuthProvider({
      session,
      leave: (address) => left.push(address),
      getLocation: () => ({ pathname: "/admin", search: "", hash: "" }),
    }),
    /** As at the console's start: one call, or the documented roles where a back end has no such call. */
    async openAccess() {
      const state = session.getAuthState();
      if (!state) throw new Error("nobody is signed in");
      const permissions = (await fetchPermissions(http)) ?? guessPermissions(state.user);
      return { permissions, accessControl: createAccessControl(permissions) };
    },
  };
}

export type BackEnd = ReturnType<typeof createBackEnd>;
