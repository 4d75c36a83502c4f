import type { Language } from "#contract/languages.ts";

/** Where the public site begins. */
export function toSiteAddress(lang: Language): string {
  return `/${lang}/cv`;
}
