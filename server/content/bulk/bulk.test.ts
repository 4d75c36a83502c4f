import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type BulkSite, createBulkSite } from "./fixture.ts";

let all: BulkSite;
beforeAll(async () => {
  all = await createBulkSite([0, 1, 5, 10, 999]);
});
afterAll(() => all.site.close());

const statuses = async () =>
  (await all.query<{ id: number; status: string }>("SELECT id, status FROM test_item ORDER BY id")).map(
    ({ status }) => status,
  );
const countAudit = async () =>
  (
    await all.query<{ count: number }>(
      "SELECT count(*)::integer AS count FROM audit_entry WHERE content_type_id = $1",
      [all.contentTypeId],
    )
  )[0]?.count;

const UPDATE = { operation: "update", data: { status: "live" } };

describe("what is asked", () => {
  test("neither ids nor a query is nothing selected", async () => {
    await all.fill(2);
    for (const body of [
      UPDATE,
      { ...UPDATE, object_ids: [] },
      { ...UPDATE, object_ids: [1], exclude_ids: [1] },
    ]) {
      const answer = await all.bulk(10, body);
      expect([answer.status, answer.body.code]).toEqual([400, "nothing_selected"]);
    }
    expect(await statuses()).toEqual(["draft", "draft"]);
  });

  test.each([
    [{ filters: [{ field: "nope", value: "1" }] }, "unknown_field", "nope"],
    [{ filters: [{ field: "note", value: "1" }] }, "unknown_field", "note"],
    [{ filters: [{ field: "status", operator: "gt", value: "1" }] }, "unknown_operator", "gt"],
    [{ where: { and: [{ field: "nope", value: "1" }] } }, "unknown_field", "nope"],
    [{ where: { nand: [] } }, "invalid_query", "where"],
  ])("the query %j names its fault", async (query, code, name) => {
    const answer = await all.bulk(10, { ...UPDATE, query });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.body.message).toContain(name);
  });

  test.each([
    { ...UPDATE, query: { filter: [{ field: "status", value: "x" }] } },
    { ...UPDATE, query: { filters: [{ field: "status", values: "x" }] } },
    { ...UPDATE, query: {}, exlude_ids: [1] },
  ])("a mistyped name in %j does not write every row", async (body) => {
    await all.fill(3);
    expect((await all.bulk(10, body)).status).toBe(400);
    expect(await statuses()).toEqual(["draft", "draft", "draft"]);
  });

  test("an update says what to write, in fields that its person may write", async () => {
    await all.fill(2);
    const faults = async (data: object) =>
      (await all.bulk(10, { operation: "update", object_ids: [1], data })).body.errors?.map(
        ({ field, code }) => `${field} ${code}`,
      );
    expect(await faults({})).toEqual(["data required"]);
    expect(await faults({ nope: 1 })).toEqual(["nope unknown_field"]);
    expect(await faults({ note: "x" })).toEqual(["note unknown_field"]);
    expect(await faults({ is_locked: true })).toEqual(["is_locked read_only_field"]);
    expect(await faults({ updated_at: "2020-01-01T00:00:00Z" })).toEqual(["updated_at read_only_field"]);
    expect(await faults({ title: "" })).toEqual(["title required"]);
  });

  test("more than 5,000 ids are refused", async () => {
    const object_ids = Array.from({ length: 5001 }, (_, index) => index + 1);
    expect((await all.bulk(10, { ...UPDATE, object_ids })).status).toBe(400);
  });
});

