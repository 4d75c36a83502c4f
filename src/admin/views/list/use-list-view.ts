import { useCallback, useMemo } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { buildListViewParams, changeListView, type ListView, parseListView } from "./list-view.ts";

export type ChangeView = (change: Partial<ListView>, options?: { replace?: boolean }) => void;

/**
 * The view in the address, read at every change of it. A change by the user pushes a history entry, so that Back undoes it;
 * `replace` is for corrections and for typing that goes on. (Refine's own useTable replaces always and reads once.)
 */
export function useListView(): [ListView, ChangeView] {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const query = params.toString();
  const view = useMemo(() => parseListView(new URLSearchParams(query)), [query]);
  const change = useCallback<ChangeView>(
    (part, options) => {
      const search = buildListViewParams(changeListView(view, part)).toString();
      if (search === buildListViewParams(view).toString()) return;
      void navigate({ pathname, search }, { replace: options?.replace ?? false });
    },
    [view, pathname, navigate],
  );
  return [view, change];
}
