import type { UnsubscribeState } from "#contract/site/pages.ts";
import { usePage } from "../ui/page-context.tsx";
import { useAccountText } from "./account-area.tsx";

/** Behind a mail's link (RFC 8058 for people): asks, because programs open links. A plain form: no script is needed. */
export function UnsubscribePage({ state }: { state: UnsubscribeState }) {
  const t = useAccountText();
  const { prefix } = usePage();
  // A line doesn't end inside of the address.
  const address = "address" in state ? state.address.replace("…", "…\u2060") : "";
  switch (state.step) {
    case "ask":
      return (
        <section className="notice-page">
          <h1>{t("account:unsubscribe.title")}</h1>
          <p className="prose">{t("account:unsubscribe.ask", { address })}</p>
          <form method="post" action={`${prefix}/api/mail/unsubscribe/${state.token}/`}>
            <input type="hidden" name="confirm" value="yes" />
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
          <p className="prose">{t("account:unsubscribe.done", { address })}</p>
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
