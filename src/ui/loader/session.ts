import { AUTH_STATE_KEY } from "#providers/storage-keys.ts";

/**
 * Signs out on a click on `[data-sign-out]`, before and after hydration, and shows when another tab has signed out
 * (`<html data-session>` is set by the inline script of index.html).
 */
export function runSession(root: HTMLElement, signOut: () => Promise<void>): void {
  addEventListener("storage", ({ key, newValue }) => {
    if (key === null || (key === AUTH_STATE_KEY && newValue === null)) delete root.dataset.session;
  });
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>("[data-sign-out]") : null;
    if (!button || button.disabled) return;
    button.disabled = true;
    signOut().catch((error: unknown) => {
      button.disabled = false;
      console.error("Signing out failed.", error);
    });
  });
}
