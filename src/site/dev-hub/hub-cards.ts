import type { Language } from "#contract/languages.ts";
import type { Hub, HubProject } from "#contract/site/cv.ts";
import { takesStrangers } from "#contract/site/pages.ts";
import type { HubFeature, SiteInfo } from "#contract/site/site.ts";
import type hub from "#locales/en/hub.json";
import { toWebAddress } from "../../ui/links.tsx";
import type { TextKey } from "../../ui/public-text.ts";

/** The hub's locale file. It comes with the hub, so that readers of a CV don't pay for it. */
export type HubTexts = { hub: typeof hub };
export type HubTextKey = TextKey<HubTexts>;
export type HubText = (key: HubTextKey, vars?: Readonly<Record<string, string | number>>) => string;

/** A project of the owner, or something that runs on this site. */
export interface HubCard {
  key: string;
  title: string;
  text: string;
  tags: readonly string[];
  date: string | null;
  /** Of a project: an address anywhere. */
  href: string | null;
  /** Of what runs here: a path without the language prefix. */
  to: string | null;
  /** Only for who has an account, because a visitor can't make one: rooms of a site where not everybody may register. */
  needsAccount: boolean;
  /** What stands in the picture's place. */
  picture: "voice" | HubProject["pictures"];
}

function toFeatureCard(feature: HubFeature, needsAccount: boolean, t: HubText): HubCard {
  switch (feature) {
    case "voice-chat":
      return {
        key: feature,
        title: t("hub:voiceChat.title"),
        text: t("hub:voiceChat.text"),
        tags: [
          t("hub:voiceChat.realTime"),
          t("hub:voiceChat.participants"),
          t("hub:voiceChat.audioMonitoring"),
        ],
        date: null,
        href: null,
        to: "/rooms",
        needsAccount,
        picture: "voice",
      };
  }
}

/** The owner's projects in their order, and behind them what runs on this site. */
export function toCards(
  { projects }: Hub,
  { features, registration }: Pick<SiteInfo, "features" | "registration">,
  t: HubText,
): HubCard[] {
  const own = projects.map(({ id, name, text, tags, date, url, pictures }) => ({
    key: String(id),
    title: name,
    text,
    tags,
    date,
    href: toWebAddress(url),
    to: null,
    needsAccount: false,
    picture: pictures,
  }));
  return [...own, ...features.map((feature) => toFeatureCard(feature, !takesStrangers(registration), t))];
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
