import type { RouterProvider } from "@refinedev/core";
import binding, { stringifyConfig } from "@refinedev/react-router";
import { useCallback } from "react";
import { useLocation, useParams } from "react-router";

// As it comes, the binding writes queries unencoded: `R&D #1` comes back as `R`. It reads this at each call.
stringifyConfig.encode = true;

/**
 * Refine's own binding for react-router, but for what it reads of the address. It would hand the whole query on, and Refine
 * puts that into `meta` of every data call: `?search=` of a list would filter all other lists of the screen. The list views own
 * the query (`views/state/list-view.ts`), and Refine never sees it.
 */
export const routerProvider: RouterProvider = {
  ...binding,
  parse: () => {
    const { pathname } = useLocation();
    const params = useParams();
    return useCallback(() => ({ pathname, params }), [pathname, params]);
  },
};
