import { useMedia } from "./parts/use-media.ts";
import type { ColorScheme } from "./tokens.ts";

/** The scheme to draw in: the profile's own, or for `auto` the system's. */
export function useColorScheme(theme: ColorScheme | "auto"): ColorScheme {
  const isSystemDark = useMedia("(prefers-color-scheme: dark)");
  if (theme !== "auto") return theme;
  return isSystemDark ? "dark" : "light";
}
