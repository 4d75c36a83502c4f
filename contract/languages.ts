/** The two languages of the product. The first is what everything falls back to. */
export const LANGUAGES = ["en", "tr"] as const;
export type Language = (typeof LANGUAGES)[number];

/** A text in both languages; a missing or empty side falls back to the other one where it is shown. */
export type LocalizedText = Record<Language, string | null>;

/** Where the browser keeps the choice (specification A section 9); mirrored in a cookie of the same name. */
export const LANGUAGE_KEY = "preferred-language";

/** Anything that is not a known language is English (specification A section 2.4). */
export function toLanguage(value: unknown): Language {
  return value === "tr" ? "tr" : "en";
}

/** The language in which a text is shown to readers of `lang`: the other one where it has none in theirs. */
export function pickLanguage(text: LocalizedText | null | undefined, lang: Language): Language {
  const other = lang === "en" ? "tr" : "en";
  return !text?.[lang] && text?.[other] ? other : lang;
}

/** The text to show in a language: its own side, else the other one, else an empty string. */
export function pickText(text: LocalizedText | null | undefined, lang: Language): string {
  return text?.[pickLanguage(text, lang)] || "";
}
