import contact from "#locales/tr/contact.json" with { type: "json" };
import site from "#locales/tr/site.json" with { type: "json" };
import type { PublicTexts } from "./ui/public-text.ts";

export const texts: PublicTexts = { site, contact };
