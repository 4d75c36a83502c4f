import type { KeyStorage } from "#providers/browser-storage.ts";

const KEY = "theme-preference";

/** The choice as it is stored (specification A section 3): in system mode the operating system's setting counts. */
interface ThemePreference {
  isDark: boolean;
  isSystem: boolean;
}

/** Anything that isn't a choice counts as none. The inline script of index.html reads it the same way. */
function readPreference(storage: KeyStorage): ThemePreference {
  try {
    const saved: unknown = JSON.parse(storage.getItem(KEY) ?? "null");
    if (saved && typeof saved === "object" && "isSystem" in saved && "isDark" in saved)
      return { isDark: saved.isDark === true, isSystem: saved.isSystem !== false };
  } catch {
    // Something else stands under this key.
  }
  return { isDark: false, isSystem: true };
}

/** Light, dark or system, live: the toggle, the operating system's setting and other tabs change it. */
export function runTheme(root: HTMLElement, storage: KeyStorage): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let preference = readPreference(storage);
  const isDark = () => (preference.isSystem ? system.matches : preference.isDark);

  function apply() {
    root.classList.toggle("dark", isDark());
    root.dataset.theme = isDark() ? "dark" : "light";
    // The browser's own bar follows the system by itself, a choice against it only so.
    if (preference.isSystem) return;
    for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
      bar.content = getComputedStyle(document.body).backgroundColor;
  }

  function readAgain() {
    preference = readPreference(storage);
    apply();
  }

  system.addEventListener("change", apply);
  addEventListener("storage", readAgain);
  // Back may show this page as it was left, before the choice was made on another one.
  addEventListener("pageshow", readAgain);
  // Delegated: it works before the page is hydrated, and React never knows of the theme.
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element && target.closest("[data-theme-toggle]"))) return;
    preference = { isDark: !isDark(), isSystem: false };
    storage.setItem(KEY, JSON.stringify(preference));
    apply();
  });
  apply();
}
