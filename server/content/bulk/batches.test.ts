import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { ActionEntry } from "#contract/accounts/admin-users.ts";
import { type BulkSite, createBulkSite } from "./fixture.ts";
import { toBatchId } from "./task.ts";

let all: BulkSite;
beforeAll(async () => {
  all = await createBulkSite();
});
afterAll(() => all.site.close());

const UPDATE = { operation: "update", data: { status: "live" } };

/** A page of the log as the documented endpoint lists it, of the items alone. */
async function list(filters: Record<string, string>, more = ""): Promise<ActionEntry[]> {
  const asked = { content_type: String(all.contentTypeId), ...filters };
  const query = Object.entries(asked).map(([field, value], at) => {
    const [operator, text] = value.includes("=") ? value.split("=") : ["exact", value];
    return `filters[${at}][field]=${field}&filters[${at}][operator]=${operator}&filters[${at}][value]=${text}`;
  });
  const answer = await all.call(999, "GET", `/api/admin/actions/?${query.join("&")}${more}`);
  return (answer.body as { actions: ActionEntry[] }).actions;
}

test("a bulk operation is one line of the folded list, and each row keeps its entry", async () => {
  await all.fill(30);
  await all.call(10, "PATCH", `/api/admin/models/${all.contentTypeId}/objects/30/`, { status: "shown" });
  await all.bulk(10, { ...UPDATE, object_ids: [1, 2, 3, 4] });
  await all.bulk(10, { ...UPDATE, object_ids: [5, 6] });

  expect(await list({})).toHaveLength(7);
  const lines = await list({ is_folded: "false" });
  expect(lines.map(({ batch }) => batch?.count)).toEqual([2, 4, undefined]);
  const id = lines[1]?.batch?.id ?? "";
  expect(lines[1]).toMatchObject({ detail: "bulk", action_type: "UPDATE", batch: { is_more: false } });

  const rows = await list({ batch_id: id });
  expect(rows.map(({ object_id }) => object_id).sort()).toEqual(["1", "2", "3", "4"]);
  expect(rows.filter(({ batch }) => batch?.count !== null)).toHaveLength(1);
});

test("the log is listed by kind: single changes, bulk operations, and what else it names", async () => {
  const kinds = [{ batch_id: "isnull=true" }, { batch_id: "isnull=false" }, { detail: "bulk" }];
  const found = await Promise.all(kinds.map((kind) => list({ ...kind, is_folded: "false" })));
  expect(found.map((lines) => lines.length)).toEqual([1, 2, 2]);
});

test("a job's many transactions are one operation", async () => {
  await all.fill(6_100);
  const answer = await all.bulk(10, { ...UPDATE, query: {} });
  expect(answer.status).toBe(202);
  const job = await all.finish(10, answer.body.job?.id ?? "");
  expect(job.affected_count).toBe(6_100);
  const lines = await list({ is_folded: "false" });
  expect(lines.map(({ batch }) => batch)).toEqual([{ id: toBatchId(job.id), count: 6_100, is_more: false }]);
});

test("an export of the log has every entry", async () => {
  const [type] = await all.query<{ id: number }>("SELECT id FROM content_type WHERE app_label = 'audit'");
  const url = `/api/admin/models/${type?.id}/objects/export/?format=ndjson&filters[0][field]=detail&filters[0][operator]=exact&filters[0][value]=bulk`;
  const answer = await all.call(999, "GET", url);
  expect(answer.text.trim().split("\n")).toHaveLength(6_100);
});
