import { useEffect, useState } from "react";
import { createSafeStorage } from "#providers/safe-storage.ts";
import { usePage } from "./page-context.tsx";

const tabStorage = createSafeStorage(() => globalThis.sessionStorage);
const FAREWELL_KEY = "farewell";

/** For the next page of this tab: whoever comes to it has just deleted their account. */
export const markFarewell = () => tabStorage.setItem(FAREWELL_KEY, "1");

/** Tells once that an account was deleted, on the page where that leads. */
export function Farewell() {
  const { path, t } = usePage();
  const [shownAt, setShownAt] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page that the tab came to, not those that follow
  useEffect(() => {
    if (tabStorage.getItem(FAREWELL_KEY) === null) return;
    tabStorage.removeItem(FAREWELL_KEY);
    setShownAt(path);
  }, []);
  if (shownAt !== path) return null;
  return (
    <p className="form-status" role="status">
      {t("site:layout.accountDeleted")}
    </p>
  );
}
