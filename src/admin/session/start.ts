import { type AccountUser, hasAdminAccess } from "#contract/accounts/accounts.ts";
import { type Http, HttpError } from "#providers/http/http.ts";
import type { Session } from "#providers/http/session.ts";
import {
  FACTOR_DUE,
  fetchPermissions,
  guessPermissions,
  type Permissions,
} from "#providers/refine/permissions.ts";

/** Who opens the console: nobody signed in, somebody without access to it, staff who must set a second factor up first, or staff. */
export type Start =
  | { kind: "guest" }
  | { kind: "visitor" }
  | { kind: "owing"; user: AccountUser }
  | { kind: "staff"; user: AccountUser; permissions: Permissions };

/** Asks the server who this is and what they may do. Rejects where it can't be asked, or its answer says nothing. */
export async function readStart(session: Pick<Session, "restore">, http: Pick<Http, "request">) {
  const [state, permissions] = await Promise.all([session.restore(), fetchPermissions(http).catch(toOwing)]);
  return toStart(state?.user, permissions);
}

/** The server decides that the time is over: the clock of this machine may be wrong. */
function toOwing(error: unknown): "owing" {
  if (error instanceof HttpError && error.code === FACTOR_DUE) return "owing";
  throw error;
}

function toStart(user: AccountUser | undefined, permissions: Permissions | undefined | "owing"): Start {
  if (!user) return { kind: "guest" };
  if (permissions === "owing") return { kind: "owing", user };
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
