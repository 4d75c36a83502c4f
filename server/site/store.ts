import type { LocalizedText } from "#contract/languages.ts";
import type { RegistrationMode } from "#contract/site/site.ts";
import type { Queryable } from "#server/db/pool.ts";

export interface SettingsRow {
  author: string | null;
  email: string | null;
  github_url: string | null;
  linkedin_url: string | null;
  steam_url: string | null;
  map_search_url: string;
  shows_voice_chat: boolean;
}

/** What pages and mails say in the owner's name; null or an empty side: the product's own words. */
export interface WordingRow {
  contact_intro: LocalizedText | null;
  contact_thanks: LocalizedText | null;
  shows_reply_time: boolean;
  reply_time: LocalizedText | null;
  contact_ways: LocalizedText | null;
  contact_follow: LocalizedText | null;
  receipt: LocalizedText | null;
  mail_greeting: LocalizedText | null;
  mail_signature: LocalizedText | null;
}

export interface OwnerRow {
  name: string | null;
  email: string | null;
  title: LocalizedText | null;
  tagline: LocalizedText | null;
  district: LocalizedText | null;
  province: LocalizedText | null;
  /** Key of a stored file. */
  photo: string | null;
  links: { network: string | null; url: string | null }[];
}

export interface SiteRow extends OwnerRow {
  /** Null while nobody has written any. */
  settings: SettingsRow | null;
  wording: WordingRow | null;
  /** Null while nobody has chosen. */
  registration: RegistrationMode | null;
}

/** Every page that isn't cached reads this. Named and without parameters: PostgreSQL plans it once a connection. */
const SELECT_SITE = {
  name: "site",
  text: `SELECT p.name, p.email, p.title, p.tagline, p.district, p.province, p.photo,
       (SELECT coalesce(json_agg(json_build_object('network', network, 'url', url) ORDER BY position, id), '[]')
          FROM cv_link WHERE NOT is_hidden) AS links,
       (SELECT to_json(s) FROM site_settings s) AS settings,
       (SELECT to_json(w) FROM site_wording w) AS wording,
       (SELECT mode FROM account_registration) AS registration
     FROM (VALUES (1)) one LEFT JOIN cv_profile p ON true`,
};

/** The settings, and what the CV says of its owner: the settings fall back to it, link previews show it. */
export async function selectSite(db: Queryable): Promise<SiteRow> {
  const { rows } = await db.query<SiteRow>(SELECT_SITE);
  if (!rows[0]) throw new Error("a statement that always has a row gave none");
  return rows[0];
}

export interface PageRow {
  slug: string;
  title: LocalizedText | null;
  body: LocalizedText | null;
  updated_at: string;
}

export async function selectPage(db: Queryable, slug: string): Promise<PageRow | undefined> {
  const { rows } = await db.query<PageRow>(
    "SELECT slug, title, body, updated_at FROM site_page WHERE slug = $1",
    [slug],
  );
  return rows[0];
}
