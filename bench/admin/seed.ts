import type pg from "pg";
import { ensureAuditPartitions } from "#server/audit/months.ts";
import { applyMigrations } from "#server/db/migrate.ts";
import { WIDE_SQL } from "../console/wide.ts";
import { ARTICLE_INDEX_SQL, ARTICLE_SQL } from "./article.ts";
import { WORDS } from "./words.ts";

/** The salt makes hashes of one number independent of each other. */
const share = (number: string, salt: number) =>
  `((hashint8(${number} * 31 + ${salt}) & 2147483647) / 2147483648.0)`;
/** A word; its square makes the first words frequent. */
const word = (salt: number) =>
  `($2::text[])[1 + floor(cardinality($2::text[]) * power(${share("i", salt)}, 2))::int]`;

const USERS_SQL = `
  INSERT INTO account_user (username, email, password_hash, first_name, last_name, access_level_id, is_email_verified)
  SELECT 'reader_' || i, 'reader_' || i || '@example.org', 'none', 'Reader', i::text, l.id, true
  FROM generate_series(1, $1::integer) i, access_level l WHERE l.level = 1`;

/** 70 % published, 20 % drafts, 8 % archived, 2 % in review. */
const ARTICLES_SQL = `
  INSERT INTO bench_article (title, body, status, views, published_at, author)
  SELECT ${word(1)} || ' ' || ${word(2)} || ' ' || ${word(3)} || ' ' || i, repeat(md5((i * 7)::text) || ' ', 5),
         CASE WHEN ${share("i", 4)} < 0.7 THEN 'published' WHEN ${share("i", 4)} < 0.9 THEN 'draft'
              WHEN ${share("i", 4)} < 0.98 THEN 'archived' ELSE 'review' END,
         i % 10000, '2020-01-01T00:00:00Z'::timestamptz + (i * 97 % 200000) * interval '10 minutes', u.id
  FROM generate_series(1, $1::integer) i
  LEFT JOIN LATERAL (SELECT $3::integer + floor($4::integer * ${share("i", 5)})::int AS id) u ON true`;

/** An empty, migrated database becomes the bench's: users, articles written by them, indexes, statistics. */
export async function seed(pool: pg.Pool, amounts: { rows: number; users: number }): Promise<void> {
  await applyMigrations(pool);
  await ensureAuditPartitions(pool, new Date());
  await pool.query(USERS_SQL, [amounts.users]);
  const { rows } = await pool.query<{ first: number }>("SELECT min(id) AS first FROM account_user");
  await pool.query(ARTICLE_SQL);
  await pool.query(ARTICLES_SQL, [amounts.rows, WORDS, rows[0]?.first ?? 1, amounts.users]);
  await pool.query(ARTICLE_INDEX_SQL);
  await pool.query(WIDE_SQL);
  await pool.query("VACUUM ANALYZE bench_article");
  await pool.query("VACUUM ANALYZE account_user");
}
