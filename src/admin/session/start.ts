import { type AccountUser, hasAdminAccess } from "#contract/accounts/accounts.ts";
import type { Http } from "#providers/http/http.ts";
import type { Session } from "#providers/http/session.ts";
import { fetchPermissions, guessPermissions, type Permissions } from "#providers/refine/permissions.ts";

/** Who opens the console: nobody signed in, somebody without access to it, or staff with what they may do. */
export type Start =
  | { kind: "guest" }
  | { kind: "visitor" }
  | { kind: "staff"; user: AccountUser; permissions: Permissions };

/** Asks the server who this is and what they may do. Rejects where it can't be asked, or its answer says nothing. */
export async function readStart(session: Pick<Session, "restore">, http: Pick<Http, "request">) {
  const [state, permissions] = await Promise.all([session.restore(), fetchPermissions(http)]);
  return toStart(state?.user, permissions);
}

function toStart(user: AccountUser | undefined, permissions: Permissions | undefined): Start {
  if (!user) return { kind: "guest" };
  if (!hasAdminAccess(user.access_level)) return { kind: "visitor" };
  return { kind: "staff", user, permissions: permissions ?? guessPermissions(user) };
}

interface StarterOptions {
  read: () => Promise<Start>;
  open: (start: Start) => void;
  /** The console can't be opened now; `retry` tries again from the beginning and settles with the outcome on the screen. */
  fail: (error: unknown, retry: () => Promise<void>) => void;
}

/** Opens the console, or says why it can't be. However often it is called, one attempt is under way. */
export function createStarter({ read, open, fail }: StarterOptions): () => Promise<void> {
  let running: Promise<void> | undefined;

  async function attempt(): Promise<void> {
    try {
      open(await read());
    } catch (error) {
      console.error(error);
      fail(error, start);
    }
  }

  function start(): Promise<void> {
    running ??= attempt().finally(() => {
      running = undefined;
    });
    return running;
  }
  return start;
}
