import type { Database } from "./db/open.ts";

/** Prints where the site is, and what to do first as long as nobody has. */
export async function printWelcome(
  database: Pick<Database, "pool" | "version" | "isEmbedded">,
  address: string,
): Promise<void> {
  const { rows } = await database.pool.query<{ owners: string; profiles: string }>(
    `SELECT (SELECT count(*) FROM account_user u JOIN access_level l ON l.id = u.access_level_id WHERE l.level = 999) AS owners,
            (SELECT count(*) FROM cv_profile) AS profiles`,
  );
  const kind = database.isEmbedded ? "its own PostgreSQL" : "PostgreSQL";
  const lines = [`Foyer is ready: ${address}   (${kind} ${database.version})`];
  if (rows[0]?.owners === "0") {
    lines.push("  First, in a second terminal, make yourself the owner:");
    lines.push("    npm run foyer -- create-superuser --username YOU --email YOU@EXAMPLE.ORG");
    lines.push(`  then log in at ${address}/login`);
  }
  if (rows[0]?.profiles === "0") {
    lines.push("  Fill your CV from a JSON Resume file:");
    lines.push("    npm run foyer -- import resume.json            (Turkish: --lang tr)");
  }
  lines.push("  Ctrl-C stops it.");
  console.log(`\n${lines.join("\n")}\n`);
}
