import type pg from "pg";
import { LANGUAGES, type Language, type LocalizedText, pickLanguage, pickText } from "#contract/languages.ts";
import { toShades } from "#contract/site/accent.ts";
import type { HubFeature, Look, OwnerWords, SiteInfo, TextPage } from "#contract/site/site.ts";
import { AppError, type FieldFault } from "#server/base/errors.ts";
import { FILE_PREFIX } from "#server/models/kinds/file.ts";
import type { PictureService } from "#server/pictures/service.ts";
import { hasSampleRows } from "#server/sample/service.ts";
import { drawPictures } from "./draw-pictures.ts";
import { toLook } from "./look.ts";
import type { Markdown } from "./markdown.ts";
import {
  type OwnerRow,
  type PageRow,
  type SiteRow,
  selectPage,
  selectSite,
  type WordingRow,
} from "./store.ts";

/** Models that every public page depends on through the site's own data. */
export const SITE_MODELS: readonly string[] = [
  "site.settings",
  "site.wording",
  "accounts.registration",
  "cv.profile",
  "cv.link",
];
export const PAGE_MODEL = "site.page";
const LOOK_MODEL = "site.look";
/** Models that every public page depends on: the above, its look, and those that its links and the front page come from. */
export const FRAME_MODELS: readonly string[] = [...SITE_MODELS, LOOK_MODEL, PAGE_MODEL, "cv.project"];

const HUB = "/dev";
const CV = "/cv";

const DEFAULT_MAP_SEARCH = "https://www.openstreetmap.org/search?query=";

/** A site that says nothing of itself. */
export const NO_SITE: SiteInfo = {
  author: "",
  email: null,
  github: null,
  linkedin: null,
  steam: null,
  map_search: DEFAULT_MAP_SEARCH,
  features: [],
  pages: [],
  front: CV,
  has_sample: false,
  preview: null,
  words: {},
  registration: "open",
};

/** What `/` leads to in a language: a page, unless it is hidden; else what is chosen, automatic the hub once it has projects. */
function toFront({ settings, has_projects }: SiteRow, lang: Language): string {
  const slug = settings?.[`front_slug_${lang}`];
  if (slug) return `/${slug}`;
  return { automatic: has_projects ? HUB : CV, cv: CV, dev: HUB }[settings?.[`front_${lang}`] ?? "automatic"];
}

const SLUG = /^[a-z0-9-]+$/;

export interface Preview {
  /** Another one whenever the picture would be another one. */
  version: string;
  /** A JPEG; undefined when it can't be drawn. */
  draw(): Promise<Uint8Array | undefined>;
}

type IconName = PictureService["icons"]["names"][number];

/** How the site looks, and the icons that stand for it. */
export interface Appearance {
  look: Look;
  /** Another one whenever the icons would be others. */
  iconVersion: string;
  openIcon(icon: IconName): ReturnType<PictureService["icons"]["open"]>;
}

/** What pages of text say of the site in `{name}`, by language and name. */
export type PageFacts = Readonly<Record<Language, ReadonlyMap<string, string>>>;

/** Puts the facts into a text. What is in braces and no fact stays as it is written. */
export function fillFacts(text: string, facts: ReadonlyMap<string, string>): string {
  return text.replace(/\{([a-z_]+)\}/g, (written, name: string) => facts.get(name) ?? written);
}

export interface SiteService {
  getSite(lang: Language): Promise<SiteInfo>;
  getAppearance(): Promise<Appearance>;
  iconNames: readonly IconName[];
  /** The picture that links to the site show in a language; undefined while the CV has no name. */
  getPreview(lang: Language): Promise<Preview | undefined>;
  /** A page of text, each part falling back to the other language; undefined when there is none. */
  getPage(slug: string, lang: Language): Promise<TextPage | undefined>;
  /**
   * A page as visitors would see it, of texts that aren't saved.
   * @throws AppError "validation_failed" where the text takes too long to lay out.
   */
  toDraftPage(row: PageRow, lang: Language): Promise<TextPage>;
  /** Lays the texts of a page out before they are saved. @returns what is wrong with them. */
  layOut(body: LocalizedText): Promise<FieldFault[]>;
}

/** Where the networks have people's pages. */
const NETWORK_HOSTS = {
  github: "github.com",
  linkedin: "linkedin.com",
  steam: "steamcommunity.com",
} as const;

/** The CV's link to a network, found by the name or the host that people write. */
function findLink(owner: OwnerRow, network: keyof typeof NETWORK_HOSTS): string | null {
  const host = NETWORK_HOSTS[network];
  const isThere = (url: string) => `.${URL.parse(url)?.hostname}`.endsWith(`.${host}`);
  const link = owner.links.find(
    ({ network: name, url }) => url !== null && (name?.trim().toLowerCase() === network || isThere(url)),
  );
  return link?.url ?? null;
}

/** The owner's words of pages in a language, without what they left to the product: a page that nobody changed carries nothing. */
function toOwnerWords(wording: WordingRow | null, lang: Language): OwnerWords {
  if (!wording) return {};
  const words = {
    intro: wording.contact_intro?.[lang],
    thanks: wording.contact_thanks?.[lang],
    reply: wording.shows_reply_time ? wording.reply_time?.[lang] : "",
    ways: wording.contact_ways?.[lang],
    follow: wording.contact_follow?.[lang],
  };
  const said = Object.entries(words).filter(([name, text]) => text || (name === "reply" && text === ""));
  return Object.fromEntries(said);
}

