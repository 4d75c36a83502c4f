import { type ComponentType, useEffect, useState } from "react";
import { createSafeStorage } from "#providers/safe-storage.ts";

const storage = createSafeStorage(() => globalThis.sessionStorage);
const KEY = "login";

/** For the next page of this tab: somebody has just logged in. */
export const markLogin = () => storage.setItem(KEY, "1");

/** What is to be told once after a log-in, on the page where that leads. `load` brings it: other pages go without. */
export function LoginNotice({ load }: { load: () => Promise<ComponentType> }) {
  const [Body, setBody] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (!storage.getItem(KEY)) return;
    storage.removeItem(KEY);
    load().then((Loaded) => setBody(() => Loaded), console.warn);
  }, [load]);
  return Body && <Body />;
}
