import type { Language } from "#contract/languages.ts";
import type { HubCard } from "./hub-cards.ts";

/**
 * Lower case by the rules of the language and by those of all others: in Turkish `I` is a capital `ı`, and yet `WIFI` in
 * a Turkish text is `wifi`, and who has no `ı` on the keyboard types `i`.
 */
function toSearchable(text: string, lang: Language): string[] {
  const whole = text.normalize("NFC");
  return [whole.toLocaleLowerCase(lang), whole.toLowerCase()];
}

function hasWord(card: HubCard, word: string, lang: Language): boolean {
  const words = toSearchable(word, lang);
  return [card.title, card.text, ...card.tags].some((text) =>
    toSearchable(text, lang).some((form, index) => form.includes(words[index] ?? "")),
  );
}

/** The cards that have every word of the query in their title, description or tags, in any case (specification A 2.6). */
export function filterCards(cards: readonly HubCard[], query: string, lang: Language): HubCard[] {
  const words = query.split(/\s+/).filter(Boolean);
  return cards.filter((card) => words.every((word) => hasWord(card, word, lang)));
}
