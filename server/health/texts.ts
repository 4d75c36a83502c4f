import type { Language } from "#contract/languages.ts";
import en from "#locales/en/health.json" with { type: "json" };
import tr from "#locales/tr/health.json" with { type: "json" };
/** Name of a text of `health` in `locales/`. */
export type FindingText = keyof typeof en;

const TEXTS: Record<Language, Record<FindingText, string>> = { en, tr };

/** Why a part of the site isn't healthy; empty where it is. */
export function toFindingText(
  { reason, vars = {} }: { reason?: FindingText; vars?: Record<string, string | number> },
  lang: Language,
): string {
  if (!reason) return "";
  return TEXTS[lang][reason].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(vars[name] ?? ""));
}
