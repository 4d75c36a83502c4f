import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { useRecordTab } from "./use-record-tab.ts";

const TABS = ["details", "history"] as const;

/** The views of one record: links, so that each has an address. The form stays where it is while another one is read. */
export function RecordTabs() {
  const { t } = useTranslation();
  const { pathname, state } = useLocation();
  const { tab, toSearch } = useRecordTab();
  return (
    <nav className="record-tabs" aria-label={t("history.views")}>
      {TABS.map((name) => (
        <Link
          key={name}
          to={{ pathname, search: toSearch(name) }}
          state={state}
          replace
          aria-current={name === tab ? "page" : undefined}
        >
          {t(name === "details" ? "history.details" : "history.title")}
        </Link>
      ))}
    </nav>
  );
}
