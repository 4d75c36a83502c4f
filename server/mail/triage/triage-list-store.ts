import { toRangeStart } from "#contract/date-range.ts";
import type { Bounce, BouncesQuery, Complaint, ComplaintsQuery } from "#contract/mail-triage.ts";
import type { Queryable } from "#server/db/pool.ts";
import { patternSql } from "#server/models/kind-sql.ts";

interface Filter {
  sql: string;
  values: unknown[];
}

/** Conditions over `t`, which both lists share. `type` is the column that the list's own filter looks at. */
function toFilter(
  query: Pick<BouncesQuery, "status" | "date_range" | "search">,
  own: { at: string; type: string; value: string },
  now: Date,
): Filter {
  const values: unknown[] = [];
  const add = (value: unknown) => `$${values.push(value)}`;
  const parts = ["true"];
  if (query.status === undefined) parts.push("t.unsubscribed_by IS DISTINCT FROM 'staff'");
  if (query.status === "unprocessed") parts.push("NOT t.is_processed");
  if (query.status === "processed") parts.push("t.is_processed");
  if (query.status === "unsubscribed") parts.push("t.unsubscribed_by IS NOT NULL");
  if (own.value !== "all") parts.push(`t.${own.type} = ${add(own.value)}`);
  const start = toRangeStart(query.date_range, now.getTime());
  if (start) parts.push(`t.${own.at} >= ${add(start)}`);
  const search = query.search?.trim();
  if (search) parts.push(`t.search LIKE '%' || ${patternSql(add(search))} || '%'`);
  return { sql: parts.join(" AND "), values };
}

/** A bounce without its sentence, which its code and type give. */
export type StoredBounce = Omit<Bounce, "reason">;

const TRIAGE_COLUMNS = `t.id, t.email_address, t.is_processed, t.feedback_id, t.contact_message_id AS contact_message,
  t.message_id AS message, t.mail_kind, t.unsubscribed_by, t.suppression_id AS suppression, t.verdict, t.note, t.source,
  CASE WHEN o.id IS NOT NULL THEN jsonb_build_object('id', o.id, 'repr', o.username) END AS owner`;

const BOUNCE_COLUMNS = `${TRIAGE_COLUMNS}, t.bounce_type, t.bounce_subtype, t.status_code, t.diagnostic_code,
  ${toIso("t.bounced_at")} AS bounced_at`;
const COMPLAINT_COLUMNS = `${TRIAGE_COLUMNS}, t.feedback_type, t.raw_feedback_type, t.user_agent,
  ${toIso("t.complained_at")} AS complained_at`;

function toIso(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

interface Page<Row, Summary> {
  rows: Row[];
  summary: Summary & { total: number };
}

async function selectPage<Row, Summary>(
  db: Queryable,
  list: { table: string; at: string; columns: string; summary: string },
  filter: Filter,
  { page, per_page }: { page: number; per_page: number },
): Promise<Page<Row, Summary>> {
  const { table, at, columns, summary } = list;
  const [counted, listed] = await Promise.all([
    db.query<Summary & { total: number }>(
      `SELECT count(*)::integer AS total, ${summary} FROM ${table} AS t WHERE ${filter.sql}`,
      filter.values,
    ),
    db.query<Row & object>(
      `SELECT ${columns} FROM ${table} AS t LEFT JOIN account_user AS o ON o.id = t.owner_id WHERE ${filter.sql}
       ORDER BY t.is_processed, t.${at} DESC, t.id DESC LIMIT ${per_page} OFFSET ${(page - 1) * per_page}`,
      filter.values,
    ),
  ]);
  const [first] = counted.rows;
  if (!first) throw new Error("a count has no row");
  return { rows: listed.rows, summary: first };
}

export interface BounceSummary {
  unprocessed: number;
  permanent: number;
  temporary: number;
}

export function selectBounces(
  db: Queryable,
  query: BouncesQuery,
  now: Date,
): Promise<Page<StoredBounce, BounceSummary>> {
  const filter = toFilter(query, { at: "bounced_at", type: "bounce_type", value: query.type }, now);
  const list = {
    table: "mail_bounce",
    at: "bounced_at",
    columns: BOUNCE_COLUMNS,
    summary: `count(*) FILTER (WHERE NOT t.is_processed)::integer AS unprocessed,
      count(*) FILTER (WHERE t.bounce_type = 'Permanent')::integer AS permanent,
      count(*) FILTER (WHERE t.bounce_type = 'Transient')::integer AS temporary`,
  };
  return selectPage(db, list, filter, query);
}

export interface ComplaintSummary {
  unprocessed: number;
  processed: number;
  auto_unsubscribed: number;
}

export function selectComplaints(
  db: Queryable,
  query: ComplaintsQuery,
  now: Date,
): Promise<Page<Complaint, ComplaintSummary>> {
  const own = { at: "complained_at", type: "feedback_type", value: query.feedback_type };
  const list = {
    table: "mail_complaint",
    at: "complained_at",
    columns: COMPLAINT_COLUMNS,
    summary: `count(*) FILTER (WHERE NOT t.is_processed)::integer AS unprocessed,
      count(*) FILTER (WHERE t.is_processed)::integer AS processed,
      count(*) FILTER (WHERE t.unsubscribed_by = 'server')::integer AS auto_unsubscribed`,
  };
  return selectPage(db, list, toFilter(query, own, now), query);
}

export async function selectBounce(db: Queryable, id: number): Promise<StoredBounce | undefined> {
  const { rows } = await db.query<StoredBounce>(
    `SELECT ${BOUNCE_COLUMNS} FROM mail_bounce AS t LEFT JOIN account_user AS o ON o.id = t.owner_id WHERE t.id = $1`,
    [id],
  );
  return rows[0];
}

export async function selectComplaint(db: Queryable, id: number): Promise<Complaint | undefined> {
  const { rows } = await db.query<Complaint>(
    `SELECT ${COMPLAINT_COLUMNS} FROM mail_complaint AS t LEFT JOIN account_user AS o ON o.id = t.owner_id WHERE t.id = $1`,
    [id],
  );
  return rows[0];
}
