import type { SiteInfo } from "#contract/site/site.ts";

/** What a page shows of a site, with every link there. */
export const SITE_INFO: SiteInfo = {
  author: "Ada",
  email: "ada@foyer.example",
  github: "https://github.com/ada",
  linkedin: "https://www.linkedin.com/in/ada",
  steam: null,
  map_search: "https://maps.test/?q=",
  features: ["voice-chat"],
  pages: [
    { slug: "terms", title: "Terms", lang: null, place: "footer" },
    { slug: "privacy", title: "Privacy", lang: null, place: "footer" },
  ],
  front: "/cv",
  has_sample: false,
  preview: "/preview/en.jpg?v=1",
  words: {},
  registration: "open",
};
