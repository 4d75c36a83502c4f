import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from "react";
import { buildLoginAddress } from "#providers/http/auth.ts";
import type { AuthState } from "#providers/http/auth-state.ts";
import type { Session, SessionEnd } from "#providers/http/session.ts";
import { toFailureText } from "../ui/failure-text.ts";
import { ScriptNotes } from "../ui/form-messages.tsx";
import { usePage } from "../ui/page-context.tsx";
import { useAccountText } from "./account-area.tsx";
import { getAccountSession, listenForSessionEnd } from "./account-session.ts";
import { buildVerifyAddress, leaveNotice, needsVerification } from "./arrival.ts";

/** Lets the guard around a screen know of input that a redirect would lose. @returns how to take it back. */
type HoldScreen = () => () => void;

/** Without a guard there is nothing to hold. */
export const UnsavedInputContext = createContext<HoldScreen>(() => () => undefined);

/**
 * While `isUnsaved`, the end of the session doesn't lead away from this screen: its next call fails with 401, and the
 * person signs in again in place (sign-in/sign-in-again.tsx).
 */
export function useUnsavedInput(isUnsaved: boolean): void {
  const hold = use(UnsavedInputContext);
  useEffect(() => (isUnsaved ? hold() : undefined), [isUnsaved, hold]);
}

type Visitor =
  | { state: "asking" }
  | { state: "unknown"; error: unknown }
  | { state: "known"; auth: AuthState };

export interface GuardServices {
  getSession: () => Pick<Session, "restore" | "hasSignedOut">;
  goTo: (address: string) => void;
  /** Calls the listener when the session ends without this page asking for it: refused, or signed out in another tab. */
  listenForSessionEnd: (listener: (why: SessionEnd, text?: string) => void) => () => void;
}

const BROWSER: GuardServices = {
  getSession: getAccountSession,
  // In place of this page: Back would only lead to the same question.
  goTo: (address) => window.location.replace(address),
  listenForSessionEnd,
};

/** How many parts of the screen hold input that is not saved. */
function useHolders() {
  const holders = useRef(0);
  const hold = useCallback(() => {
    holders.current += 1;
    return () => {
      holders.current -= 1;
    };
  }, []);
  return { holders, hold };
}

/**
 * Shows a screen to signed-in people whose address is proven (specification A 2.2): after one attempt to restore the session
 * everybody else goes to the log-in page, which leads back here, or to the proof. So it is when the session ends later, unless
 * the screen holds unsaved input. The server draws the waiting state, because it can't know.
 */
export function RequireSession({
  children,
  waiting,
  services = BROWSER,
}: {
  children: (auth: AuthState) => ReactNode;
  /** Stands in place of the screen until it is known who looks at it; a line of text unless given. */
  waiting?: ReactNode;
  services?: GuardServices;
}) {
  const { prefix } = usePage();
  const t = useAccountText();
  const [visitor, setVisitor] = useState<Visitor>({ state: "asking" });
  const { holders, hold } = useHolders();
  const { getSession, goTo, listenForSessionEnd: listen } = services;
  const expired = t("session:errors.sessionExpired");

  useEffect(() => {
    let isLeft = false;
    const decide = (auth: AuthState | null) => {
      if (isLeft) return;
      if (!auth) {
        if (holders.current === 0) goTo(prefix + buildLoginAddress(window.location));
      } else if (needsVerification(auth.user)) goTo(buildVerifyAddress(prefix, auth.user.email));
      else setVisitor({ state: "known", auth });
    };
    const ask = async () => {
      const session = getSession();
      const wasSignedOut = session.hasSignedOut();
      try {
        const auth = await session.restore();
        // Signed out while the question was under way: the log-in page that follows is not to lead back here.
        if (auth || session.hasSignedOut() === wasSignedOut) decide(auth);
      } catch (error) {
        console.warn("The session could not be restored.", error);
        if (!isLeft)
          setVisitor((before) => (before.state === "known" ? before : { state: "unknown", error }));
      }
    };
    // Back may show the screen as it was left, to whoever sits there now.
    const onReturn = ({ persisted }: PageTransitionEvent) => persisted && void ask();

    void ask();
    const stopListening = listen((why, text) => {
      // Where something unsaved keeps the screen, the dialog that asks for the log-in says why.
      if (why === "expired" && (text || holders.current === 0)) leaveNotice(text || expired);
      decide(null);
    });
    window.addEventListener("pageshow", onReturn);
    return () => {
      isLeft = true;
      stopListening();
      window.removeEventListener("pageshow", onReturn);
    };
  }, [getSession, goTo, listen, prefix, holders, expired]);

  switch (visitor.state) {
    case "known":
      return <UnsavedInputContext value={hold}>{children(visitor.auth)}</UnsavedInputContext>;
    case "asking":
      return (
        <section className={waiting ? undefined : "notice-page"} aria-busy="true">
          <ScriptNotes
            needsScript={t("session:guard.needsScript")}
            incomplete={t("session:guard.incomplete")}
          />
          {waiting || <p role="status">{t("session:guard.asking")}</p>}
        </section>
      );
    case "unknown":
      return (
        <section className="notice-page">
          <p className="alert" role="alert">
            {toFailureText(visitor.error, t("session:failure.offline"), t)}
          </p>
          <p>
            <button className="button" type="button" onClick={() => window.location.reload()}>
              {t("session:guard.retry")}
            </button>
          </p>
        </section>
      );
  }
}
