import { createSafeStorage } from "#providers/browser-storage.ts";
import { runLanguage, runMenus } from "./ui/loader/app-bar.ts";
import { runHydration } from "./ui/loader/hydration.ts";
import { runSession } from "./ui/loader/session.ts";
import { runTheme } from "./ui/loader/theme.ts";

type App = typeof import("./entry-client.tsx");

/**
 * The app's chunk and what that imports (vite.config.ts writes `data-app`), fetched side by side and run one by one, each
 * in a task of its own: a tap in between is answered.
 */
async function loadApp(): Promise<App> {
  const list = document.querySelector<HTMLElement>("script[data-app]")?.dataset.app ?? "";
  const [app = "", ...parts] = list.split(" ");
  for (const href of parts)
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  for (const part of parts.reverse()) {
    await import(/* @vite-ignore */ part);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return import(/* @vite-ignore */ app) as Promise<App>; // the build wrote the address of this very module
}

// All that a public page runs before it is at rest (bench/size-budget.mjs keeps it small): theme, language and menus
// work from here on, also if the app itself never comes.
const storage = createSafeStorage();
runTheme(document.documentElement, storage);
runLanguage(storage);
runMenus();
runSession(document.documentElement, storage, async () => (await loadApp()).signOut());
runHydration(async () => (await loadApp()).hydrate());
