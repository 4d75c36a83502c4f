import type { BulkAnswer, BulkPreview, Job } from "#contract/content/bulk.ts";
import type { ErrorEnvelope } from "#contract/errors.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { asLogOwner } from "#test/database.ts";
import { until } from "#test/until.ts";
import { ITEM_SQL, item } from "./test-item.ts";

/** A site with items, and people who call its bulk endpoints. */
export interface BulkSite {
  site: TestApp;
  call(
    level: number,
    method: "GET" | "POST" | "PATCH",
    url: string,
    body?: object,
    lang?: string,
  ): Promise<{ status: number; body: unknown; text: string; headers: Record<string, unknown> }>;
  bulk(
    level: number,
    body: object,
    lang?: string,
  ): Promise<{ status: number; body: BulkAnswer & ErrorEnvelope }>;
  preview(level: number, body: object): Promise<{ status: number; body: BulkPreview & ErrorEnvelope }>;
  /** Empties the items and fills in some, numbered from 1. `columns` are SQL over `i`. */
  fill(count: number, columns?: Record<string, string>): Promise<void>;
  query<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Holds an item, so that the job that writes it comes so far and no further; the result lets it go. */
  hold(itemId: number): Promise<{ untilSomebodyWaits(): Promise<void>; letGo(): Promise<void> }>;
  /** Waits until a job is over. */
  finish(level: number, id: string): Promise<Job>;
  userIds: ReadonlyMap<number, number>;
  contentTypeId: number;
}

export async function createBulkSite(levels: readonly number[] = [10, 999]): Promise<BulkSite> {
  const site = await createTestApp({ extraModels: [item], setUpSql: ITEM_SQL });
  const people = new Map<number, { authorization: string; userId: number }>();
  for (const level of levels) people.set(level, await site.signInAs(level));
  const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await site.database.pool.query<Row>(sql, values)).rows;
  const [type] = await query<{ id: number }>(
    "SELECT id FROM content_type WHERE app_label = 'test' AND model_name = 'item'",
  );
  const contentTypeId = type?.id ?? 0;

  const call: BulkSite["call"] = async (level, method, url, body, lang = "en") => {
    const headers = { authorization: people.get(level)?.authorization ?? "", "accept-language": lang };
    const answer = await site.app.inject({ method, url, headers, ...(body && { payload: body }) });
    const isJson = String(answer.headers["content-type"]).startsWith("application/json");
    return {
      status: answer.statusCode,
      body: isJson ? answer.json() : undefined,
      text: answer.body,
      headers: answer.headers,
    };
  };
  const objects = `/api/admin/models/${contentTypeId}/objects`;
  const held = new Set<() => Promise<void>>();
  /** A test that failed holds its row still: the next ones would wait for it. */
  const letAllGo = async () => {
    for (const letGo of held) await letGo();
  };

  return {
    site: {
      ...site,
      async close() {
        await letAllGo();
        await site.close();
      },
    },
    call,
    query,
    contentTypeId,
    userIds: new Map([...people].map(([level, { userId }]) => [level, userId])),
    bulk: async (level, body, lang) =>
      (await call(level, "POST", `${objects}/bulk/`, body, lang)) as Awaited<ReturnType<BulkSite["bulk"]>>,
    preview: async (level, body) =>
      (await call(level, "POST", `${objects}/bulk/preview/`, body)) as Awaited<
        ReturnType<BulkSite["preview"]>
      >,
    async fill(count, columns = {}) {
      await letAllGo();
      await query("TRUNCATE test_item, test_item_holder, test_item_part, content_job CASCADE");
      await query("ALTER TABLE test_item ALTER id RESTART WITH 1");
      await asLogOwner(site.database.pool, "DELETE FROM audit_entry WHERE content_type_id = $1", [
        contentTypeId,
      ]);
      const terms = { title: "'item ' || i", views: "i % 1000", ...columns };
      await query(
        `INSERT INTO test_item (${Object.keys(terms).join(", ")}) SELECT ${Object.values(terms).join(", ")} FROM generate_series(1, ${count}) AS i`,
      );
    },
    async hold(itemId) {
      const holder = await site.database.pool.connect();
      await holder.query("BEGIN");
      await holder.query("SELECT FROM test_item WHERE id = $1 FOR UPDATE", [itemId]);
      const { rows } = await holder.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      const pid = rows[0]?.pid;
      const letGo = async () => {
        if (!held.delete(letGo)) return;
        await holder.query("ROLLBACK");
        holder.release();
      };
      held.add(letGo);
      return {
        untilSomebodyWaits: () =>
          until(async () => {
            const waiting = await query(
              `SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))`,
              [pid],
            );
            return waiting.length > 0;
          }),
        letGo,
      };
    },
    async finish(level, id) {
      const read = async () => (await call(level, "GET", `/api/admin/jobs/${id}/`)).body as Job;
      await until(async () => (await read()).finished_at !== null);
      return read();
    },
  };
}
