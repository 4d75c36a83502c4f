import hub from "#locales/en/hub.json" with { type: "json" };
import type { HubTexts } from "./hub-cards.ts";

export const texts: HubTexts = { hub };
