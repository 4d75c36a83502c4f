import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Job, JobFailure } from "#contract/content/bulk.ts";
import type { ErrorEnvelope } from "#contract/errors.ts";
import { findPerson } from "#server/accounts/store.ts";
import { createLocalLeases } from "#server/db/leases/lease.ts";
import { createLog } from "#server/log.ts";
import { buildRegistry } from "#server/models/registry/registry.ts";
import { receiveAll } from "#test/receive-all.ts";
import { until } from "#test/until.ts";
import { createApplyRows } from "./apply.ts";
import { type BulkSite, createBulkSite } from "./fixture.ts";
import { runJob } from "./job-run.ts";
import type { JobRow } from "./job-store.ts";
import { createJobWorker } from "./job-worker.ts";
import { removeOldJobs } from "./jobs.ts";
import { item } from "./test-item.ts";

describe("resume", () => {
  let all: BulkSite;
  beforeAll(async () => {
    all = await createBulkSite([10, 20, 999]);
  });
  afterAll(() => all.site.close());

  const UPDATE = { operation: "update", data: { status: "live" } };

  async function begin(level: number, body: object = { ...UPDATE, query: {} }): Promise<Job> {
    const { body: answer } = await all.bulk(level, body);
    if (!answer.job) throw new Error("no job");
    return answer.job;
  }

  async function post(level: number, id: string, verb: "cancel" | "resume") {
    const answer = await all.call(level, "POST", `/api/admin/jobs/${id}/${verb}/`);
    return { status: answer.status, body: answer.body as Job & Omit<ErrorEnvelope, "status"> };
  }

  async function cancelMidway(level: number): Promise<Job> {
    const held = await all.hold(2_500);
    const job = await begin(level);
    await held.untilSomebodyWaits();
    await post(level, job.id, "cancel");
    await held.letGo();
    return all.finish(level, job.id);
  }

  /** A job that stopped behind row 2,000, as a worker leaves it. */
  async function insertStopped(status: "cancelled" | "failed", level = 10): Promise<string> {
    const [row] = await all.query<{ id: string }>(
      `INSERT INTO content_job (id, content_type_id, operation, user_id, language, scope, data, snapshot, status, message,
       last_id, total_count, done_count, affected_count, finished_at)
     SELECT gen_random_uuid(), $1, 'update', $2, 'en', '{"query":{"search":"","filters":[],"where":null},"exclude_ids":[7000],"max_id":6000}',
       '{"status":"live"}', 'infinity', $3, CASE WHEN $3 = 'failed' THEN 'internal' ELSE '' END, 2000, 6000, 2000, 1990, now() RETURNING id`,
      [all.contentTypeId, all.userIds.get(level), status],
    );
    return row?.id ?? "";
  }

  async function count(sql: string): Promise<number> {
    const [row] = await all.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${sql}`);
    return row?.count ?? 0;
  }

  const countEntries = () => count(`audit_entry WHERE content_type_id = ${all.contentTypeId}`);

  test("a job that was cancelled midway goes on to the end and writes each row once", async () => {
    await all.fill(6_000);
    const cancelled = await cancelMidway(10);
    expect(cancelled).toMatchObject({ status: "cancelled", is_resumable: true });
    expect(cancelled.affected_count).toBe(3_000);

    const resumed = await post(10, cancelled.id, "resume");
    expect(resumed.status).toBe(200);
    expect(resumed.body).toMatchObject({ id: cancelled.id, is_resumable: false, finished_at: null });
    expect(await all.finish(10, cancelled.id)).toMatchObject({
      status: "done",
      done_count: 6_000,
      affected_count: 6_000,
      skipped_count: 0,
      is_resumable: false,
      message: "6,000 objects updated",
    });
    expect(await count("test_item WHERE status = 'live'")).toBe(6_000);
    expect(await countEntries()).toBe(6_000);
  });

  test.each(["cancelled", "failed"] as const)("a %s job goes on behind its last row", async (status) => {
    await all.fill(6_500);
    const id = await insertStopped(status);
    expect((await post(10, id, "resume")).status).toBe(200);
    expect(await all.finish(10, id)).toMatchObject({
      status: "done",
      done_count: 6_000,
      affected_count: 5_990,
      message: "5,990 objects updated",
    });
    // Rows up to the last one are as they were, and so are those that came after the job.
    expect(await count("test_item WHERE status = 'live' AND id BETWEEN 2001 AND 6000")).toBe(4_000);
    expect(await count("test_item WHERE status = 'live'")).toBe(4_000);
  });

  test("entries of the rest name the request that resumed it", async () => {
    await all.fill(6_000);
    const id = await insertStopped("cancelled");
    await post(10, id, "resume");
    await all.finish(10, id);
    const [job] = await all.query<{ request_id: string }>(
      "SELECT request_id FROM content_job WHERE id = $1",
      [id],
    );
    expect(job?.request_id).toBeTruthy();
    expect(
      await all.query(
        "SELECT DISTINCT user_id, request_id FROM audit_entry WHERE content_type_id = $1 AND action_type = 'UPDATE'",
        [all.contentTypeId],
      ),
    ).toEqual([{ user_id: all.userIds.get(10), request_id: job?.request_id }]);
  });

  test("a job that is done can't be resumed", async () => {
    await all.fill(5_001);
    const job = await begin(10);
    await all.finish(10, job.id);
    const answer = await post(10, job.id, "resume");
    expect([answer.status, answer.body.code]).toEqual([409, "job_not_resumable"]);
    expect((await post(10, "not-a-job", "resume")).status).toBe(404);
  });

  test("a job of somebody else can't be resumed, not even by those who see it", async () => {
    await all.fill(6_000);
    const id = await insertStopped("cancelled");
    expect((await post(20, id, "resume")).status).toBe(404);
    const seen = await all.call(999, "GET", `/api/admin/jobs/${id}/`);
    expect((seen.body as Job).is_resumable).toBe(false);
    const answer = await post(999, id, "resume");
    expect([answer.status, answer.body.code]).toEqual([409, "job_not_resumable"]);
    expect(await count("test_item WHERE status = 'live'")).toBe(0);
  });

  test("a job whose model is no longer permitted can't be resumed", async () => {
    await all.fill(6_000);
    const id = await insertStopped("cancelled");
    // Staff see access levels; superusers alone change them.
    const moved = await all.query(
      `UPDATE content_job SET content_type_id = t.id FROM content_type t
     WHERE content_job.id = $1 AND t.app_label = 'accounts' AND t.model_name LIKE '%level' RETURNING t.id`,
      [id],
    );
    expect(moved).toHaveLength(1);
    const seen = await all.call(10, "GET", `/api/admin/jobs/${id}/`);
    expect((seen.body as Job).is_resumable).toBe(false);
    const answer = await post(10, id, "resume");
    expect([answer.status, answer.body.code]).toEqual([403, "permission_denied"]);
    await all.query("UPDATE content_job SET content_type_id = 0 WHERE id = $1", [id]);
    expect((await post(10, id, "resume")).status).toBe(404);
  });

  test("three unfinished jobs leave no room to resume a fourth", async () => {
    await all.fill(6_000);
    const id = await insertStopped("cancelled");
    await all.query(
      `INSERT INTO content_job (id, content_type_id, operation, user_id, language, scope, data, snapshot)
     SELECT gen_random_uuid(), $1, 'update', $2, 'en', '{"query":{},"exclude_ids":[],"max_id":0}', '{}', now()
     FROM generate_series(1, 3)`,
      [all.contentTypeId, all.userIds.get(10)],
    );
    const answer = await post(10, id, "resume");
    expect([answer.status, answer.body.code]).toEqual([429, "too_many_jobs"]);
    expect((await all.call(10, "GET", `/api/admin/jobs/${id}/`)).body).toMatchObject({
      status: "cancelled",
      is_resumable: true,
    });
  });
});

describe("jobs", () => {
  let all: BulkSite;
  beforeAll(async () => {
    all = await createBulkSite([5, 10, 20, 999]);
  });
  afterAll(() => all.site.close());

  const UPDATE = { operation: "update", data: { status: "live" } };

  async function countLive(): Promise<number> {
    const [row] = await all.query<{ count: number }>(
      "SELECT count(*)::integer AS count FROM test_item WHERE status = 'live'",
    );
    return row?.count ?? 0;
  }

  async function countAudit(): Promise<{ entries: number; rows: number }> {
    const [row] = await all.query<{ entries: number; rows: number }>(
      `SELECT count(*)::integer AS entries, count(DISTINCT object_id)::integer AS rows
     FROM audit_entry WHERE content_type_id = $1`,
      [all.contentTypeId],
    );
    return row ?? { entries: 0, rows: 0 };
  }

  async function begin(level: number, body: object): Promise<Job> {
    const answer = await all.bulk(level, body);
    expect(answer.status).toBe(202);
    if (!answer.body.job) throw new Error("no job");
    return answer.body.job;
  }

  test("above 5,000 rows a job works, and writes each row once with its entry", async () => {
    await all.fill(6_500, { is_locked: "i <= 3", status: "CASE WHEN i = 10 THEN 'live' ELSE 'draft' END" });
    const preview = await all.preview(10, { ...UPDATE, query: {}, exclude_ids: [100] });
    expect(preview.body).toMatchObject({ count: 6_495, is_job: true });
    const request = {
      ...UPDATE,
      query: {},
      exclude_ids: [100],
      snapshot: preview.body.snapshot,
      expected_count: preview.body.count,
    };
    const job = await begin(10, request);
    expect(job).toMatchObject({ total_count: 6_499, verbose_name: "Items", user: { username: "level_10" } });
    expect(await all.finish(10, job.id)).toMatchObject({
      status: "done",
      done_count: 6_499,
      affected_count: 6_495,
      skipped_count: 4,
      failed_count: 0,
      message: "6,495 objects updated, 4 left as they were",
    });
    expect(await countLive()).toBe(6_496);
    expect(await countAudit()).toEqual({ entries: 6_495, rows: 6_495 });
    const turkish = await all.call(10, "GET", `/api/admin/jobs/${job.id}/`, undefined, "tr");
    expect((turkish.body as Job).message).toBe("6.495 nesne güncellendi, 4 nesne olduğu gibi bırakıldı");
  });

  test("each step of a job tells of its rows and of their entries", async () => {
    await all.fill(6_000);
    const received: string[] = [];
    all.site.feed.subscribeRows((modelKey, { isMany }) => {
      if (isMany) received.push(modelKey);
    });
    // Those of the test before are over.
    await setTimeout(100);
    await receiveAll(all.site.database.pool, all.site.feed);
    received.length = 0;
    const job = await begin(10, { ...UPDATE, query: {} });
    await all.finish(10, job.id);
    const count = (modelKey: string) => received.filter((key) => key === modelKey).length;
    await until(() => count("test.item") >= 6 && count("audit.entry") >= 7);
    await setTimeout(100);
    // The request that began it tells as well.
    expect([count("test.item"), count("audit.entry")]).toEqual([6, 7]);
  });

  test("rows that a constraint refuses are listed with the reason, all others are written", async () => {
    await all.fill(6_000, { title: "CASE WHEN i = 4000 THEN '=1+1' ELSE 'item ' || i END" });
    await all.query("INSERT INTO test_item_holder SELECT unnest(ARRAY[5, 1500, 4000])");
    const job = await begin(10, { operation: "delete", query: {} });
    const done = await all.finish(10, job.id);
    expect(done).toMatchObject({ status: "done", affected_count: 5_997, failed_count: 3, skipped_count: 0 });
    expect(await all.query("SELECT id FROM test_item ORDER BY id")).toEqual([
      { id: 5 },
      { id: 1500 },
      { id: 4000 },
    ]);
    const list = (await all.call(10, "GET", `/api/admin/jobs/${job.id}/failures/`)).body as {
      failures: JobFailure[];
    };
    expect(list.failures.map(({ id, reason }) => [id, reason])).toEqual([
      [5, "still_referenced"],
      [1500, "still_referenced"],
      [4000, "still_referenced"],
    ]);
    const csv = await all.call(10, "GET", `/api/admin/jobs/${job.id}/failures/?format=csv`);
    expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(csv.text.split("\n")[3]).toMatch(/^4000,'=1\+1,still_referenced,/);
    expect(await countAudit()).toEqual({ entries: 5_997, rows: 5_997 });
  });

  test("rows written after the request are left alone and listed", async () => {
    await all.fill(5_500);
    const { snapshot } = (await all.preview(10, { ...UPDATE, query: {} })).body;
    await all.query("UPDATE test_item SET views = 1, updated_at = clock_timestamp() WHERE id IN (7, 5400)");
    const job = await begin(10, { ...UPDATE, query: {}, snapshot });
    expect(await all.finish(10, job.id)).toMatchObject({ affected_count: 5_498, skipped_count: 2 });
    const list = await all.call(10, "GET", `/api/admin/jobs/${job.id}/failures/`, undefined, "tr");
    expect(list.body).toMatchObject({
      failures: [
        {
          id: 7,
          repr: "item 7",
          reason: "changed_since",
          message: "Bunlar siz baktıktan sonra değiştirildi.",
        },
        { id: 5400 },
      ],
    });
  });

  test("a job that wrote much of a table has its statistics made anew, one that wrote little leaves them", async () => {
    const readMoment = async () => {
      const [row] = await all.query<{ last: string | null }>(
        "SELECT last_analyze::text AS last FROM pg_stat_user_tables WHERE relname = 'test_item'",
      );
      return row?.last ?? null;
    };
    await all.fill(6_000, { status: "CASE WHEN i > 300 THEN 'live' ELSE 'draft' END" });
    await all.query("ANALYZE test_item");
    const before = await readMoment();
    await all.finish(10, (await begin(10, { ...UPDATE, query: {} })).id);
    const job = await begin(10, { operation: "delete", query: {} });
    // The worker is through with the first job when it begins the second.
    await until(
      async () => (await all.query("SELECT 1 FROM content_job WHERE started_at IS NULL")).length === 0,
    );
    expect(await readMoment()).toBe(before);
    await all.finish(10, job.id);
    await until(async () => (await readMoment()) !== before);
    expect(
      await all.query("SELECT reltuples::integer AS rows FROM pg_class WHERE relname = 'test_item'"),
    ).toEqual([{ rows: 0 }]);
  });

  test("a job that names no moment also writes the rows that another job is writing", async () => {
    await all.fill(6_000);
    const first = await begin(10, { ...UPDATE, query: {} });
    const second = await begin(10, { operation: "update", query: {}, data: { views: 2_000 } });
    for (const { id } of [first, second])
      expect(await all.finish(10, id)).toMatchObject({ status: "done", affected_count: 6_000 });
    expect(await countAudit()).toEqual({ entries: 12_000, rows: 6_000 });
  });

  test("a preview's number begins its job, whatever the rehearsal found to be refused", async () => {
    await all.fill(5_500);
    const body = { operation: "update", query: {}, data: { code: "same" } };
    const { count: expected_count, refusals, is_job } = (await all.preview(10, body)).body;
    expect([is_job, refusals[0]?.reason]).toEqual([true, "already_taken"]);
    const job = await begin(10, { ...body, expected_count });
    await all.call(10, "POST", `/api/admin/jobs/${job.id}/cancel/`);
    await all.finish(10, job.id);
  });

  test("a step that another process has taken leaves no row and no entry", async () => {
    await all.fill(20);
    const [job] = await all.query<JobRow>(
      `INSERT INTO content_job (id, content_type_id, operation, user_id, language, scope, data, snapshot, status, last_id)
     SELECT gen_random_uuid(), $1, 'update', $2, 'en', '{"query":{"search":"","filters":[],"where":null},"exclude_ids":[],"max_id":20}',
       '{"status":"live"}', 'infinity', 'cancelled', 10 RETURNING *`,
      [all.contentTypeId, all.userIds.get(10)],
    );
    if (!job) throw new Error("no job");
    const client = await all.site.database.pool.connect();
    const types = new Map([["test.item", all.contentTypeId]]);
    const deps = {
      registry: buildRegistry([item], types),
      feed: { announce: () => {} },
      writers: new Map(),
      apply: createApplyRows(new Map()),
      findPerson,
    };
    const pace = { isStopping: () => false, rest: async () => {} };
    await runJob(client, deps, { ...job, status: "running", last_id: "0" }, pace);
    client.release();
    expect(await countLive()).toBe(0);
    expect(await countAudit()).toEqual({ entries: 0, rows: 0 });
    expect(await all.query("SELECT last_id, affected_count FROM content_job")).toEqual([
      { last_id: "10", affected_count: 0 },
    ]);
  });

  test("a cancelled job keeps what is done, and says so", async () => {
    await all.fill(6_000);
    const held = await all.hold(2_500);
    const job = await begin(10, { ...UPDATE, query: {} });
    await held.untilSomebodyWaits();
    const cancelled = await all.call(10, "POST", `/api/admin/jobs/${job.id}/cancel/`);
    expect(cancelled.status).toBe(200);
    await held.letGo();
    const over = await all.finish(10, job.id);
    expect(over.status).toBe("cancelled");
    expect(over.affected_count).toBe(3_000);
    expect(over.message).toMatch(/^Cancelled\. What was done stays done: [\d,]+ objects? updated\.$/);
    expect(await countLive()).toBe(over.affected_count);
    const again = await all.call(10, "POST", `/api/admin/jobs/${job.id}/cancel/`);
    expect((again.body as Job).status).toBe("cancelled");
  });

  test.each([
    ["suspended", "UPDATE account_user SET is_active = false WHERE id = $1", "account_suspended"],
    [
      "demoted",
      "UPDATE account_user SET access_level_id = (SELECT id FROM access_level WHERE level = 5) WHERE id = $1",
      "level_too_low",
    ],
    ["deleted", "DELETE FROM account_user WHERE id = $1", "account_gone"],
  ])("a job stops when its person is %s", async (_what, sql, reason) => {
    await all.fill(6_000);
    const held = await all.hold(2_500);
    const job = await begin(20, { ...UPDATE, query: {} });
    await held.untilSomebodyWaits();
    await all.query(sql, [all.userIds.get(20)]);
    await held.letGo();
    const over = await all.finish(999, job.id);
    expect(over.status).toBe("failed");
    expect(over.affected_count).toBe(3_000);
    expect(await countLive()).toBe(over.affected_count);
    const [row] = await all.query<{ message: string }>("SELECT message FROM content_job WHERE id = $1", [
      job.id,
    ]);
    expect(row?.message).toBe(reason);
    expect(over.message).toMatch(/^Stopped\. /);
    await all.query("UPDATE account_user SET is_active = true WHERE id = $1", [all.userIds.get(20)]);
    await all.query(
      "UPDATE account_user SET access_level_id = (SELECT id FROM access_level WHERE level = 20) WHERE id = $1",
      [all.userIds.get(20)],
    );
  });

  test("a person has three unfinished jobs at most", async () => {
    await all.fill(5_001);
    await all.query(
      `INSERT INTO content_job (id, content_type_id, operation, user_id, language, scope, data, snapshot)
     SELECT gen_random_uuid(), $1, 'update', $2, 'en', '{"query":{},"exclude_ids":[],"max_id":0}', '{}', now()
     FROM generate_series(1, 3)`,
      [all.contentTypeId, all.userIds.get(10)],
    );
    const answer = await all.bulk(10, { ...UPDATE, query: {} });
    expect([answer.status, answer.body.code]).toEqual([429, "too_many_jobs"]);
    expect(await countLive()).toBe(0);
  });

  test("a job is seen by whose it is and by superusers alone", async () => {
    await all.fill(5_001);
    const job = await begin(999, { ...UPDATE, query: {} });
    await all.finish(999, job.id);
    for (const endpoint of ["", "failures/", "failures/?format=csv"])
      expect((await all.call(10, "GET", `/api/admin/jobs/${job.id}/${endpoint}`)).status).toBe(404);
    expect((await all.call(10, "POST", `/api/admin/jobs/${job.id}/cancel/`)).status).toBe(404);
    expect((await all.call(10, "GET", "/api/admin/jobs/")).body).toEqual({ jobs: [] });
    expect((await all.call(10, "GET", "/api/admin/jobs/not-a-job/")).status).toBe(404);
    expect((await all.call(5, "GET", "/api/admin/jobs/")).status).toBe(403);
    expect((await all.call(999, "GET", "/api/admin/jobs/")).body).toMatchObject({ jobs: [{ id: job.id }] });
  });

  test("jobs go thirty days after their end", async () => {
    await all.query(
      "UPDATE content_job SET finished_at = '2026-01-01T00:00:00Z' WHERE finished_at IS NOT NULL",
    );
    await removeOldJobs(all.site.database.pool, new Date("2026-01-30T00:00:00Z"));
    expect(await all.query("SELECT id FROM content_job WHERE finished_at IS NOT NULL")).not.toEqual([]);
    await removeOldJobs(all.site.database.pool, new Date("2026-02-01T00:00:00Z"));
    expect(await all.query("SELECT id FROM content_job WHERE finished_at IS NOT NULL")).toEqual([]);
  });

  test("log lines of a job name the request that put it in line", async () => {
    await all.query("DELETE FROM content_job");
    await all.query(
      `INSERT INTO content_job (id, content_type_id, operation, user_id, language, scope, data, snapshot, request_id)
     VALUES (gen_random_uuid(), $1, 'update', $2, 'en', '{"query":{},"exclude_ids":[],"max_id":0}', '{}', now(), 'the-request')`,
      [all.contentTypeId, all.userIds.get(10)],
    );
    const lines: string[] = [];
    const { site } = all;
    const worker = createJobWorker({
      pool: site.database.pool,
      leases: createLocalLeases(),
      registry: buildRegistry([item], new Map([["test.item", all.contentTypeId]])),
      feed: site.feed,
      writers: new Map(),
      apply: createApplyRows(new Map()),
      findPerson: () => Promise.reject(new Error("a fault")),
      log: createLog({ logLevel: "error" }, { write: (line) => void lines.push(line) }),
    });
    worker.start();
    await until(() => lines.length > 0);
    await worker.close();
    await all.query("DELETE FROM content_job");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      msg: "a step of a bulk job failed",
      reqId: "the-request",
    });
  });
});
