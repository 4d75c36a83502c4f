import { AUTH_STATE_KEY, REFRESH_TOKEN_KEY } from "#providers/browser-storage.ts";
import type { KeyStorage } from "#providers/safe-storage.ts";
import { showPerson } from "./show-person.ts";

/**
 * Signs out on a click on `[data-sign-out]`, before and after hydration, and shows when a session began or ended in another
 * tab or on a page after this one.
 */
export function runSession(root: HTMLElement, storage: KeyStorage, signOut: () => Promise<void>): void {
  function check() {
    try {
      const state = storage.getItem(REFRESH_TOKEN_KEY) && storage.getItem(AUTH_STATE_KEY);
      showPerson(root, JSON.parse(state ?? "").user);
    } catch {
      showPerson(root, null);
    }
  }

  addEventListener("storage", check);
  // Back may show this page as it was left.
  addEventListener("pageshow", check);
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>("[data-sign-out]") : null;
    if (!button || button.disabled) return;
    button.disabled = true;
    signOut().catch((error: unknown) => {
      // Without the app: this browser forgets the session all the same, as providers/http/session.ts does without the server.
      storage.removeItem(REFRESH_TOKEN_KEY);
      storage.removeItem(AUTH_STATE_KEY);
      check();
      button.disabled = false;
      console.error("Signing out failed.", error);
    });
  });
}
