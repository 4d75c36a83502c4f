import { Readable } from "node:stream";
import type { Language } from "#contract/languages.ts";
import type { Queryable } from "#server/db/pool.ts";
import { FORMULA_STARTS } from "../exports/csv.ts";
import { toReasonText } from "./refusals.ts";

/** A row that a job left alone, or could not write. */
interface FailureRow {
  id: number;
  repr: string;
  reason: string;
}

export async function insertFailures(
  db: Queryable,
  jobId: string,
  failures: readonly FailureRow[],
): Promise<void> {
  if (failures.length === 0) return;
  await db.query(
    `INSERT INTO content_job_failure (job_id, object_id, object_repr, reason)
     SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[]) ON CONFLICT DO NOTHING`,
    [
      jobId,
      failures.map((failure) => failure.id),
      failures.map((failure) => failure.repr),
      failures.map((failure) => failure.reason),
    ],
  );
}

/** By id, from above one. */
export async function selectFailures(
  db: Queryable,
  jobId: string,
  after: number,
  limit: number,
): Promise<FailureRow[]> {
  const { rows } = await db.query<FailureRow>(
    `SELECT object_id::float8 AS id, object_repr AS repr, reason FROM content_job_failure
     WHERE job_id = $1 AND object_id > $2 ORDER BY object_id LIMIT $3`,
    [jobId, after, limit],
  );
  return rows;
}

const PAGE_ROWS = 1_000;

/** A cell; what people wrote is kept from being calculated. */
function toCell(text: string): string {
  const harmless = FORMULA_STARTS.has(text.charAt(0)) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function toLine(row: FailureRow, lang: Language): string {
  return `${[String(row.id), toCell(row.repr), row.reason, toCell(toReasonText(row.reason, lang))].join(",")}\n`;
}

/** All rows of a job's list as csv, read page by page. */
export function streamFailures(
  readPage: (after: number, limit: number) => Promise<FailureRow[]>,
  lang: Language,
): Readable {
  async function* lines() {
    yield "id,repr,reason,message\n";
    let after = Number.MIN_SAFE_INTEGER;
    for (;;) {
      const rows = await readPage(after, PAGE_ROWS);
      if (rows.length > 0) yield rows.map((row) => toLine(row, lang)).join("");
      const last = rows.at(-1);
      if (!last || rows.length < PAGE_ROWS) return;
      after = last.id;
    }
  }
  return Readable.from(lines(), { objectMode: false });
}
