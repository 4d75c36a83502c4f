import type { UnsubscribeState } from "#contract/page.ts";
import { useAccountText } from "../account-text.tsx";

/** Behind a mail's link (RFC 8058 for people): asks, because programs open links. A plain form: no script is needed. */
export function UnsubscribePage({ state }: { state: UnsubscribeState }) {
  const t = useAccountText();
  switch (state.step) {
    case "ask":
      return (
        <section className="notice-page">
          <h1>{t("account:unsubscribe.title")}</h1>
          <p className="prose">{t("account:unsubscribe.ask", { address: state.address })}</p>
          <form method="post" action={`/api/mail/unsubscribe/${state.token}/`}>
            <button className="button" type="submit">
              {t("account:unsubscribe.confirm")}
            </button>
          </form>
        </section>
      );
    case "done":
      return (
        <section className="notice-page">
          <h1>{t("account:unsubscribe.doneTitle")}</h1>
          <p className="prose">{t("account:unsubscribe.done", { address: state.address })}</p>
        </section>
      );
    case "unknown":
      return (
        <section className="notice-page">
          <h1>{t("account:unsubscribe.unknownTitle")}</h1>
          <p className="prose">{t("account:unsubscribe.unknown")}</p>
        </section>
      );
  }
}
