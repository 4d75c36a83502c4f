import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Job } from "#contract/bulk.ts";
import type { ErrorEnvelope } from "#contract/errors.ts";
import { type BulkSite, createBulkSite } from "./fixture.ts";

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
  const [job] = await all.query<{ request_id: string }>("SELECT request_id FROM content_job WHERE id = $1", [
    id,
  ]);
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
