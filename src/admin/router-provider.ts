import type { RouterProvider } from "@refinedev/core";
import { useCallback } from "react";
import { Link, useLocation, useNavigate, useParams } from "react-router";

/**
 * The four things that Refine asks of a router. Its own binding for react-router writes query strings without encoding
 * (`R&D #1` comes back as `R`), and reads filters out of them; here the list views own the query, Refine never sees it.
 */
export const routerProvider: RouterProvider = {
  go: () => {
    const navigate = useNavigate();
    return useCallback(
      ({ to, type }) => {
        if (type === "path") return to ?? "";
        if (to !== undefined) void navigate(to, { replace: type === "replace" });
        return undefined;
      },
      [navigate],
    );
  },
  back: () => {
    const navigate = useNavigate();
    return useCallback(() => void navigate(-1), [navigate]);
  },
  parse: () => {
    const { pathname } = useLocation();
    const params = useParams();
    return useCallback(() => ({ pathname, params }), [pathname, params]);
  },
  Link,
};
