import { type ReactNode, useEffect, useState } from "react";
import { buildLoginAddress } from "#providers/auth.ts";
import type { AuthState } from "#providers/auth-state.ts";
import type { Session } from "#providers/session.ts";
import { REFRESH_TOKEN_KEY } from "#providers/storage-keys.ts";
import { usePage } from "../ui/page-context.tsx";
import { getAccountSession } from "./account-session.ts";
import { useAccountText } from "./account-text.tsx";

type Visitor = { state: "asking" } | { state: "unknown" } | { state: "known"; auth: AuthState };

export interface GuardServices {
  getSession: () => Pick<Session, "restore">;
  goTo: (address: string) => void;
}

const BROWSER: GuardServices = {
  getSession: getAccountSession,
  // In place of this page: Back would only lead to the same question.
  goTo: (address) => window.location.replace(address),
};

/**
 * Shows a screen to signed-in people only (specification A 2.2): after one attempt to restore the session everybody else
 * goes to the log-in page, which leads back here, also when the session ends in another tab. The server draws the waiting
 * state, because it can't know.
 */
export function RequireSession({
  children,
  services = BROWSER,
}: {
  children: (auth: AuthState) => ReactNode;
  services?: GuardServices;
}) {
  const { prefix } = usePage();
  const t = useAccountText();
  const [visitor, setVisitor] = useState<Visitor>({ state: "asking" });
  const { getSession, goTo } = services;

  useEffect(() => {
    let isLeft = false;
    const ask = () =>
      getSession()
        .restore()
        .then((auth) => {
          if (isLeft) return;
          if (auth) setVisitor({ state: "known", auth });
          else goTo(prefix + buildLoginAddress(window.location));
        })
        .catch((error: unknown) => {
          console.warn("The session could not be restored.", error);
          if (!isLeft) setVisitor((before) => (before.state === "known" ? before : { state: "unknown" }));
        });
    // Back may show the screen as it was left, to whoever sits there now.
    const onReturn = ({ persisted }: PageTransitionEvent) => persisted && ask();
    const onEndElsewhere = ({ key, newValue }: StorageEvent) =>
      (key === null || (key === REFRESH_TOKEN_KEY && newValue === null)) && ask();

    ask();
    window.addEventListener("pageshow", onReturn);
    window.addEventListener("storage", onEndElsewhere);
    return () => {
      isLeft = true;
      window.removeEventListener("pageshow", onReturn);
      window.removeEventListener("storage", onEndElsewhere);
    };
  }, [getSession, goTo, prefix]);

  switch (visitor.state) {
    case "known":
      return children(visitor.auth);
    case "asking":
      return (
        <section className="notice-page" aria-busy="true">
          <noscript>
            <p className="alert">{t("account:guard.needsScript")}</p>
          </noscript>
          <p className="alert when-app-failed">{t("account:login.incomplete")}</p>
          <p role="status">{t("account:guard.asking")}</p>
        </section>
      );
    case "unknown":
      return (
        <section className="notice-page">
          <p className="alert" role="alert">
            {t("account:guard.unreachable")}
          </p>
          <p>
            <button className="button" type="button" onClick={() => window.location.reload()}>
              {t("account:guard.retry")}
            </button>
          </p>
        </section>
      );
  }
}
