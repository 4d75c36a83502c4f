import { useCallback, useMemo } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import {
  buildListViewParams,
  changeListView,
  LIST_PARAMS,
  type ListView,
  parseListView,
} from "./list-view.ts";

export type ChangeView = (change: Partial<ListView>, options?: { replace?: boolean }) => void;

/** Parts of the address that say something else than which rows there are, such as an opened drawer. */
function keepForeign(params: URLSearchParams, name: string, value: string): void {
  if (!LIST_PARAMS.has(name)) params.append(name, value);
}

/**
 * The view in the address, read at every change of it. A change by the user pushes a history entry, so that Back undoes it;
 * `replace` is for corrections and for typing that goes on. (Refine's own useTable replaces always and reads once.)
 *
 * `pageSize`: rows of a page when the address names no number.
 */
export function useListView(pageSize?: number): [ListView, ChangeView] {
  const [params] = useSearchParams();
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const query = params.toString();
  const view = useMemo(() => parseListView(new URLSearchParams(query), pageSize), [query, pageSize]);
  const change = useCallback<ChangeView>(
    (part, options) => {
      const next = buildListViewParams(changeListView(view, part), pageSize);
      if (next.toString() === buildListViewParams(view, pageSize).toString()) return;
      const replace = options?.replace ?? false;
      // A corrected entry is still the one that it was opened as, with what else its address says.
      if (replace) for (const [name, value] of new URLSearchParams(query)) keepForeign(next, name, value);
      void navigate({ pathname, search: next.toString() }, { replace, ...(replace && { state }) });
    },
    [view, query, pageSize, pathname, state, navigate],
  );
  return [view, change];
}
