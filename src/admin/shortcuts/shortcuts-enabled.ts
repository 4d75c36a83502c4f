import { createSafeStorage } from "#providers/safe-storage.ts";

const ENABLED_KEY = "admin-shortcuts";
const OFF = "off";

const storage = createSafeStorage();
const enabledListeners = new Set<() => void>();

/**
 * Whether shortcuts of single keys work in this browser (WCAG 2.1.4: who speaks to the computer, or hits keys by accident,
 * must be able to turn them off). Those with Ctrl or ⌘ always do.
 */
export function isShortcutsEnabled(): boolean {
  return storage.getItem(ENABLED_KEY) !== OFF;
}

export function setShortcutsEnabled(isEnabled: boolean): void {
  if (isEnabled) storage.removeItem(ENABLED_KEY);
  else storage.setItem(ENABLED_KEY, OFF);
  for (const listener of enabledListeners) listener();
}

/** Calls `listener` after each change, of other tabs too. @returns how to stop. */
export function subscribeShortcutsEnabled(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => event.key === ENABLED_KEY && listener();
  enabledListeners.add(listener);
  window.addEventListener("storage", onStorage);
  return () => {
    enabledListeners.delete(listener);
    window.removeEventListener("storage", onStorage);
  };
}
