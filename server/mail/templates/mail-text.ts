import type { Language } from "#contract/languages.ts";
import en from "#locales/en/mail.json" with { type: "json" };
import tr from "#locales/tr/mail.json" with { type: "json" };

/** Texts of mails, by language. */
export const MAIL_TEXTS: Readonly<Record<Language, typeof en>> = { en, tr };

/** Puts values into the `{{slots}}` of a text. Values are shown in one line. */
export function fill(text: string, vars: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (slot, name: string) => String(vars[name] ?? slot));
}

/** An ISO moment in words, with its time zone: whoever reads it may be anywhere. */
export function toMomentText(moment: string, lang: Language): string {
  const format = new Intl.DateTimeFormat(lang, {
    dateStyle: "long",
    timeStyle: "short",
    hourCycle: "h23",
    timeZone: "UTC",
  });
  return `${format.format(new Date(moment))} UTC`;
}
