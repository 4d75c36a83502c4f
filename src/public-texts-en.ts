import contact from "#locales/en/contact.json" with { type: "json" };
import site from "#locales/en/site.json" with { type: "json" };
import type { PublicTexts } from "./ui/public-text.ts";

export const texts: PublicTexts = { site, contact };
