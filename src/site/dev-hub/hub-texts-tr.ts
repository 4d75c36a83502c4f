import hub from "#locales/tr/hub.json" with { type: "json" };
import type { HubTexts } from "./hub-cards.ts";

export const texts: HubTexts = { hub };
