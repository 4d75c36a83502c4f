import { toLanguage } from "#contract/languages.ts";
import { mirrorPreferredLanguage, savePreferredLanguage } from "#providers/preferred-language.ts";
import type { KeyStorage } from "#providers/safe-storage.ts";

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
