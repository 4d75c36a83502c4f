import { readMigrations } from "./migrate.ts";
import type { Queryable } from "./pool.ts";
import { findCatalogFaults, findNarrowings, readCatalog } from "./verify.ts";

/** The newest migration from before there was this rule. */
const LAST_FREE = "0040_keys-and-setup-links";

/** Says why a migration may take something away: since which migration or version no code uses it. */
const REASON = /^[ \t]*-- unused since: *(\S+)[ \t]*$/m;
const VERSION = /^v?\d+\.\d+\.\d+$/;

type NamedStatements = Pick<ReturnType<typeof readMigrations>[number], "name" | "statements">;

/** Migrations up to the last one that the rule doesn't concern, and those behind it. */
export function splitMigrations(): { free: { until: number }; bound: NamedStatements[]; names: string[] } {
  const all = readMigrations();
  const count = all.findIndex(({ name }) => name === LAST_FREE) + 1;
  return {
    free: { until: all[count - 1]?.when ?? 0 },
    bound: all.slice(count),
    names: all.map(({ name }) => name),
  };
}

function findReasonFault(
  { name, statements }: NamedStatements,
  earlier: readonly string[],
): string | undefined {
  const reason = REASON.exec(statements.join("\n"))?.[1];
  if (reason === undefined)
    return `${name} takes away or narrows what the version before uses, which runs beside this one in an update. Add first, take away a release later, and say in the file since when nothing uses it: -- unused since: 1.4.0`;
  if (VERSION.test(reason) || earlier.includes(reason)) return undefined;
  return `${name} says "unused since: ${reason}", which is neither a version nor an earlier migration`;
}

/**
 * Runs migrations on a database that has all before them, and looks at each as the version before it would at its start: migrations come in two
 * steps, so that old and new processes can run side by side.
 * @returns a text for each that takes away or narrows something without saying since when that is unused.
 */
export async function findUnannounced(
  db: Queryable,
  migrations: readonly NamedStatements[],
  names: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  let before = await readCatalog(db);
  for (const migration of migrations) {
    for (const statement of migration.statements) await db.query(statement);
    const after = await readCatalog(db);
    const faults = [...findCatalogFaults(before, after), ...(await findNarrowings(db, before))];
    const fault =
      faults.length > 0 && findReasonFault(migration, names.slice(0, names.indexOf(migration.name)));
    if (fault) found.push([fault, ...faults].join("\n  - "));
    before = after;
  }
  return found;
}
