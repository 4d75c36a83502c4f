import { createHttp, type Http } from "#providers/http/http.ts";
import { createSession, type Session, type SessionEnd } from "#providers/http/session.ts";
import { showPerson } from "../ui/loader/session.ts";

let session: Session | undefined;
let http: Http | undefined;
type EndListener = (why: SessionEnd, text?: string) => void;
const endListeners = new Set<EndListener>();

const getLanguage = () => document.documentElement.lang;

function openSession(): Session {
  const opened = createSession({
    getLanguage,
    identity: () => import("../ui/identity/identity.ts"),
    onSessionEnd: (why, text) => {
      for (const listener of endListeners) listener(why, text);
    },
  });
  opened.subscribe(() => showPerson(document.documentElement, opened.getAuthState()?.user ?? null));
  return opened;
}

/** The session of this page, made when a screen first needs it in the browser; the server draws without one. */
export function getAccountSession(): Session {
  session ??= openSession();
  return session;
}

/** The documented calls, as the signed-in person or as a guest: token, renewal and language are taken care of. */
export function getAccountHttp(): Http {
  http ??= createHttp({ getLanguage, session: getAccountSession() });
  return http;
}

/** Calls `listener` when the session ends without this page asking for it: refused, or signed out in another tab. */
export function listenForSessionEnd(listener: EndListener): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}
