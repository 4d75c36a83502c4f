import { randomBytes } from "node:crypto";
import type { Queryable } from "#server/db/pool.ts";
import { hashSetupToken } from "./owners.ts";
import { hasSuperuser } from "./store.ts";

const TOKEN_BYTES = 32;
/** One that a killed process left behind ends by itself. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;
const RENEW_EVERY_MS = LIFETIME_MS / 4;

/** The link with which the owner's account is made: good at every process of the site, for as long as the one that printed it runs. */
export interface SetupLink {
  /** What it ends with. Undefined: the site has an owner, or its database can't tell. */
  token: string | undefined;
  /** The link ends. */
  close(): Promise<void>;
}

/**
 * Makes a link of this process's own, where nobody owns the site yet. Any link is spent when there is an owner. The database has its
 * hash. `every` in place of the process's own timers.
 */
export async function openSetupLink(deps: {
  pool: Queryable;
  now: () => Date;
  log: { warn(details: object, message: string): void };
  every?: (ms: number, work: () => Promise<void>) => () => void;
}): Promise<SetupLink> {
  const { pool, now, log, every = startTimer } = deps;
  const toExpiry = () => new Date(now().getTime() + LIFETIME_MS);
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error }, "the set-up link could not be written to the database");
    }
  };
  let token: string | undefined;
  // A database that can't be read stops no start.
  await attempt(async () => {
    if (await hasSuperuser(pool)) return;
    const made = randomBytes(TOKEN_BYTES).toString("base64url");
    await insertSetupLink(pool, made, { now: now(), expiresAt: toExpiry() });
    token = made;
  });
  const made = token;
  if (made === undefined) return { token, close: async () => undefined };
  const stop = every(RENEW_EVERY_MS, () => attempt(() => renewSetupLink(pool, made, toExpiry())));
  return {
    token,
    async close() {
      stop();
      await attempt(() => deleteSetupLink(pool, made));
    },
  };
}

function startTimer(ms: number, work: () => Promise<void>): () => void {
  const timer = setInterval(() => void work(), ms).unref();
  return () => clearInterval(timer);
}

/** Adds a link, and takes those away that nobody has renewed. */
export async function insertSetupLink(
  db: Queryable,
  token: string,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  await db.query("DELETE FROM setup_link WHERE expires_at <= $1", [now.toISOString()]);
  await db.query("INSERT INTO setup_link (token_hash, expires_at) VALUES ($1, $2)", [
    hashSetupToken(token),
    expiresAt.toISOString(),
  ]);
}

/** Nothing, where the link is spent. */
async function renewSetupLink(db: Queryable, token: string, expiresAt: Date): Promise<void> {
  await db.query("UPDATE setup_link SET expires_at = $2 WHERE token_hash = $1", [
    hashSetupToken(token),
    expiresAt.toISOString(),
  ]);
}

async function deleteSetupLink(db: Queryable, token: string): Promise<void> {
  await db.query("DELETE FROM setup_link WHERE token_hash = $1", [hashSetupToken(token)]);
}
