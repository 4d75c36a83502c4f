import { useLocation } from "react-router";
import { FROM } from "../state/record-address.ts";

const TAB = "tab";
/** Of the form; the address doesn't name it. */
export const DETAILS = "details";
export const HISTORY = "history";

/** The query without what it says of the record: the rest is the list's. */
export function toListSearch(search: string): string {
  const params = new URLSearchParams(search);
  if (!params.has(TAB) && !params.has(FROM)) return search;
  params.delete(TAB);
  params.delete(FROM);
  return params.size > 0 ? `?${params}` : "";
}

/**
 * Which view of the record is open: its form, its history, or one of the screen's own. The address says it, so that it survives a
 * reload and can be sent to somebody.
 */
export function useRecordTab(): { tab: string; toSearch: (tab: string) => string } {
  const { search } = useLocation();
  const tab = new URLSearchParams(search).get(TAB) ?? DETAILS;
  return {
    tab,
    toSearch(next) {
      const params = new URLSearchParams(toListSearch(search));
      if (next !== DETAILS) params.set(TAB, next);
      return params.size > 0 ? `?${params}` : "";
    },
  };
}
