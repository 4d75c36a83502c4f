import type { AuthProvider } from "@refinedev/core";
import type { AccountUser } from "#contract/accounts/accounts.ts";
import type { Session } from "./session.ts";

/** Address of the log-in page that leads back to where the person was, query and fragment included. */
export function buildLoginAddress(location: Pick<Location, "pathname" | "search" | "hash">): string {
  const back = `${location.pathname}${location.search}${location.hash}`;
  return `/login?${new URLSearchParams({ redirect: back })}`;
}

interface AuthOptions {
  session: Pick<Session, "signIn" | "signOut" | "getAuthState">;
  /** Leaves the console with a document load: the log-in page belongs to the public root. */
  leave: (address: string) => void;
  getLocation: () => Pick<Location, "pathname" | "search" | "hash">;
  /** The person is about to log out by themselves: what this browser keeps for them goes too. */
  onLogout?: (user: AccountUser) => void;
}

/** Refine's auth calls over the shared session. Never answers a `redirectTo`: Refine would look for it inside the console. */
export function createAuthProvider({ session, leave, getLocation, onLogout }: AuthOptions): AuthProvider {
  let isLoggingOut = false;
  let hasLoggedOut = false;
  return {
    async login({ username, password }: { username: string; password: string }) {
      await session.signIn(username, password);
      return { success: true };
    },
    async logout() {
      isLoggingOut = true;
      hasLoggedOut = true;
      try {
        const user = session.getAuthState()?.user;
        if (user) onLogout?.(user);
        await session.signOut();
      } finally {
        isLoggingOut = false;
      }
      leave("/login");
      return { success: true };
    },
    async check() {
      return { authenticated: session.getAuthState() !== null };
    },
    async onError(error: { statusCode?: number }) {
      // The HTTP client has tried to renew the session before this 401 came through. Calls that a log-out overtakes end so too:
      // who has logged out is not to come back here.
      if (error.statusCode === 401 && !isLoggingOut) {
        const isOut = hasLoggedOut && session.getAuthState() === null;
        leave(isOut ? "/login" : buildLoginAddress(getLocation()));
      }
      return {};
    },
    async getIdentity() {
      return session.getAuthState()?.user ?? null;
    },
    async getPermissions() {
      return session.getAuthState()?.user.access_level ?? 0;
    },
  };
}
