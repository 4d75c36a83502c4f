import { type createBrowserRouter, createPath, resolvePath, type To } from "react-router";

type DataRouter = ReturnType<typeof createBrowserRouter>;

/**
 * An address that one is already at takes its own place in the history. React Router compares with the address that is drawn: of
 * two clicks that come faster than a screen is drawn both would add an entry, and what they open closes only at the second try.
 */
export function pushOnce(router: DataRouter): DataRouter {
  const navigate = router.navigate.bind(router);
  const isHere = (to: To | null) => {
    const { location } = router.state;
    return to !== null && createPath(resolvePath(to, location.pathname)) === createPath(location);
  };
  router.navigate = (to: To | number | null, options?: Parameters<typeof navigate>[1]) => {
    if (typeof to === "number") return navigate(to);
    return navigate(to, isHere(to) ? { ...options, replace: true } : options);
  };
  return router;
}