describe("at once", () => {
  test("rows are written with an audit entry for each, and the answer says so in both languages", async () => {
    await all.fill(30);
    const object_ids = Array.from({ length: 25 }, (_, index) => index + 1);
    const answer = await all.bulk(10, { ...UPDATE, object_ids });
    expect(answer).toMatchObject({
      status: 200,
      body: { affected_count: 25, message: "25 objects updated", refusals: [], job: null },
    });
    expect((await statuses()).filter((status) => status === "live")).toHaveLength(25);
    const entries = await all.query(
      "SELECT DISTINCT action_type, detail, user_id, changes FROM audit_entry WHERE content_type_id = $1",
      [all.contentTypeId],
    );
    expect(entries).toEqual([
      {
        action_type: "UPDATE",
        detail: "bulk",
        user_id: all.userIds.get(10),
        changes: { status: { before: "draft", after: "live" } },
      },
    ]);
    expect(await countAudit()).toBe(25);
    const one = await all.bulk(10, { operation: "delete", object_ids: [1] });
    expect(one.body.message).toBe("1 object deleted");
    const turkish = await all.bulk(10, { operation: "delete", object_ids: [2, 3] }, "tr");
    expect(turkish.body.message).toBe("2 nesne silindi");
  });

  test("rows that a rule keeps, that have the value already or that are gone are left alone and told", async () => {
    await all.fill(6, {
      is_locked: "i = 1",
      is_secret: "i = 2",
      status: "CASE WHEN i = 3 THEN 'live' ELSE 'draft' END",
    });
    const answer = await all.bulk(10, { ...UPDATE, object_ids: [1, 2, 3, 4, 99, 3_000_000_000] }, "tr");
    expect(answer.body.affected_count).toBe(1);
    expect(answer.body.message).toBe("1 nesne güncellendi, 5 nesne olduğu gibi bırakıldı");
    expect(
      Object.fromEntries(answer.body.refusals.map(({ reason, count, ids }) => [reason, [count, ids]])),
    ).toEqual({
      row_rule: [1, [1]],
      unchanged: [1, [3]],
      object_not_found: [3, [2, 99, 3_000_000_000]],
    });
    expect(answer.body.refusals[0]?.message).toMatch(/yetkiniz yok/);
    expect(await statuses()).toEqual(["draft", "draft", "live", "live", "draft", "draft"]);
    expect(await countAudit()).toBe(1);
  });

  test("what a constraint refuses names its field and undoes everything", async () => {
    await all.fill(5);
    const answer = await all.bulk(10, { operation: "update", object_ids: [1, 2], data: { code: "same" } });
    expect(answer).toMatchObject({
      status: 409,
      body: { code: "conflict", errors: [{ field: "code", code: "already_taken" }] },
    });
    await all.query("INSERT INTO test_item_holder VALUES (2)");
    const deletion = await all.bulk(10, { operation: "delete", query: {} });
    expect([deletion.status, deletion.body.code]).toEqual([409, "still_referenced"]);
    expect(await statuses()).toHaveLength(5);
    expect(await countAudit()).toBe(0);
  });

  test("rows written or made since the snapshot are left alone", async () => {
    await all.fill(4);
    const { snapshot, count } = (await all.preview(10, { ...UPDATE, query: {} })).body;
    await all.query("UPDATE test_item SET views = 7, updated_at = clock_timestamp() WHERE id = 2");
    await all.query("INSERT INTO test_item (title) VALUES ('new')");
    const answer = await all.bulk(10, { ...UPDATE, query: {}, snapshot, expected_count: count });
    expect(answer.status).toBe(200);
    expect(answer.body.refusals).toMatchObject([{ reason: "changed_since", count: 2, ids: [2, 5] }]);
    expect(await statuses()).toEqual(["live", "draft", "live", "live", "draft"]);
  });

  test("rows that a transaction was writing while the preview looked count as written since", async () => {
    await all.fill(4);
    const other = await all.site.database.pool.connect();
    await other.query("BEGIN");
    await other.query("UPDATE test_item SET status = 'theirs', updated_at = clock_timestamp() WHERE id = 2");
    await other.query("INSERT INTO test_item (title) VALUES ('new')");
    const { snapshot } = (await all.preview(10, { operation: "delete", query: {} })).body;
    await other.query("COMMIT");
    other.release();
    const answer = await all.bulk(10, { operation: "delete", query: {}, snapshot });
    expect(answer.body.refusals).toMatchObject([{ reason: "changed_since", ids: [2, 5] }]);
    expect(await statuses()).toEqual(["theirs", "draft"]);
  });

  test.each(["0000-01-01T00:00:00Z", "2026-01-01T00:00:00+23:59"])(
    "the snapshot %s is refused, however many rows it is for",
    async (snapshot) => {
      for (const count of [3, 5_001]) {
        await all.fill(count);
        const answer = await all.bulk(10, { ...UPDATE, query: {}, snapshot });
        expect([answer.status, answer.body.code]).toEqual([400, "validation_failed"]);
      }
    },
  );

  test("rows that somebody else holds for too long are answered with the time to ask again", async () => {
    await all.fill(2);
    await all.query(
      `CREATE FUNCTION test_held() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'held' USING ERRCODE = '55P03'; END $$;
       CREATE TRIGGER held BEFORE UPDATE ON test_item FOR EACH ROW EXECUTE FUNCTION test_held()`,
    );
    const url = `/api/admin/models/${all.contentTypeId}/objects/bulk/`;
    const answer = await all.call(10, "POST", url, { ...UPDATE, query: {} });
    expect(answer).toMatchObject({
      status: 503,
      body: { code: "unavailable" },
      headers: { "retry-after": "2" },
    });
    await all.query("DROP FUNCTION test_held CASCADE");
  });

  test("a number that has drifted writes nothing", async () => {
    await all.fill(4);
    const answer = await all.bulk(10, { ...UPDATE, query: {}, expected_count: 3 });
    expect([answer.status, answer.body.code]).toEqual([409, "count_changed"]);
    expect(answer.body.message).toContain("4");
    expect(await statuses()).toEqual(["draft", "draft", "draft", "draft"]);
    expect(await countAudit()).toBe(0);
  });

  test("a single writer and a bulk operation on the same row both take effect, one after the other", async () => {
    await all.fill(50);
    const [bulk, ...singles] = await Promise.all([
      all.bulk(10, { ...UPDATE, query: {} }),
      ...Array.from({ length: 10 }, (_, index) =>
        all.call(10, "PATCH", `/api/admin/models/${all.contentTypeId}/objects/${50 - index}/`, {
          views: 2000,
        }),
      ),
    ]);
    expect([bulk.status, ...new Set(singles.map(({ status }) => status))]).toEqual([200, 200]);
    const rows = await all.query(
      "SELECT FROM test_item WHERE status = 'live' AND (id <= 40 OR views = 2000)",
    );
    expect(rows).toHaveLength(50);
    expect(await countAudit()).toBe(60);
  });
});

