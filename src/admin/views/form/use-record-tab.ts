import { useLocation } from "react-router";
import { FROM } from "./copied.ts";

const TAB = "tab";
const HISTORY = "history";

export type RecordTab = "details" | "history";

/** The query without what it says of the record: the rest is the list's. */
export function toListSearch(search: string): string {
  const params = new URLSearchParams(search);
  if (!params.has(TAB) && !params.has(FROM)) return search;
  params.delete(TAB);
  params.delete(FROM);
  return params.size > 0 ? `?${params}` : "";
}

/** Which view of the record is open. The address says it, so that it survives a reload and can be sent to somebody. */
export function useRecordTab(): { tab: RecordTab; toSearch: (tab: RecordTab) => string } {
  const { search } = useLocation();
  const tab = new URLSearchParams(search).get(TAB) === HISTORY ? "history" : "details";
  return {
    tab,
    toSearch(next) {
      const params = new URLSearchParams(toListSearch(search));
      if (next === "history") params.set(TAB, HISTORY);
      return params.size > 0 ? `?${params}` : "";
    },
  };
}
