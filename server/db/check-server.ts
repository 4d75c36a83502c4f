import { DatabaseStartError } from "./embedded/start-error.ts";
import type { Queryable } from "./pool.ts";

const OLDEST_MAJOR = 15;

/** Refuses servers that are too old, hold text otherwise than UTF-8, or lack the collations that lists are sorted by. @returns the version, such as 18.4 */
export async function checkServer(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ version: string; encoding: string; collations: string }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
            (SELECT count(*) FROM pg_collation WHERE collname IN ('en-x-icu', 'tr-x-icu')) AS collations`,
  );
  const { version = "", encoding = "", collations = "0" } = rows[0] ?? {};
  if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
    throw new DatabaseStartError(`PostgreSQL ${version} is too old: Foyer needs ${OLDEST_MAJOR} or newer.`);
  }
  if (encoding !== "UTF8")
    throw new DatabaseStartError(`The database holds text as ${encoding}: create it with ENCODING 'UTF8'.`);
  if (Number(collations) < 2)
    throw new DatabaseStartError("This PostgreSQL was built without ICU, which Turkish sorting needs.");
  return version.split(" ")[0] ?? version;
}

/** What a driver or the system says, in words for the terminal. */
export function toStartError(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string }; // pg's and Node's errors have these
  if (error instanceof DatabaseStartError || !code) return error;
  return new DatabaseStartError(`The database cannot be used (${code}): ${message ?? ""}`, { cause: error });
}
