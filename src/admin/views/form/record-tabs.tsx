import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { OwnTab } from "./record-parts.ts";
import { DETAILS, HISTORY, useRecordTab } from "./use-record-tab.ts";

interface RecordTabsProps {
  own: readonly OwnTab[];
  hasHistory: boolean;
  /** The name of the one that is shown. */
  shown: string;
}

/** The views of one record: links, so that each has an address. The form stays where it is while another one is read. */
export function RecordTabs({ own, hasHistory, shown }: RecordTabsProps) {
  const { t } = useTranslation();
  const { pathname, state } = useLocation();
  const { toSearch } = useRecordTab();
  const tabs = [
    { name: DETAILS, label: t("history.details") },
    ...own,
    ...(hasHistory ? [{ name: HISTORY, label: t("history.title") }] : []),
  ];
  return (
    <nav className="record-tabs" aria-label={t("history.views")}>
      {tabs.map(({ name, label }) => (
        <Link
          key={name}
          to={{ pathname, search: toSearch(name) }}
          state={state}
          replace
          aria-current={name === shown ? "page" : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
