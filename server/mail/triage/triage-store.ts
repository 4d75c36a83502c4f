import { toRangeStart } from "#contract/content/lists.ts";
import type {
  Bounce,
  BouncesQuery,
  Complaint,
  ComplaintsQuery,
  TriageChange,
} from "#contract/mail/triage.ts";
import type { Queryable } from "../../db/pool.ts";
import { patternSql } from "../../models/filter-sql.ts";

/** The two tables of mails that staff look at. */
export type TriageTable = "mail_bounce" | "mail_complaint";

/** A row that staff are about to change; locked. */
export interface LockedRow {
  id: number;
  email_address: string;
  is_processed: boolean;
  unsubscribed_by: "server" | "staff" | null;
  /** Null: nothing holds because of it, or it was lifted. */
  suppression_id: number | null;
  /** Of a complaint `Permanent`: mails to it can always be stopped. */
  bounce_type: "Permanent" | "Transient";
  reason: string;
}

/** In the order of their numbers: two calls for the same rows never wait for each other. */
export async function lockRows(
  db: Queryable,
  table: TriageTable,
  ids: readonly number[],
): Promise<LockedRow[]> {
  const isBounce = table === "mail_bounce";
  const { rows } = await db.query<LockedRow>(
    `SELECT id, email_address, is_processed, unsubscribed_by, suppression_id,
       ${isBounce ? "bounce_type" : "'Permanent' AS bounce_type"},
       ${isBounce ? "coalesce(status_code, bounce_subtype)" : "feedback_type"} AS reason
     FROM ${table} WHERE id = ANY($1::integer[]) ORDER BY id FOR UPDATE`,
    [ids],
  );
  return rows;
}

/** The person who changes rows, and the call. */
export interface Batch {
  id: string;
  userId: number;
  now: Date;
}

/** How the row stands, so that the call can be undone. */
const BEFORE = `jsonb_build_object('is_processed', is_processed, 'processed_at', processed_at, 'processed_by_id', processed_by_id,
  'unsubscribed_by', unsubscribed_by, 'suppression_id', suppression_id)`;

export async function markProcessed(
  db: Queryable,
  table: TriageTable,
  ids: readonly number[],
  { id, userId, now }: Batch,
): Promise<void> {
  await db.query(
    `UPDATE ${table} SET before = ${BEFORE}, batch_id = $2, is_processed = true, processed_at = $4, processed_by_id = $3,
       updated_at = $4
     WHERE id = ANY($1::integer[])`,
    [ids, id, userId, now],
  );
}

/** Mails to their addresses are stopped by now: that processes them too. `suppressions`: row's id → suppression's. */
export async function markUnsubscribed(
  db: Queryable,
  table: TriageTable,
  suppressions: ReadonlyMap<number, number>,
  { id, userId, now }: Batch,
): Promise<void> {
  await db.query(
    `UPDATE ${table} AS t SET before = ${BEFORE}, batch_id = $3, is_processed = true,
       processed_at = CASE WHEN is_processed THEN processed_at ELSE $5 END,
       processed_by_id = CASE WHEN is_processed THEN processed_by_id ELSE $4 END,
       unsubscribed_by = 'staff', suppression_id = made.suppression, updated_at = $5
     FROM unnest($1::integer[], $2::integer[]) AS made(row_id, suppression) WHERE t.id = made.row_id`,
    [[...suppressions.keys()], [...suppressions.values()], id, userId, now],
  );
}

/** Puts rows of a call back, as far as no later call changed them. @returns them. */
export async function restoreRows(
  db: Queryable,
  table: TriageTable,
  batchId: string,
  now: Date,
): Promise<{ id: number; email_address: string }[]> {
  const { rows } = await db.query<{ id: number; email_address: string }>(
    `UPDATE ${table} SET is_processed = (before->>'is_processed')::boolean,
       processed_at = (before->>'processed_at')::timestamptz,
       processed_by_id = (SELECT id FROM account_user WHERE id = (before->>'processed_by_id')::integer),
       unsubscribed_by = before->>'unsubscribed_by',
       suppression_id = (SELECT id FROM mail_suppression WHERE id = (before->>'suppression_id')::integer),
       before = NULL, batch_id = NULL, updated_at = $2
     WHERE batch_id = $1 RETURNING id, email_address`,
    [batchId, now],
  );
  return rows;
}

/** A row's note and owner before staff change them; locked. */
export interface TriageNotes {
  email_address: string;
  note: string | null;
  owner_id: number | null;
}

