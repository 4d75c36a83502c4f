import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { useSearchParams } from "react-router";
import { useAccountText } from "../account-text.tsx";

export const TABS = ["about", "activity", "settings"] as const;
export type Tab = (typeof TABS)[number];

/** The open tab stands in the address (`?tab=`), so that a reload, Back and a link find it. */
export function useTab(): [Tab, (tab: Tab) => void] {
  const [query, setQuery] = useSearchParams();
  const tab = TABS.find((known) => known === query.get("tab")) ?? "about";
  const select = (next: Tab) => {
    if (next === tab) return;
    setQuery((before) => {
      before.set("tab", next);
      return before;
    });
  };
  return [tab, select];
}

function toNext(key: string, index: number): number | undefined {
  const last = TABS.length - 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: index === 0 ? last : index - 1,
    ArrowRight: index === last ? 0 : index + 1,
    Home: 0,
    End: last,
  };
  return steps[key];
}

interface TabsProps {
  tab: Tab;
  onSelect: (tab: Tab) => void;
  /** All panels; only that of the open tab is seen. */
  panels: Readonly<Record<Tab, ReactNode>>;
}

/** Tabs as the ARIA practices have them: one stop of the Tab key, arrows move and open. */
export function Tabs({ tab, onSelect, panels }: TabsProps) {
  const t = useAccountText();
  const listRef = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = toNext(event.key, TABS.indexOf(tab));
    const name = next === undefined ? undefined : TABS[next];
    if (!name) return;
    event.preventDefault();
    onSelect(name);
    listRef.current?.querySelector<HTMLElement>(`#profile-tab-${name}`)?.focus();
  };
  return (
    <div className="profile-main">
      <div ref={listRef} className="tab-list" role="tablist" aria-label={t("profile:page.tabs")}>
        {TABS.map((name) => (
          <button
            key={name}
            id={`profile-tab-${name}`}
            type="button"
            role="tab"
            aria-selected={name === tab}
            aria-controls={`profile-panel-${name}`}
            tabIndex={name === tab ? 0 : -1}
            onClick={() => onSelect(name)}
            onKeyDown={onKeyDown}
          >
            {t(`profile:page.${name}`)}
          </button>
        ))}
      </div>
      {TABS.map((name) => (
        <div
          key={name}
          id={`profile-panel-${name}`}
          className="tab-panel"
          role="tabpanel"
          aria-labelledby={`profile-tab-${name}`}
          hidden={name !== tab}
        >
          {panels[name]}
        </div>
      ))}
    </div>
  );
}
