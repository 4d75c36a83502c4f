import type { Queryable } from "../pool.ts";

/** A lease as PostgreSQL gave it. `fence`: a bigint, so text. `at`: by its clock, as ISO text. */
export interface HeldRow {
  name: string;
  fence: string;
  at: string;
}

/**
 * Takes what is free and goes on with what is the holder's own, all in one statement; what others hold is left out of the answer.
 * A lease that ends later than any can was written before the database's clock went back: it counts as over.
 */
export async function takeLeases(
  db: Queryable,
  { names, holder, leaseMs }: { names: readonly string[]; holder: string; leaseMs: number },
): Promise<HeldRow[]> {
  const { rows } = await db.query<HeldRow>(
    `INSERT INTO work_lease AS held (name, holder, expires_at)
     SELECT name, $2::uuid, clock_timestamp() + $3::float8 * interval '1 ms' FROM unnest($1::text[]) AS wanted(name) ORDER BY name
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at,
       fence = held.fence + (held.holder <> excluded.holder OR held.expires_at <= clock_timestamp())::integer
     WHERE held.holder = excluded.holder OR held.expires_at <= clock_timestamp()
       OR held.expires_at > clock_timestamp() + 2 * $3::float8 * interval '1 ms'
     RETURNING name, fence, clock_timestamp() AS at`,
    [names, holder, leaseMs],
  );
  return rows;
}

/** Ends leases at once. Their rows stay: numbers go on, and notes are for the next holder. */
export async function endLeases(db: Queryable, names: readonly string[], holder: string): Promise<void> {
  await db.query(
    "UPDATE work_lease SET expires_at = '-infinity' WHERE name = ANY($1::text[]) AND holder = $2",
    [names, holder],
  );
}

/** False: somebody else has taken it since. */
export async function writeNote(
  db: Queryable,
  { name, fence, holder, note }: Pick<HeldRow, "name" | "fence"> & { holder: string; note: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    "UPDATE work_lease SET note = $4 WHERE name = $1 AND fence = $2 AND holder = $3",
    [name, fence, holder, note],
  );
  return rowCount === 1;
}

export async function selectNote(db: Queryable, name: string): Promise<string | undefined> {
  const { rows } = await db.query<{ note: string | null }>("SELECT note FROM work_lease WHERE name = $1", [
    name,
  ]);
  return rows[0]?.note ?? undefined;
}

/** Leases of processes and of work that ended long ago. */
export async function deleteOldLeases(db: Queryable): Promise<void> {
  await db.query(
    "DELETE FROM work_lease WHERE expires_at < clock_timestamp() - interval '1 day' AND note IS NULL",
  );
}

/** The name under which a process says that it lives. */
export const toProcessName = (processId: string) => `process ${processId}`;

/** SQL that is true while a process lives. `id`: SQL of its id. `own`: of the asking process, which lives. */
export function isAliveSql(id: string, own: string): string {
  return `(${id} = ${own} OR EXISTS (
    SELECT FROM work_lease WHERE name = 'process ' || ${id}::text AND expires_at > clock_timestamp()))`;
}
