import { createSession, type Session } from "#providers/session.ts";

let session: Session | undefined;

/** The session of this page, made when a screen first needs it in the browser; the server draws without one. */
export function getAccountSession(): Session {
  session ??= createSession({ getLanguage: () => document.documentElement.lang });
  return session;
}
