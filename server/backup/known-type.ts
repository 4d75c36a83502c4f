import pg from "pg";
import type { Queryable } from "#server/db/pool.ts";

/** Lengths and precisions: `(10)`, `(8,2)`. */
const MODIFIER = /\(\d+(?:,-?\d+)?\)/;
const SYNTAX_ERROR = "42601";

interface TypeNames {
  /** As SQL of a column without length: `bpchar`, where `character` alone would be one character. */
  bare: string | null;
  name: string | null;
}

async function readNames(db: Queryable, type: string): Promise<TypeNames | undefined> {
  await db.query("SAVEPOINT known_type");
  try {
    const { rows } = await db.query<TypeNames>(
      "SELECT format_type(to_regtype($1), -1) AS bare, to_regtype($1)::text AS name",
      [type],
    );
    return rows[0];
  } catch (error) {
    // A name that only another PostgreSQL, or an extension that is missing here, can read.
    if (!(error instanceof pg.DatabaseError) || error.code !== SYNTAX_ERROR) throw error;
    await db.query("ROLLBACK TO SAVEPOINT known_type");
    return undefined;
  }
}

/**
 * A type by the name that the backup gives, as PostgreSQL itself writes it: that text becomes SQL. A type that isn't there
 * becomes text, which holds the values of any. Inside the caller's transaction.
 */
export async function toKnownType(db: Queryable, type: string): Promise<string> {
  const names = await readNames(db, type);
  if (!names?.bare) return "text";
  // Its own name and digits: nothing else is in it.
  return MODIFIER.test(type) && type.replace(MODIFIER, "") === names.name ? type : names.bare;
}
