import { createContext, use } from "react";
import type { Language } from "#contract/languages.ts";
import type { SiteInfo } from "#contract/site/site.ts";
import type { PublicText } from "./public-text.ts";

/** What every part of a public page may know: where it stands, whose page it is, and how to say things. */
export interface Page {
  lang: Language;
  /** Language part of the address; links to other pages keep it. */
  prefix: "" | `/${Language}`;
  /** Path without the prefix. */
  path: string;
  /** `YYYY-MM-DD`: drawing never reads the clock. */
  today: string;
  site: SiteInfo;
  /** Something on it came with the product. */
  hasSample: boolean;
  t: PublicText;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = use(PageContext);
  if (!page) throw new Error("usePage is called outside of PageContext.");
  return page;
}
