import { useSyncExternalStore } from "react";
import type { ColorScheme } from "./tokens.ts";

const DARK = "(prefers-color-scheme: dark)";

function subscribe(onChange: () => void): () => void {
  const query = window.matchMedia(DARK);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}

/** The scheme to draw in: the profile's own, or for `auto` the system's, followed while it changes. */
export function useColorScheme(theme: ColorScheme | "auto"): ColorScheme {
  const isSystemDark = useSyncExternalStore(subscribe, () => window.matchMedia(DARK).matches);
  if (theme !== "auto") return theme;
  return isSystemDark ? "dark" : "light";
}
