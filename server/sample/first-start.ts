import type pg from "pg";
import { withTransaction } from "#server/db/transaction.ts";
import { selectSeeds, takeSeeds } from "./store.ts";

/** The privacy notice is renewed where nobody edited it: once for each of these names, of which a newer text adds one. */
const PRIVACY_SEEDS = ["privacy-facts", "privacy-log", "privacy-cookies"] as const;
/** Each is put in at most once in the life of a database, also when it turned out that there was nothing to do. */
const SEEDS = ["pages", ...PRIVACY_SEEDS, "sample"] as const;

/**
 * Puts default pages, settings and the sample content into a database that hasn't had them, in one transaction.
 * A start over a database that has costs one query, and doesn't load the content.
 * @returns what was put in, undefined when nothing was due.
 */
export async function applyFirstStart(
  pool: pg.Pool,
  bytes: { put(key: string, content: Uint8Array): Promise<void> },
): Promise<{ rows: number; files: number } | undefined> {
  const applied = await selectSeeds(pool);
  if (SEEDS.every((name) => applied.includes(name))) return undefined;
  const [{ renewPrivacy, seedPages }, { seedSample }] = await Promise.all([
    import("./seed-pages.ts"),
    import("./seed-sample.ts"),
  ]);
  return withTransaction(pool, async (client) => {
    const due = await takeSeeds(client, SEEDS);
    if (due.includes("pages")) await seedPages(client);
    if (PRIVACY_SEEDS.some((name) => due.includes(name))) await renewPrivacy(client);
    return due.includes("sample") ? seedSample(client, bytes) : undefined;
  });
}
