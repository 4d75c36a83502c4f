import "./notice.css";
import { CloseOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import { createSafeStorage } from "#providers/browser-storage.ts";
import { toSecurityAddress } from "../navigation/addresses.ts";
import { useServices } from "../services.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { formatDateTime } from "../views/kinds/cell-value.ts";

/** In this tab's storage: the moment of the notice that the person has put away. */
const PUT_AWAY_KEY = "factor_notice_put_away";
const tabStorage = createSafeStorage(() => globalThis.sessionStorage);

/**
 * Says until when somebody who owes a second factor may work here without one (`second_factor_due_at`, an ISO moment). Put away, it
 * stays so in this tab; another moment is news.
 */
export function FactorNotice() {
  const { t, i18n } = useTranslation();
  const { session } = useServices();
  const state = useSyncExternalStore(session.subscribe, session.getAuthState);
  const [putAway, setPutAway] = useState(() => tabStorage.getItem(PUT_AWAY_KEY));
  const dueAt = state?.user.second_factor_due_at ?? null;
  const lang = toLanguage(i18n.language);
  if (dueAt === null || dueAt === putAway) return null;

  function close(): void {
    if (dueAt === null) return;
    tabStorage.setItem(PUT_AWAY_KEY, dueAt);
    setPutAway(dueAt);
    // The button goes: whoever pressed it is not left without a place on the page.
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  }

  return (
    <div className="console-notice factor-notice">
      <p role="status">{t("factor.due", { date: formatDateTime(dueAt, lang) })}</p>
      <a href={toSecurityAddress(lang)}>{t("factor.setUp")}</a>
      <Button
        type="text"
        icon={<CloseOutlined {...DECORATIVE} />}
        aria-label={t("factor.putAway")}
        onClick={close}
      />
    </div>
  );
}
