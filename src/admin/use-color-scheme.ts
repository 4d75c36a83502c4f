import { useEffect, useSyncExternalStore } from "react";
import { useMedia } from "./parts/use-media.ts";
import type { ColorScheme } from "./preferences/antd-theme.ts";
import type { AdminServices } from "./services.ts";
import { getThemePreview, subscribeThemePreview, type Theme } from "./theme-preview.ts";

/**
 * The theme that the signed-in person's profile names, or the one that they have just chosen; followed while it changes, and
 * the document is told of it.
 */
export function useProfileTheme(session: AdminServices["session"]): Theme {
  const saved = useSyncExternalStore(
    session.subscribe,
    () => session.getAuthState()?.user.profile.admin_theme ?? "auto",
  );
  const theme = useSyncExternalStore(subscribeThemePreview, getThemePreview) ?? saved;
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  return theme;
}

/** The scheme to draw in: the profile's own, or for `auto` the system's. */
export function useColorScheme(theme: Theme): ColorScheme {
  const isSystemDark = useMedia("(prefers-color-scheme: dark)");
  if (theme !== "auto") return theme;
  return isSystemDark ? "dark" : "light";
}
