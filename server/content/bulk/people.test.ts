import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { BulkAnswer, BulkPreview } from "#contract/content/bulk.ts";
import { createTestApp, type TestApp } from "#test/app.ts";

let site: TestApp;
let owner: { authorization: string; userId: number };
let typeId: number;

async function query<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
  return (await site.database.pool.query<Row>(sql, values)).rows;
}

async function post<Answer>(endpoint: string, body: object): Promise<{ status: number; body: Answer }> {
  const answer = await site.app.inject({
    method: "POST",
    url: `/api/admin/models/${typeId}/objects/bulk/${endpoint}`,
    headers: { authorization: owner.authorization },
    payload: body,
  });
  return { status: answer.statusCode, body: answer.json() as Answer };
}

async function readNames(): Promise<string[]> {
  const rows = await query<{ username: string }>("SELECT username FROM account_user ORDER BY id");
  return rows.map(({ username }) => username);
}

beforeAll(async () => {
  site = await createTestApp();
  owner = await site.signInAs(999);
  const [type] = await query<{ id: number }>(
    "SELECT id FROM content_type WHERE app_label = 'accounts' AND model_name = 'user'",
  );
  typeId = type?.id ?? 0;
});
afterAll(() => site.close());

beforeEach(async () => {
  await query("DELETE FROM account_user WHERE id <> $1", [owner.userId]);
  await query(
    `INSERT INTO account_user (username, email, password_hash, access_level_id, is_email_verified)
     SELECT 'person_' || i, 'person_' || i || '@example.org', 'x',
       (SELECT id FROM access_level WHERE level = CASE WHEN i = 3 THEN 999 ELSE 1 END), true
     FROM generate_series(1, 4) AS i`,
  );
});

const DELETE_ALL = { operation: "delete", query: {} };

test("people are deleted by the rules of accounts: the protected ones are refused, and the preview says so before", async () => {
  const preview = await post<BulkPreview>("preview/", DELETE_ALL);
  expect(preview.status).toBe(200);
  expect(preview.body.count).toBe(3);
  expect(preview.body.refusals.map(({ reason, count }) => [reason, count])).toEqual([
    ["own_account_protected", 1],
    ["superuser_protected", 1],
  ]);
  // The session of the refused account stays.
  expect(preview.body.dependents).toEqual([]);
  expect(preview.body.samples.map(({ repr }) => repr)).toEqual(["person_1", "person_2", "person_4"]);
  expect(await readNames()).toHaveLength(5);

  const { snapshot, count: expected_count } = preview.body;
  const done = await post<BulkAnswer>("", { ...DELETE_ALL, snapshot, expected_count });
  expect(done.status).toBe(200);
  expect(done.body.affected_count).toBe(3);
  expect(done.body.refusals).toEqual(preview.body.refusals);
  expect(await readNames()).toEqual(["level_999", "person_3"]);
});

test("people are changed with an audit entry for each", async () => {
  const body = {
    operation: "update",
    query: { filters: [{ field: "username", operator: "startswith", value: "person" }] },
    data: { is_active: false },
  };
  const preview = await post<BulkPreview>("preview/", body);
  expect(preview.body.count).toBe(4);
  expect(preview.body.samples[0]).toMatchObject({ changes: { is_active: { before: true, after: false } } });
  expect(await query("SELECT FROM account_user WHERE NOT is_active")).toHaveLength(0);
  const done = await post<BulkAnswer>("", body);
  expect(done.body).toMatchObject({ affected_count: 4, message: "4 objects updated", refusals: [] });
  expect(await query("SELECT FROM account_user WHERE NOT is_active")).toHaveLength(4);
  const entries = await query(
    "SELECT object_repr FROM audit_entry WHERE content_type_id = $1 AND action_type = 'UPDATE' AND changes ? 'is_active'",
    [typeId],
  );
  expect(entries).toHaveLength(4);
});

test("many people by a query are a job's, whose preview is in parts and whose number holds", async () => {
  await query(
    `INSERT INTO account_user (username, email, password_hash, access_level_id, is_email_verified)
     SELECT 'many_' || i, 'many_' || i || '@example.org', 'x', (SELECT id FROM access_level WHERE level = 1), true
     FROM generate_series(1, 510) AS i`,
  );
  const body = {
    operation: "update",
    query: {},
    data: { is_active: false },
  };
  const preview = await post<BulkPreview>("preview/", body);
  // One's own account is refused by its own rule, which the job meets only as it goes.
  expect(preview.body).toMatchObject({ count: 515, count_is_estimate: true, is_job: true });
  expect(preview.body.refusals).toMatchObject([{ reason: "own_account_protected", count: 1 }]);
  const { count: expected_count, snapshot } = preview.body;
  const begun = await post<BulkAnswer>("", { ...body, expected_count, snapshot });
  expect(begun.status).toBe(202);
  const read = async () =>
    (await query<{ status: string }>("SELECT status FROM content_job ORDER BY created_at DESC LIMIT 1"))[0]
      ?.status;
  while ((await read()) !== "done") await setTimeout(50);
  expect(await query("SELECT FROM account_user WHERE NOT is_active")).toHaveLength(514);
});

test("a preview of chosen people is exact, however many parts it has", async () => {
  await query(
    `INSERT INTO account_user (username, email, password_hash, access_level_id, is_email_verified)
     SELECT 'some_' || i, 'some_' || i || '@example.org', 'x', (SELECT id FROM access_level WHERE level = 1), true
     FROM generate_series(1, 250) AS i`,
  );
  const ids = (await query<{ id: number }>("SELECT id FROM account_user ORDER BY id")).map(({ id }) => id);
  const body = { operation: "update", object_ids: ids, data: { is_active: false } };
  const preview = await post<BulkPreview>("preview/", body);
  expect(preview.body).toMatchObject({ count: 254, count_is_estimate: false, is_job: false });
});
