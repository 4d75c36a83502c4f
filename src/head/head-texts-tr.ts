import head from "#locales/tr/head.json" with { type: "json" };
import type { HeadTexts } from "../ui/public-text.ts";

export const texts: HeadTexts = { head };