/** The owner's words of mails in a language; empty where they left them to the product. */
export function toMailWords(
  wording: WordingRow | null,
  lang: Language,
): { greeting: string; signature: string; receipt: string } {
  return {
    greeting: wording?.mail_greeting?.[lang] ?? "",
    signature: wording?.mail_signature?.[lang] ?? "",
    receipt: wording?.receipt?.[lang] ?? "",
  };
}

/** What the preview picture says; undefined while there is no name to say. */
function toPreviewContent(owner: SiteRow, lang: Language, publicUrl: string | undefined) {
  if (!owner.name) return undefined;
  const look = toLook(owner.look);
  const host = publicUrl && new URL(publicUrl).host;
  const address = [pickText(owner.district, lang), pickText(owner.province, lang)].filter(Boolean).join(", ");
  return {
    lang,
    name: owner.name,
    title: pickText(owner.title, lang),
    tagline: pickText(owner.tagline, lang),
    place: [host, address].filter(Boolean).join(" · "),
    accent: toShades(look.accent).light.accent,
    fonts: look.fonts,
    shape: look.picture_shape,
    photo: owner.photo && `${FILE_PREFIX}${owner.photo}`,
  };
}

const toSlowFault = (lang: Language): FieldFault => ({ field: `body.${lang}`, code: "text_too_slow" });

/** Settings of the site and its pages of text. What the settings leave empty comes from the CV. */
export function createSiteService(deps: {
  pool: pg.Pool;
  pictures: Pick<PictureService, "drawPreview" | "getPreviewVersion" | "getDrawnSize" | "icons">;
  publicUrl: string | undefined;
  facts: PageFacts;
  markdown: Markdown;
}): SiteService {
  const { pool, pictures, publicUrl, facts, markdown } = deps;

  function toPreview(owner: SiteRow, lang: Language): Preview | undefined {
    const content = toPreviewContent(owner, lang, publicUrl);
    return (
      content && {
        version: pictures.getPreviewVersion(content),
        draw: () => pictures.drawPreview(content),
      }
    );
  }

  /** The text that is laid out: the same for all who ask, so that its HTML is kept by it. */
  const toMarkdown = (body: LocalizedText | null, lang: Language) =>
    fillFacts(pickText(body, lang), facts[lang]);

  async function toTextPage(
    row: PageRow,
    lang: Language,
    toHtml: (text: string) => Promise<string>,
  ): Promise<TextPage> {
    return {
      slug: row.slug,
      lang,
      title: pickText(row.title, lang),
      title_lang: pickLanguage(row.title, lang),
      html_lang: pickLanguage(row.body, lang),
      html: await drawPictures(await toHtml(toMarkdown(row.body, lang)), pictures.getDrawnSize),
      updated_on: new Date(row.updated_at).toISOString().slice(0, 10),
    };
  }

  return {
    toDraftPage: (row, lang) =>
      toTextPage(row, lang, async (text) => {
        const html = await markdown.lay(text);
        if (html === undefined) throw new AppError("validation_failed", { fields: [toSlowFault(lang)] });
        return html;
      }),

    async layOut(body) {
      const faults: FieldFault[] = [];
      for (const lang of LANGUAGES) {
        const text = toMarkdown(body, lang);
        const html = await markdown.lay(text);
        if (html !== undefined) markdown.keep(text, html);
        else if (body[lang]) faults.push(toSlowFault(lang));
      }
      return faults;
    },

    async getSite(lang) {
      const [owner, hasSample] = await Promise.all([selectSite(pool), hasSampleRows(pool, SITE_MODELS)]);
      const { settings } = owner;
      const preview = toPreview(owner, lang);
      const features: HubFeature[] = settings?.shows_voice_chat === false ? [] : ["voice-chat"];
      return {
        author: settings?.author ?? owner.name ?? "",
        email: settings?.email ?? owner.email ?? null,
        github: settings?.github_url ?? findLink(owner, "github"),
        linkedin: settings?.linkedin_url ?? findLink(owner, "linkedin"),
        steam: settings?.steam_url ?? findLink(owner, "steam"),
        map_search: settings?.map_search_url || DEFAULT_MAP_SEARCH,
        features,
        pages: owner.linked.map(({ slug, title, place }) => {
          const own = pickLanguage(title, lang);
          return { slug, title: pickText(title, lang), lang: own === lang ? null : own, place };
        }),
        front: toFront(owner, lang),
        has_sample: hasSample,
        preview: preview ? `/preview/${lang}.jpg?v=${preview.version}` : null,
        words: toOwnerWords(owner.wording, lang),
        registration: owner.registration ?? "open",
      };
    },

    iconNames: pictures.icons.names,

    async getAppearance() {
      const row = await selectSite(pool);
      const look = toLook(row.look);
      const content = { ...look, name: row.settings?.author ?? row.name ?? "" };
      return {
        look,
        iconVersion: pictures.icons.getVersion(content),
        openIcon: (icon) => pictures.icons.open(content, icon),
      };
    },

    getPreview: async (lang) => toPreview(await selectSite(pool), lang),

    async getPage(slug, lang) {
      // What no page can be called is not asked for: PostgreSQL knows no text with a NUL in it.
      const row = SLUG.test(slug) ? await selectPage(pool, slug) : undefined;
      return row && toTextPage(row, lang, markdown.toHtml);
    },
  };
}
