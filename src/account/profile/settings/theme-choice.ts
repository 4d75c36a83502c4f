import type { KeyStorage } from "#providers/safe-storage.ts";

/** The documented key and shape (specification A section 3); the page's loader acts on it (src/ui/loader/theme.ts). */
const THEME_KEY = "theme-preference";

export const THEMES = ["auto", "light", "dark"] as const;
export type ThemeChoice = (typeof THEMES)[number];

/** The choice of this browser, which the page shows. */
export function readThemeChoice(storage: KeyStorage): ThemeChoice {
  try {
    const saved: unknown = JSON.parse(storage.getItem(THEME_KEY) ?? "null");
    if (saved && typeof saved === "object" && "isSystem" in saved && saved.isSystem === false)
      return "isDark" in saved && saved.isDark === true ? "dark" : "light";
  } catch {
    // Something else stands under this key.
  }
  return "auto";
}

/** Remembers a choice and shows it here at once; other tabs hear of it by themselves. */
export function saveThemeChoice(storage: KeyStorage, choice: ThemeChoice): void {
  const isSystem = choice === "auto";
  const isDark = isSystem ? window.matchMedia("(prefers-color-scheme: dark)").matches : choice === "dark";
  storage.setItem(THEME_KEY, JSON.stringify({ isDark, isSystem }));
  // The event that a change in another tab brings: the loader reads the choice again.
  window.dispatchEvent(new StorageEvent("storage", { key: THEME_KEY }));
}

/** Calls `listener` after the choice may have changed: by the page's own button, or in another tab. */
export function watchThemeChoice(listener: () => void): () => void {
  document.addEventListener("click", listener);
  window.addEventListener("storage", listener);
  return () => {
    document.removeEventListener("click", listener);
    window.removeEventListener("storage", listener);
  };
}
