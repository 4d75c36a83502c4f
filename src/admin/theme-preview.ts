import type { AccountProfile } from "#contract/accounts.ts";

export type Theme = AccountProfile["admin_theme"];

let shown: Theme | null = null;
const listeners = new Set<() => void>();

/** A theme that was just chosen, drawn before the profile has it; null: the profile's own counts. */
export function getThemePreview(): Theme | null {
  return shown;
}

export function setThemePreview(theme: Theme | null): void {
  shown = theme;
  for (const listener of listeners) listener();
}

/** @returns how to stop. */
export function subscribeThemePreview(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
