import { AUTH_STATE_KEY, type KeyStorage, REFRESH_TOKEN_KEY } from "#providers/browser-storage.ts";

/** What of a remembered person the page shows before any of its screens is here. */
interface RememberedPerson {
  access_level: number;
  username?: string;
  display_name?: string;
}

/**
 * Shows whose page this is: `<html data-session>` for the header, `--known-name` for the profile that is on its way. The inline
 * script of index.html does the same before the first drawing.
 */
export function showPerson({ dataset, style }: HTMLElement, person: RememberedPerson | null): void {
  const name = person?.display_name || person?.username;
  if (person) dataset.session = person.access_level >= 10 ? "admin" : "user";
  else delete dataset.session;
  if (name) style.setProperty("--known-name", JSON.stringify(name));
  else style.removeProperty("--known-name");
}

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
