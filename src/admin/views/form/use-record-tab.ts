import { useLocation } from "react-router";

const TAB = "tab";
const HISTORY = "history";

export type RecordTab = "details" | "history";

/** The query without the view of the record that it names: the rest is the list's. */
export function withoutTab(search: string): string {
  const params = new URLSearchParams(search);
  if (!params.has(TAB)) return search;
  params.delete(TAB);
  return params.size > 0 ? `?${params}` : "";
}

/** Which view of the record is open. The address says it, so that it survives a reload and can be sent to somebody. */
export function useRecordTab(): { tab: RecordTab; toSearch: (tab: RecordTab) => string } {
  const { search } = useLocation();
  const tab = new URLSearchParams(search).get(TAB) === HISTORY ? "history" : "details";
  return {
    tab,
    toSearch(next) {
      const params = new URLSearchParams(withoutTab(search));
      if (next === "history") params.set(TAB, HISTORY);
      return params.size > 0 ? `?${params}` : "";
    },
  };
}
