import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";

/** The query of this address; null while the page is as the server drew it, for all queries alike. */
export function useHydratedQuery(): URLSearchParams | null {
  const [query] = useSearchParams();
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => setIsHydrated(true), []);
  return isHydrated ? query : null;
}

/** The `redirect` of this address as the query of a link that leads to where the same target counts, or "". */
export function useRedirectQuery(): string {
  const redirect = useHydratedQuery()?.get("redirect");
  return redirect ? `?${new URLSearchParams({ redirect })}` : "";
}
