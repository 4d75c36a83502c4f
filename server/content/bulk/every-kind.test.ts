import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { BulkAnswer, BulkPreview } from "#contract/content/bulk.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { EVERY_KIND_SQL, everyKindRow, everything } from "#test/every-kind.ts";

let site: TestApp;
let authorization: string;
let objects: string;

async function call<Answer>(
  method: "GET" | "POST",
  endpoint: string,
  body?: object,
): Promise<{ status: number; body: Answer }> {
  const url = `${objects}${endpoint}`;
  const headers = { authorization };
  const answer = await site.app.inject({ method, url, headers, ...(body && { payload: body }) });
  return { status: answer.statusCode, body: answer.json() as Answer };
}

type Row = Record<string, unknown>;
const read = async (id: number) => (await call<Row>("GET", `${id}/`)).body;

beforeAll(async () => {
  site = await createTestApp({ extraModels: [everything], setUpSql: EVERY_KIND_SQL });
  ({ authorization } = await site.signInAs(999));
  const { rows } = await site.database.pool.query<{ id: number }>(
    "SELECT id FROM content_type WHERE app_label = $1 AND model_name = $2",
    [everything.app, everything.name],
  );
  objects = `/api/admin/models/${rows[0]?.id}/objects/`;
  for (const i of [1, 2, 3]) expect((await call("POST", "", everyKindRow(i))).status).toBe(201);
});
afterAll(() => site.close());

const many = Object.entries(everything.fields).find(([, field]) => field.through)?.[0] ?? "";
const VALUES: [string, unknown][] = [
  ...Object.entries(everyKindRow(3)),
  ["relation", 2],
  [many, [2, 3]],
  [many, []],
  ["json", null],
  ["choices", null],
  ["secret", null],
];

test.each(VALUES)(
  "%s is written for many rows as it is for one, and its preview shows that",
  async (name, value) => {
    const body = { operation: "update", data: { [name]: value }, object_ids: [1, 2] };
    const preview = await call<BulkPreview>("POST", "bulk/preview/", body);
    expect(preview.status).toBe(200);
    const done = await call<BulkAnswer>("POST", "bulk/", body);
    expect(done.status).toBe(200);
    expect(done.body.affected_count).toBe(preview.body.count);
    const one = await site.app.inject({
      method: "PATCH",
      url: `${objects}3/`,
      headers: { authorization },
      payload: { [name]: value },
    });
    expect(one.statusCode).toBe(200);
    for (const id of [1, 2]) expect((await read(id))[name]).toEqual((await read(3))[name]);
    for (const { changes } of preview.body.samples) {
      expect(Object.keys(changes)).toContain(name);
      const isMasked = name === "secret" && value !== null;
      expect(changes[name]?.after).toEqual(isMasked ? "•••" : (await read(1))[name]);
    }
    const again = await call<BulkAnswer>("POST", "bulk/", body);
    expect(again.body).toMatchObject({ affected_count: 0, refusals: [{ reason: "unchanged", count: 2 }] });
  },
);

test("rows are deleted with what stands beside them", async () => {
  await call("POST", "bulk/", {
    operation: "update",
    data: { [many]: [2], relation: null },
    object_ids: [1, 3],
  });
  const done = await call<BulkAnswer>("POST", "bulk/", { operation: "delete", object_ids: [1] });
  expect(done.body).toMatchObject({ affected_count: 1, message: "1 object deleted" });
});
