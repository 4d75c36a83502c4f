import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Job } from "#contract/content/bulk.ts";
import { until } from "#test/until.ts";
import { type BulkSite, createBulkSite } from "./fixture.ts";
import { openTestWorker } from "./test-worker.ts";

const ROWS = 8_000;

let all: BulkSite;
let child: ChildProcess | undefined;
beforeAll(async () => {
  all = await createBulkSite([10]);
});
afterAll(async () => {
  child?.kill("SIGKILL");
  await all.site.close();
});

/** Puts a job in line without the worker of this process hearing of it. */
async function putInLine(): Promise<string> {
  const query = { search: "", filters: [], where: null };
  const [row] = await all.query<{ id: string }>(
    `INSERT INTO content_job (id, content_type_id, operation, user_id, language, scope, data, snapshot, total_count)
     VALUES (gen_random_uuid(), $1, 'update', $2, 'en', $3, '{"status":"live"}', clock_timestamp(), $4) RETURNING id`,
    [all.contentTypeId, all.userIds.get(10), JSON.stringify({ query, exclude_ids: [], max_id: ROWS }), ROWS],
  );
  return row?.id ?? "";
}

async function readJob(id: string): Promise<Job> {
  return (await all.call(10, "GET", `/api/admin/jobs/${id}/`)).body as Job;
}

async function waitForDone(id: string, count: number): Promise<Job> {
  for (;;) {
    const job = await readJob(id);
    if (job.done_count >= count || job.finished_at !== null) return job;
    await sleep(10);
  }
}

/** As if the lease of a job had ended: nobody renewed it for so long. */
const endLease = (id: string) =>
  all.query("UPDATE work_lease SET expires_at = clock_timestamp() WHERE name = $1", [`bulk job ${id}`]);

/** Each row was written once, with its entry in the log. */
async function expectWrittenOnce(): Promise<void> {
  expect(
    await all.query(
      `SELECT count(*)::integer AS entries, count(DISTINCT object_id)::integer AS rows
       FROM audit_entry WHERE content_type_id = $1`,
      [all.contentTypeId],
    ),
  ).toEqual([{ entries: ROWS, rows: ROWS }]);
  expect(await all.query("SELECT FROM test_item WHERE status = 'live'")).toHaveLength(ROWS);
}

test("the job of a process that was killed is taken up by one that was there all the time and is woken by nobody", async () => {
  await all.fill(ROWS);
  let isOthers = false;
  const next = await openTestWorker(all.site.database.connection, () => isOthers);
  next.start();
  const id = await putInLine();
  const held = await all.hold(3_500);
  child = spawn(process.execPath, [join(import.meta.dirname, "test-worker.ts")], {
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      FOYER_TEST_WORKER: JSON.stringify(all.site.database.connection),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const begun = await waitForDone(id, 3_000);
  await held.untilSomebodyWaits();
  isOthers = true;
  child.kill("SIGKILL");
  await once(child, "exit");
  await held.letGo();
  await endLease(id);
  expect(begun).toMatchObject({ status: "running" });
  expect(await all.finish(10, id)).toMatchObject({
    status: "done",
    affected_count: ROWS,
    done_count: ROWS,
    skipped_count: 0,
  });
  await next.close();
  await expectWrittenOnce();
});

test("a process that stood still in a step, and was taken for dead, does not go on with the job", async () => {
  await all.fill(ROWS);
  const id = await putInLine();
  const stalled = await openTestWorker(all.site.database.connection);
  const held = await all.hold(3_500);
  stalled.start();
  await waitForDone(id, 3_000);
  await held.untilSomebodyWaits();
  await endLease(id);
  const next = await openTestWorker(all.site.database.connection);
  next.start();
  // Both are at the same rows now, and the first one believes that the job is its own.
  await until(async () => (await all.query("SELECT FROM content_job WHERE fence = 2")).length === 1);
  await held.letGo();
  expect(await all.finish(10, id)).toMatchObject({ status: "done", affected_count: ROWS, skipped_count: 0 });
  await stalled.close();
  await next.close();
  await expectWrittenOnce();
});

test("a worker that is closed ends its step and leaves the rest for the next", async () => {
  await all.fill(ROWS);
  const id = await putInLine();
  const first = await openTestWorker(all.site.database.connection);
  const held = await all.hold(2_500);
  first.start();
  await waitForDone(id, 1_000);
  await held.untilSomebodyWaits();
  const closed = first.close();
  await held.letGo();
  await closed;
  const left = await readJob(id);
  expect(left).toMatchObject({ status: "running", done_count: left.affected_count });
  expect(left.done_count).toBeLessThan(ROWS);
  const next = await openTestWorker(all.site.database.connection);
  next.start();
  expect(await all.finish(10, id)).toMatchObject({ status: "done", affected_count: ROWS });
  await next.close();
});
