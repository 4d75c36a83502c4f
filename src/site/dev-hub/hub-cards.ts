import type { Language } from "#contract/languages.ts";
import type { HubFeature, SiteInfo } from "#contract/site/site.ts";
import type { PublicText } from "../../ui/public-text.ts";

/** One thing that runs on this site. */
export interface HubCard {
  feature: HubFeature;
  title: string;
  text: string;
  tags: readonly string[];
  /** Path without the language prefix. */
  to: string;
  /** It can be used by now. */
  isOpen: boolean;
}

function toCard(feature: HubFeature, t: PublicText): Omit<HubCard, "isOpen"> {
  switch (feature) {
    case "voice-chat":
      return {
        feature,
        title: t("site:dev.voiceChat.title"),
        text: t("site:dev.voiceChat.text"),
        tags: [
          t("site:dev.voiceChat.realTime"),
          t("site:dev.voiceChat.participants"),
          t("site:dev.voiceChat.audioMonitoring"),
        ],
        to: "/rooms",
      };
  }
}

export function toCards(site: Pick<SiteInfo, "features" | "open_features">, t: PublicText): HubCard[] {
  return site.features.map((feature) => ({
    ...toCard(feature, t),
    isOpen: site.open_features.includes(feature),
  }));
}

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
