import { readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { readMigrations } from "./migrate.ts";
import type { Queryable } from "./pool.ts";
import { findCatalogFaults, findNarrowings, readCatalog } from "./verify.ts";

/** The newest migration from before there was this rule. */
const LAST_FREE = "0040_keys-and-setup-links";

/** Says why a migration may take something away: since which migration or release, older than this one, no code uses it. */
const REASON = /^[ \t]*-- unused since: *(\S+)[ \t]*$/m;
const VERSION = /^v?\d+\.\d+\.\d+$/;

/** The version that is being made, and those that went out before it. */
interface Releases {
  present: string;
  earlier: readonly string[];
}

const toNumbers = (version: string) => version.replace(/^v/, "").split(".").map(Number);

function isOlder(version: string, than: string): boolean {
  const [own, other] = [toNumbers(version), toNumbers(than)];
  const index = own.findIndex((number, at) => number !== other[at]);
  return (own[index] ?? 0) < (other[index] ?? 0);
}

const CHANGELOG = join(import.meta.dirname, "../../CHANGELOG.md");

/** By package.json, and by the headings of the changelog. */
function readReleases(): Releases {
  const headings = readFileSync(CHANGELOG, "utf8").matchAll(/^## v?(\d+\.\d+\.\d+)\b/gm);
  return { present: packageJson.version, earlier: [...headings].map(([, version = ""]) => version) };
}

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
  readKnown: () => Releases,
): string | undefined {
  const reason = REASON.exec(statements.join("\n"))?.[1];
  if (reason === undefined)
    return `${name} takes away or narrows what the version before uses, which runs beside this one in an update. Add first, take away a release later, and say in the file since when nothing uses it: -- unused since: 1.4.0`;
  if (earlier.includes(reason)) return undefined;
  const says = `${name} says "unused since: ${reason}", which`;
  if (!VERSION.test(reason)) return `${says} is neither a version nor an earlier migration`;
  const releases = readKnown();
  if (!isOlder(reason, releases.present))
    return `${says} isn't older than this version, ${releases.present}: what is in use until then still uses it`;
  if (!releases.earlier.includes(reason.replace(/^v/, "")))
    return `${says} was never released: CHANGELOG.md has no such heading`;
  return undefined;
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
  readKnown = readReleases,
): Promise<string[]> {
  const found: string[] = [];
  let before = await readCatalog(db);
  for (const migration of migrations) {
    for (const statement of migration.statements) await db.query(statement);
    const after = await readCatalog(db);
    const faults = [...findCatalogFaults(before, after), ...(await findNarrowings(db, before))];
    const fault =
      faults.length > 0 &&
      findReasonFault(migration, names.slice(0, names.indexOf(migration.name)), readKnown);
    if (fault) found.push([fault, ...faults].join("\n  - "));
    before = after;
  }
  return found;
}
