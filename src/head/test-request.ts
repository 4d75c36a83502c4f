import type { Language } from "#contract/languages.ts";
import type { Cv } from "#contract/site/cv.ts";
import type { PageData, PageRequest } from "#contract/site/pages.ts";
import { createText } from "#providers/text.ts";
import { SITE_INFO } from "#test/site-info.ts";
import { texts as en } from "../public-texts-en.ts";
import { texts as tr } from "../public-texts-tr.ts";
import type { HeadTextKey } from "../ui/public-text.ts";
import { buildHead } from "./build-head.ts";
import { texts as headEn } from "./head-texts-en.ts";
import { texts as headTr } from "./head-texts-tr.ts";

export const ORIGIN = "https://foyer.example";

/** A CV with something in every part. */
const CV: Cv = {
  lang: "en",
  has_sample: false,
  name: "Ada",
  title: "Engineer",
  tagline: "Small tools",
  description: "Ten years of back ends.",
  photo: "/files/ada.jpg",
  photo_sizes: [],
  email: "ada@foyer.example",
  website: "https://ada.example/",
  address: {
    province: "Ankara",
    district: "Çankaya",
    street: null,
    postal_code: null,
    country: null,
    country_code: null,
  },
  links: [{ network: "GitHub", url: "https://github.com/ada", username: "ada" }],
  confidences: [{ id: 1, label: "PostgreSQL", icon: null, level: null, keywords: [] }],
  experience: [
    {
      id: 1,
      role: "Lead",
      company: "Çınar",
      url: "https://cinar.example/",
      location: null,
      start_date: "2021-03",
      end_date: null,
      date: "Mar 2021 – present",
      company_description: null,
      description: "",
      highlights: [],
    },
    {
      id: 2,
      role: "Developer",
      company: "Before",
      url: null,
      location: null,
      start_date: "2018",
      end_date: "2021",
      date: "2018 – 2021",
      company_description: null,
      description: "",
      highlights: [],
    },
  ],
  education: [
    {
      id: 1,
      degree: "BSc",
      institution: "ODTÜ",
      url: null,
      start_date: "2010",
      end_date: "2014",
      date: "2010 – 2014",
      score: null,
      courses: [],
    },
  ],
  certificates: [
    { id: 1, label: "Kubernetes", issuer: "CNCF", date: "2023-05", file: null, thumbnails: [], url: null },
    {
      id: 2,
      label: "SQL",
      issuer: "",
      date: null,
      file: "/files/sql.pdf",
      thumbnails: [],
      url: "javascript:alert(1)",
    },
  ],
  sections: [
    { name: "skill", heading: "Tools", list: "confidences", person: null, fields: null, items: [] },
    { name: "experience", heading: "Experience", list: "experience", person: null, fields: null, items: [] },
    { name: "education", heading: "Education", list: "education", person: null, fields: null, items: [] },
    {
      name: "certificate",
      heading: "Certificates",
      list: "certificates",
      person: null,
      fields: null,
      items: [],
    },
  ],
};

/** One page for each screen of the product. */
const SCREENS: Readonly<Record<PageData["screen"], { path: string; data: PageData }>> = {
  cv: { path: "/cv", data: { screen: "cv", cv: CV } },
  contact: { path: "/contact", data: { screen: "contact", draft: null } },
  dev: { path: "/dev", data: { screen: "dev", hub: { has_sample: false, projects: [] } } },
  text: {
    path: "/terms",
    data: {
      screen: "text",
      page: {
        slug: "terms",
        lang: "en",
        title: "Terms",
        title_lang: "en",
        html_lang: "en",
        html: "<h2>First</h2>\n<p>Be <em>kind</em> &amp; fair.\nAlways.</p>\n<p>More.</p>",
        updated_on: "2026-11-20",
      },
    },
  },
  login: { path: "/login", data: { screen: "login" } },
  profile: { path: "/profile", data: { screen: "profile" } },
  register: { path: "/register", data: { screen: "register" } },
  waiting: { path: "/register/waiting", data: { screen: "waiting" } },
  "verify-email": { path: "/verify-email", data: { screen: "verify-email" } },
  "forgot-password": { path: "/forgot-password", data: { screen: "forgot-password" } },
  setup: { path: "/setup", data: { screen: "setup" } },
  admission: { path: "/register", data: { screen: "admission" } },
  unsubscribe: {
    path: "/api/mail/unsubscribe/abc",
    data: { screen: "unsubscribe", unsubscribe: { step: "ask", token: "abc", address: "a…@example.org" } },
  },
  rooms: { path: "/rooms", data: { screen: "rooms" } },
  room: { path: "/room", data: { screen: "room" } },
  "not-found": { path: "/not-found", data: { screen: "not-found" } },
};

export function toRequest(screen: PageData["screen"], more: Partial<PageRequest> = {}): PageRequest {
  return {
    ...SCREENS[screen],
    prefix: "",
    lang: "en",
    origin: ORIGIN,
    today: "2026-11-20",
    site: SITE_INFO,
    ...more,
  };
}

/** A CV page whose CV differs. */
export function toCvRequest(cv: Partial<Cv>, more: Partial<PageRequest> = {}): PageRequest {
  return toRequest("cv", { data: { screen: "cv", cv: { ...CV, ...cv } }, ...more });
}

export const TEXTS = { en: { ...en, ...headEn }, tr: { ...tr, ...headTr } };

export function getText(lang: Language) {
  return createText<HeadTextKey>(lang, TEXTS[lang]);
}

/** The head as a browser reads it. */
export function parseHead(request: PageRequest): HTMLHeadElement {
  return new DOMParser().parseFromString(buildHead(request, getText(request.lang)), "text/html").head;
}

/** The `content` of the `<meta>` with this name or property. */
export function getMeta(head: HTMLHeadElement, name: string): string | undefined {
  return (
    head.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute("content") ?? undefined
  );
}
