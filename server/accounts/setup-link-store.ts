import { createHash } from "node:crypto";
import type { Queryable } from "#server/db/pool.ts";

/** The token is long and random: a plain hash suffices. */
const hash = (token: string) => createHash("sha256").update(token).digest("base64url");

/** Adds a link, and takes those away that nobody has renewed. */
export async function insertSetupLink(
  db: Queryable,
  token: string,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  await db.query("DELETE FROM setup_link WHERE expires_at <= $1", [now.toISOString()]);
  await db.query("INSERT INTO setup_link (token_hash, expires_at) VALUES ($1, $2)", [
    hash(token),
    expiresAt.toISOString(),
  ]);
}

/** Nothing, where the link is spent. */
export async function renewSetupLink(db: Queryable, token: string, expiresAt: Date): Promise<void> {
  await db.query("UPDATE setup_link SET expires_at = $2 WHERE token_hash = $1", [
    hash(token),
    expiresAt.toISOString(),
  ]);
}

/** Whether it is the token of a link that is good at a moment. */
export async function hasSetupLink(db: Queryable, token: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query("SELECT FROM setup_link WHERE token_hash = $1 AND expires_at > $2", [
    hash(token),
    now.toISOString(),
  ]);
  return rowCount === 1;
}

export async function deleteSetupLink(db: Queryable, token: string): Promise<void> {
  await db.query("DELETE FROM setup_link WHERE token_hash = $1", [hash(token)]);
}

/** All of them: the site has an owner. */
export async function deleteSetupLinks(db: Queryable): Promise<void> {
  await db.query("DELETE FROM setup_link");
}
