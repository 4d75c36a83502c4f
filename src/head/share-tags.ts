import type { Language } from "#contract/languages.ts";
import type { PageRequest } from "#contract/page.ts";
import type { PageDescription } from "./describe-page.ts";

/** Attribute, name and value of a `<meta>`. */
export type MetaTag = readonly ["property" | "name", string, string];

const LOCALES: Record<Language, string> = { en: "en_US", tr: "tr_TR" };

/** The picture of the site's own preview (contract/site/site.ts), always of this size. */
const PICTURE = { width: "1200", height: "630", type: "image/jpeg" };

function toPictureTags(address: string, alt: string): MetaTag[] {
  return [
    ["property", "og:image", address],
    ["property", "og:image:type", PICTURE.type],
    ["property", "og:image:width", PICTURE.width],
    ["property", "og:image:height", PICTURE.height],
    ["property", "og:image:alt", alt],
    ["name", "twitter:image", address],
    ["name", "twitter:image:alt", alt],
  ];
}

/** Open Graph (ogp.me) and Twitter tags. `address` is null where the page has none of its own to share. */
export function toShareTags(
  { lang, data, site, origin }: PageRequest,
  { title, description }: PageDescription,
  address: string | null,
): MetaTag[] {
  const other = lang === "en" ? "tr" : "en";
  const tags: MetaTag[] = [
    ["property", "og:type", data.screen === "cv" ? "profile" : "website"],
    ["property", "og:title", title],
    ["property", "og:description", description],
    ["property", "og:url", address ?? ""],
    ["property", "og:site_name", site.author],
    ["property", "og:locale", LOCALES[lang]],
    ["property", "og:locale:alternate", LOCALES[other]],
    ["name", "twitter:card", site.preview ? "summary_large_image" : "summary"],
    ["name", "twitter:title", title],
    ["name", "twitter:description", description],
    ...(site.preview ? toPictureTags(`${origin}${site.preview}`, title) : []),
  ];
  return tags.filter(([, , content]) => content !== "");
}
