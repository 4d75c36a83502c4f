import type { AccountProfile } from "#contract/accounts.ts";

export type Theme = AccountProfile["admin_theme"];

let previewed: Theme | null = null;
const previewListeners = new Set<() => void>();

/** A theme that was just chosen, drawn before the profile has it; null: the profile's own counts. */
export function getThemePreview(): Theme | null {
  return previewed;
}

export function setThemePreview(theme: Theme | null): void {
  previewed = theme;
  for (const listener of previewListeners) listener();
}

/** @returns how to stop. */
export function subscribeThemePreview(listener: () => void): () => void {
  previewListeners.add(listener);
  return () => previewListeners.delete(listener);
}
