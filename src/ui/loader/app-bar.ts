import { toLanguage } from "#contract/languages.ts";
import {
  type KeyStorage,
  mirrorPreferredLanguage,
  savePreferredLanguage,
} from "#providers/browser-storage.ts";

/** Closes an open `<details data-menu>` by Escape, by a click elsewhere, or when the focus leaves it. */
export function runMenus(): void {
  const closeExcept = (inside: EventTarget | null, isFocusKept: boolean) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>("details[data-menu][open]")) {
      if (inside instanceof Node && menu.contains(inside)) continue;
      const hadFocus = menu.contains(document.activeElement);
      menu.open = false;
      if (hadFocus && isFocusKept) menu.querySelector("summary")?.focus();
    }
  };
  document.addEventListener("click", ({ target }) => closeExcept(target, false));
  document.addEventListener("focusin", ({ target }) => closeExcept(target, false));
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") closeExcept(null, true);
  });
}

/**
 * Remembers the language that a visitor picks, for this browser and for the server, which draws `/cv` in it from then
 * on. The links of the picker work without it: they lead to the fixed address of the language.
 */
export function runLanguage(storage: KeyStorage): void {
  mirrorPreferredLanguage(storage);
  document.addEventListener("click", ({ target }) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[data-language]") : null;
    if (!link) return;
    savePreferredLanguage(storage, toLanguage(link.dataset.language));
    // Where one was going after logging in, what one searched for.
    link.search = location.search;
    link.hash = location.hash;
  });
}