describe("preview", () => {
  test("tells the number, the refusals and the samples of what the operation then does", async () => {
    await all.fill(60, {
      is_locked: "i <= 5",
      is_secret: "i BETWEEN 6 AND 8",
      status: "CASE WHEN i % 10 = 0 THEN 'live' ELSE 'draft' END",
    });
    const body = {
      ...UPDATE,
      query: { where: { field: "id", operator: "lte", value: 40 } },
      exclude_ids: [11],
    };
    const previewed = await all.preview(10, body);
    expect(previewed.status).toBe(200);
    expect(previewed.body).toMatchObject({ count: 27, is_job: false, dependents: [] });
    expect(previewed.body.samples).toHaveLength(20);
    expect(previewed.body.samples[0]).toEqual({
      id: 9,
      repr: "item 9",
      changes: { status: { before: "draft", after: "live" } },
    });
    expect(await countAudit()).toBe(0);
    const { snapshot, count: expected_count } = previewed.body;
    const done = await all.bulk(10, { ...body, snapshot, expected_count });
    expect(done.body.affected_count).toBe(previewed.body.count);
    expect(done.body.refusals).toEqual(previewed.body.refusals);
    expect(await countAudit()).toBe(27);
  });

  test("of a deletion tells what goes along", async () => {
    await all.fill(3, { is_locked: "i = 3" });
    await all.query("INSERT INTO test_item_part SELECT i FROM unnest(ARRAY[1, 1, 2, 3]) AS i");
    await all.query("INSERT INTO test_item_holder VALUES (2)");
    const previewed = await all.preview(10, { operation: "delete", query: {} });
    expect(previewed.body.count).toBe(2);
    expect(previewed.body.dependents.map(({ count, effect }) => [effect, count]).sort()).toEqual([
      ["delete", 3],
      ["refuse", 1],
    ]);
    expect(previewed.body.samples[0]?.changes.title).toEqual({ before: "item 1" });
    expect(await statuses()).toHaveLength(3);
  });

  test("throws what the constraint would refuse", async () => {
    await all.fill(3);
    const previewed = await all.preview(10, { operation: "update", query: {}, data: { code: "same" } });
    expect([previewed.status, previewed.body.code]).toEqual([409, "conflict"]);
  });
});

describe("who may", () => {
  test.each(["", "preview/"])("bulk/%s is closed below level 10", async (endpoint) => {
    await all.fill(2);
    const url = `/api/admin/models/${all.contentTypeId}/objects/bulk/${endpoint}`;
    for (const level of [0, 1, 5])
      expect((await all.call(level, "POST", url, { ...UPDATE, query: {} })).status).toBe(403);
    expect(await statuses()).toEqual(["draft", "draft"]);
  });

  test("hidden rows are neither counted nor shown nor written", async () => {
    await all.fill(4, { is_secret: "i = 2" });
    const byQuery = await all.preview(10, { operation: "delete", query: {} });
    expect([byQuery.body.count, byQuery.body.samples.map(({ id }) => id)]).toEqual([3, [1, 3, 4]]);
    const byId = await all.bulk(10, { operation: "delete", object_ids: [2] });
    expect(byId.body).toMatchObject({ affected_count: 0, refusals: [{ reason: "object_not_found" }] });
    expect((await all.bulk(10, { operation: "delete", query: {} })).body.affected_count).toBe(3);
    expect(await all.query("SELECT id FROM test_item")).toEqual([{ id: 2 }]);
    expect((await all.bulk(999, { operation: "delete", query: {} })).body.affected_count).toBe(1);
  });

  test("a hidden field is in no sample", async () => {
    await all.fill(1, { note: "'only for owners'" });
    const body = { operation: "delete", query: {} };
    expect((await all.preview(999, body)).body.samples[0]?.changes.note).toEqual({
      before: "only for owners",
    });
    expect((await all.preview(10, body)).body.samples[0]?.changes).not.toHaveProperty("note");
  });
});
