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

/** The settings as they are stored, undefined while nobody has written any. */
export async function selectSettings(db: Queryable): Promise<SettingsRow | undefined> {
  const { rows } = await db.query<SettingsRow>(
    `SELECT author, email, github_url, linkedin_url, steam_url, map_search_url, shows_voice_chat FROM site_settings`,
  );
  return rows[0];
}

type LocalizedRow = { en: string | null; tr: string | null } | null;

export interface OwnerRow {
  name: string | null;
  email: string | null;
  title: LocalizedRow;
  tagline: LocalizedRow;
  district: LocalizedRow;
  province: LocalizedRow;
  /** Key of a stored file. */
  photo: string | null;
  links: { network: string | null; url: string | null }[];
}

/** What the CV says of its owner: the settings fall back to it, link previews show it. Empty while there is no profile. */
export async function selectOwner(db: Queryable): Promise<OwnerRow | undefined> {
  const { rows } = await db.query<OwnerRow>(
    `SELECT p.name, p.email, p.title, p.tagline, p.district, p.province, p.photo,
       (SELECT coalesce(json_agg(json_build_object('network', network, 'url', url) ORDER BY position, id), '[]')
          FROM cv_link WHERE NOT is_hidden) AS links
     FROM (VALUES (1)) one LEFT JOIN cv_profile p ON true`,
  );
  return rows[0];
}

export interface PageRow {
  slug: string;
  title: LocalizedRow;
  body: LocalizedRow;
  updated_at: string;
}

export async function selectPage(db: Queryable, slug: string): Promise<PageRow | undefined> {
  const { rows } = await db.query<PageRow>(
    "SELECT slug, title, body, updated_at FROM site_page WHERE slug = $1",
    [slug],
  );
  return rows[0];
}
