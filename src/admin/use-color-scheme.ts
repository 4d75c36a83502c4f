import { useEffect, useSyncExternalStore } from "react";
import { useMedia } from "./parts/use-media.ts";
import type { AdminServices } from "./services.ts";
import type { ColorScheme } from "./tokens.ts";

type Theme = ColorScheme | "auto";

/** The theme that the signed-in person's profile names, followed while it changes; the document is told of it. */
export function useProfileTheme(session: AdminServices["session"]): Theme {
  const theme = useSyncExternalStore(
    session.subscribe,
    () => session.getAuthState()?.user.profile.admin_theme ?? "auto",
  );
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
