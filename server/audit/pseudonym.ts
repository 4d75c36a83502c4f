import type { Language } from "#contract/languages.ts";
import en from "#locales/en/audit.json" with { type: "json" };
import tr from "#locales/tr/audit.json" with { type: "json" };

const WORDS: Record<Language, string> = { en: en.deleted_account, tr: tr.deleted_account };
/** No username holds a blank, so that nobody can take a pseudonym for a name. */
const STORED = new RegExp(`^${WORDS.en} (\\d+)$`);

/** Who an account is to the log once it is deleted: its number, which no other account ever gets. */
export function toPseudonym(userId: number): string {
  return `${WORDS.en} ${userId}`;
}

/** A stored pseudonym in the reader's language; any other name as it is. */
export function toShownName<Name extends string | null>(name: Name, lang: Language): Name | string {
  const number = name === null ? undefined : STORED.exec(name)?.[1];
  return number === undefined ? name : `${WORDS[lang]} ${number}`;
}

/** Whom an entry calls the person with this number, where there is no account of theirs any more. */
export function toDeletedPerson(userId: number, lang: Language): { id: number; username: string } {
  return { id: userId, username: toShownName(toPseudonym(userId), lang) };
}
