import type { Choice } from "../field-declaration.ts";

/** The languages of the site, each in the reader's words. */
export const LANGUAGE_CHOICES: readonly Choice[] = [
  { value: "en", labels: { en: "English", tr: "İngilizce" } },
  { value: "tr", labels: { en: "Turkish", tr: "Türkçe" } },
];
