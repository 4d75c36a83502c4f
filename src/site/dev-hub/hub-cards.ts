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
