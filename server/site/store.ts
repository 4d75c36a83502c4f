import type { LocalizedText } from "#contract/languages.ts";
import type { Look, RegistrationMode } from "#contract/site/site.ts";
import type { Queryable } from "#server/db/pool.ts";

export interface SettingsRow {
  author: string | null;
  email: string | null;
  github_url: string | null;
  linkedin_url: string | null;
  steam_url: string | null;
  map_search_url: string;
  shows_voice_chat: boolean;
  front_en: "automatic" | "cv" | "dev";
  front_tr: "automatic" | "cv" | "dev";
  /** Addresses of the pages that stand in their place: null where none is chosen, or where it is hidden. */
  front_slug_en: string | null;
  front_slug_tr: string | null;
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
  /** These two are null while nobody has chosen. */
  look: Look | null;
  registration: RegistrationMode | null;
  /** The developer hub has projects to show. */
  has_projects: boolean;
  /** Pages with a link in the bar or the footer, in their order. */
  linked: { slug: string; title: LocalizedText; place: "bar" | "footer" }[];
}

/** Every page that isn't cached reads this. Named and without parameters: PostgreSQL plans it once a connection. */
const SELECT_SITE = {
  name: "site",
  text: `SELECT p.name, p.email, p.title, p.tagline, p.district, p.province, p.photo,
       (SELECT coalesce(json_agg(json_build_object('network', network, 'url', url) ORDER BY position, id), '[]')
          FROM cv_link WHERE NOT is_hidden) AS links,
       (SELECT to_json(s) FROM (
          SELECT author, email, github_url, linkedin_url, steam_url, map_search_url, shows_voice_chat, front_en, front_tr,
            (SELECT slug FROM site_page WHERE id = front_page_en_id AND NOT is_hidden) AS front_slug_en,
            (SELECT slug FROM site_page WHERE id = front_page_tr_id AND NOT is_hidden) AS front_slug_tr
          FROM site_settings) s) AS settings,
       (SELECT to_json(w) FROM site_wording w) AS wording,
       (SELECT to_json(l) FROM (SELECT accent, fonts, picture_shape FROM site_look) l) AS look,
       (SELECT mode FROM account_registration) AS registration,
       EXISTS (SELECT FROM cv_project WHERE NOT is_hidden AND name IS NOT NULL) AS has_projects,
       (SELECT coalesce(json_agg(json_build_object('slug', slug, 'title', title, 'place', shown_in) ORDER BY position, id), '[]')
          FROM site_page WHERE NOT is_hidden AND shown_in <> 'none') AS linked
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

/** A page that visitors meet. */
export async function selectPage(db: Queryable, slug: string): Promise<PageRow | undefined> {
  const { rows } = await db.query<PageRow>(
    "SELECT slug, title, body, updated_at FROM site_page WHERE slug = $1 AND NOT is_hidden",
    [slug],
  );
  return rows[0];
}

/** Every address that leads to a page which visitors meet: `slug` is the page's own. In the order of the pages. */
export async function selectAddresses(db: Queryable): Promise<{ address: string; slug: string }[]> {
  const { rows } = await db.query<{ address: string; slug: string }>(
    `SELECT address, slug FROM (
       SELECT slug AS address, slug, position, id FROM site_page WHERE NOT is_hidden
       UNION ALL
       SELECT r.slug, p.slug, p.position, p.id FROM site_redirect r JOIN site_page p ON p.id = r.page_id WHERE NOT p.is_hidden
     ) addresses ORDER BY position, id, address`,
  );
  return rows;
}

/** A page as its writer has it. */
export interface PageValues {
  slug: string;
  title: LocalizedText;
  body: LocalizedText;
  shown_in: string;
  position: number;
  is_hidden: boolean;
}

/** Columns that people write, and the types of their parameters. */
const PAGE_COLUMNS: Readonly<Record<keyof PageValues, string>> = {
  slug: "text",
  title: "jsonb",
  body: "jsonb",
  shown_in: "text",
  position: "integer",
  is_hidden: "boolean",
};

function toColumns(values: Partial<PageValues>) {
  const names = (Object.keys(PAGE_COLUMNS) as (keyof PageValues)[]).filter(
    (name) => values[name] !== undefined,
  );
  return names.map((name) => ({ name, type: PAGE_COLUMNS[name], value: values[name] }));
}

/** Behind all others, unless it has a place. */
export async function insertPage(db: Queryable, values: Partial<PageValues>): Promise<{ id: number }> {
  const columns = toColumns(values);
  const names = columns.map(({ name }) => name);
  const placed = values.position === undefined ? ["foyer_next_place('site_page', 'position')"] : [];
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO site_page (${[...names, ...(placed.length > 0 ? ["position"] : [])].join(", ")})
     VALUES (${[...columns.map(({ type }, index) => `$${index + 1}::${type}`), ...placed].join(", ")}) RETURNING id`,
    columns.map(({ value }) => value),
  );
  if (!rows[0]) throw new Error("an insert without a condition made no row");
  return rows[0];
}

export async function updatePage(db: Queryable, id: number, values: Partial<PageValues>): Promise<void> {
  const columns = toColumns(values);
  const set = columns.map(({ name, type }, index) => `${name} = $${index + 2}::${type}`);
  await db.query(
    `UPDATE site_page SET ${[...set, "updated_at = clock_timestamp()"].join(", ")} WHERE id = $1`,
    [id, ...columns.map(({ value }) => value)],
  );
}

export async function deletePage(db: Queryable, id: number): Promise<void> {
  await db.query("DELETE FROM site_page WHERE id = $1", [id]);
}

/** Of these addresses those that pages have or had. */
export async function selectTaken(db: Queryable, slugs: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ slug: string }>(
    "SELECT slug FROM site_page WHERE slug = ANY($1) UNION SELECT slug FROM site_redirect WHERE slug = ANY($1)",
    [slugs],
  );
  return rows.map(({ slug }) => slug);
}

export async function selectSlug(db: Queryable, id: number): Promise<string | undefined> {
  const { rows } = await db.query<{ slug: string }>("SELECT slug FROM site_page WHERE id = $1", [id]);
  return rows[0]?.slug;
}

/** An old address, and the page that it leads to. */
export interface RedirectRow {
  id: number;
  slug: string;
  page_id: number;
}

/** One that another page had before leads to this one from now on. */
export async function insertRedirect(db: Queryable, slug: string, pageId: number): Promise<RedirectRow> {
  const { rows } = await db.query<RedirectRow>(
    `INSERT INTO site_redirect (slug, page_id) VALUES ($1, $2)
     ON CONFLICT (slug) DO UPDATE SET page_id = EXCLUDED.page_id, updated_at = clock_timestamp()
     RETURNING id, slug, page_id`,
    [slug, pageId],
  );
  if (!rows[0]) throw new Error("an upsert made no row");
  return rows[0];
}

/** @returns those that are gone now: of an address, or of a page. */
export async function deleteRedirects(
  db: Queryable,
  { slug = null, pageId = null }: { slug?: string | null; pageId?: number | null },
): Promise<RedirectRow[]> {
  const { rows } = await db.query<RedirectRow>(
    "DELETE FROM site_redirect WHERE slug = $1 OR page_id = $2 RETURNING id, slug, page_id",
    [slug, pageId],
  );
  return rows;
}
