import { useCallback, useMemo } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import {
  buildListViewParams,
  changeListView,
  LIST_PARAMS,
  type ListDefaults,
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
 */
export function useListView({ pageSize, defaultFilters }: ListDefaults): [ListView, ChangeView] {
  const [params] = useSearchParams();
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const query = params.toString();
  const defaults = useMemo<ListDefaults>(
    () => ({ ...(pageSize && { pageSize }), ...(defaultFilters && { defaultFilters }) }),
    [pageSize, defaultFilters],
  );
  const view = useMemo(() => parseListView(new URLSearchParams(query), defaults), [query, defaults]);
  const change = useCallback<ChangeView>(
    (part, options) => {
      const next = buildListViewParams(changeListView(view, part), defaults);
      if (next.toString() === buildListViewParams(view, defaults).toString()) return;
      const replace = options?.replace ?? false;
      // A corrected entry is still the one that it was opened as, with what else its address says.
      if (replace) for (const [name, value] of new URLSearchParams(query)) keepForeign(next, name, value);
      void navigate({ pathname, search: next.toString() }, { replace, ...(replace && { state }) });
    },
    [view, query, defaults, pathname, state, navigate],
  );
  return [view, change];
}