export async function lockNotes(
  db: Queryable,
  table: TriageTable,
  id: number,
): Promise<TriageNotes | undefined> {
  const { rows } = await db.query<TriageNotes>(
    `SELECT email_address, note, owner_id FROM ${table} WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
}

export async function updateNotes(
  db: Queryable,
  table: TriageTable,
  id: number,
  { note, owner_id }: Required<TriageChange>,
  now: Date,
): Promise<void> {
  await db.query(`UPDATE ${table} SET note = $2, owner_id = $3, updated_at = $4 WHERE id = $1`, [
    id,
    note,
    owner_id,
    now,
  ]);
}

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

/** Rows without what their codes and names give: a sentence, and a label. */
export type StoredBounce = Omit<Bounce, "reason" | "mail_kind_label">;
export type StoredComplaint = Omit<Complaint, "mail_kind_label">;

const TRIAGE_COLUMNS = `t.id, t.email_address, t.is_processed, t.feedback_id, t.contact_message_id AS contact_message,
  t.message_id AS message, t.mail_kind, t.unsubscribed_by, t.suppression_id AS suppression, t.verdict, t.note, t.source,
  CASE WHEN o.id IS NOT NULL THEN jsonb_build_object('id', o.id, 'repr', o.username) END AS owner,
  CASE WHEN s.id IS NOT NULL THEN jsonb_build_object('id', s.id, 'scope', s.scope, 'created_at', ${toIso("s.created_at")},
    'created_by', a.username, 'expires_at', ${toIso("s.expires_at")}) END AS suppressed`;

/** Beside a row: who looks into it, and what stops mails to its address at present. `now`: place of that parameter. */
const joinsOf = (now: string) => `LEFT JOIN account_user AS o ON o.id = t.owner_id
  LEFT JOIN mail_message AS m ON m.id = t.message_id
  LEFT JOIN LATERAL (
    SELECT * FROM mail_suppression WHERE address = m.recipient_key AND (expires_at IS NULL OR expires_at > ${now})
    ORDER BY scope LIMIT 1
  ) AS s ON true
  LEFT JOIN account_user AS a ON a.id = s.created_by_id`;

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
  now: Date,
): Promise<Page<Row, Summary>> {
  const { table, at, columns, summary } = list;
  const order = `t.is_processed, t.${at} DESC, t.id DESC`;
  const [counted, listed] = await Promise.all([
    db.query<Summary & { total: number }>(
      `SELECT count(*)::integer AS total, ${summary} FROM ${table} AS t WHERE ${filter.sql}`,
      filter.values,
    ),
    // Numbers first, which the index has: a page far out would else read every row before it.
    db.query<Row & object>(
      `WITH page AS (SELECT t.id FROM ${table} AS t WHERE ${filter.sql}
         ORDER BY ${order} LIMIT ${per_page} OFFSET ${(page - 1) * per_page})
       SELECT ${columns} FROM ${table} AS t ${joinsOf(`$${filter.values.length + 1}`)}
       WHERE t.id IN (SELECT id FROM page) ORDER BY ${order}`,
      [...filter.values, now],
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
  return selectPage(db, list, filter, query, now);
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
): Promise<Page<StoredComplaint, ComplaintSummary>> {
  const own = { at: "complained_at", type: "feedback_type", value: query.feedback_type };
  const list = {
    table: "mail_complaint",
    at: "complained_at",
    columns: COMPLAINT_COLUMNS,
    summary: `count(*) FILTER (WHERE NOT t.is_processed)::integer AS unprocessed,
      count(*) FILTER (WHERE t.is_processed)::integer AS processed,
      count(*) FILTER (WHERE t.unsubscribed_by = 'server')::integer AS auto_unsubscribed`,
  };
  return selectPage(db, list, toFilter(query, own, now), query, now);
}

async function selectOne<Row extends object>(
  db: Queryable,
  { table, columns }: { table: string; columns: string },
  id: number,
  now: Date,
): Promise<Row | undefined> {
  const { rows } = await db.query<Row>(
    `SELECT ${columns} FROM ${table} AS t ${joinsOf("$2")} WHERE t.id = $1`,
    [id, now],
  );
  return rows[0];
}

export function selectBounce(db: Queryable, id: number, now: Date): Promise<StoredBounce | undefined> {
  return selectOne(db, { table: "mail_bounce", columns: BOUNCE_COLUMNS }, id, now);
}

export function selectComplaint(db: Queryable, id: number, now: Date): Promise<StoredComplaint | undefined> {
  return selectOne(db, { table: "mail_complaint", columns: COMPLAINT_COLUMNS }, id, now);
}
