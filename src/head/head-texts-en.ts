import head from "#locales/en/head.json" with { type: "json" };
import type { HeadTexts } from "../ui/public-text.ts";

export const texts: HeadTexts = { head };
