import type { Language } from "#contract/languages.ts";

/** Making a formatter costs more than a hundred uses of it; a page of a list needs a thousand texts. */
function remembered<Options, Format>(make: (lang: Language, options: Options) => Format) {
  const made = new Map<string, Format>();
  return (lang: Language, options: Options): Format => {
    const key = `${lang}${JSON.stringify(options)}`;
    const known = made.get(key) ?? make(lang, options);
    made.set(key, known);
    return known;
  };
}

export const getDateFormat = remembered(
  (lang, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(lang, options),
);
export const getNumberFormat = remembered(
  (lang, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(lang, options),
);
