import { parseArgs } from "node:util";
import { measureBatches } from "./mail/batches.ts";
import { printFigures } from "./mail/figure.ts";
import { measureLists } from "./mail/lists.ts";
import { openMailSite } from "./mail/open-site.ts";
import { seedMail } from "./mail/seed.ts";

/**
 * `npm run bench:mail-lists [-- --rows 100000 --rounds 3]`: the lists of returned mail and of complaints with exact totals and
 * `summary` (every state, type, range and search; first, third and last page), and batches of 500, through the whole server
 * without a network. PostgreSQL writes as the product's does. Exit code 1 where a bar is missed.
 */
const { values: options } = parseArgs({
  options: { rows: { type: "string", default: "100000" }, rounds: { type: "string", default: "3" } },
});

const site = await openMailSite();
try {
  const rows = Number(options.rows);
  console.log(`Seeding ${rows.toLocaleString("en")} returned mails …`);
  await seedMail(site.database.pool, rows);
  printFigures([...(await measureLists(site, Number(options.rounds))), ...(await measureBatches(site))]);
} finally {
  await site.close();
}
