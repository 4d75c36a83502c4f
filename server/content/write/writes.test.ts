import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type pg from "pg";
import type { RowChange } from "#server/db/change-notices.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { EVERY_KIND_SQL, everyKindRow, everything } from "#test/every-kind.ts";
import { meetAtLock } from "#test/meet-at-lock.ts";

/** The same table without relations to many: its rows are written by one statement each. */
const { relation_many: _many, ...plainFields } = everything.fields;
const plain = { ...everything, name: "plain", fields: plainFields };

type Person = { authorization: string; userId: number };
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

let site: TestApp;
let owner: Person;
let staff: Person;
let types: Record<string, number>;

async function call(
  method: Method,
  url: string,
  options: { as?: Person; body?: object; ifMatch?: string } = {},
) {
  const { as = owner, body, ifMatch } = options;
  const headers = { authorization: as.authorization, ...(ifMatch !== undefined && { "if-match": ifMatch }) };
  const answer = await site.app.inject({ method, url, headers, ...(body && { payload: body }) });
  return {
    status: answer.statusCode,
    body: answer.body ? JSON.parse(answer.body) : undefined,
    etag: String(answer.headers.etag),
  };
}

async function readAudit(model: string, id: number) {
  const { rows } = await site.database.pool.query(
    "SELECT * FROM audit_entry WHERE content_type_id = $1 AND object_id = $2 ORDER BY id",
    [types[model], String(id)],
  );
  return rows;
}

beforeAll(async () => {
  site = await createTestApp({ extraModels: [everything, plain], setUpSql: EVERY_KIND_SQL });
  owner = await site.signInAs(999);
  staff = await site.signInAs(10);
  const { body } = await call("GET", "/api/admin/models/");
  types = Object.fromEntries(
    body.models.map((model: { model_name: string; content_type_id: number }) => [
      model.model_name,
      model.content_type_id,
    ]),
  );
});
afterAll(() => site.close());

describe.each(["plain", "everything"])("one object of %s", (model) => {
  const at = (rest = "") => `/api/admin/models/${types[model]}/objects/${rest}`;
  const create = async (values: object = {}) =>
    (await call("POST", at(), { body: { ...everyKindRow(1), ...values } })).body.id as number;

  test("has the same version when it was made and when it is read, and the audit has all that it was made with", async () => {
    const made = await call("POST", at(), { body: { ...everyKindRow(3), hidden: "h" } });
    expect(made.status).toBe(201);
    const read = await call("GET", at(`${made.body.id}/`));
    expect(read.etag).toMatch(/^"[0-9a-f]{32}"$/);
    // A row that is being made uses no file yet.
    const { file_uses: _now, ...shown } = read.body;
    const { file_uses: _then, ...answered } = made.body;
    expect([made.etag, answered]).toEqual([read.etag, shown]);
    const [entry] = await readAudit(model, made.body.id);
    expect(entry).toMatchObject({
      action_type: "CREATE",
      user_id: owner.userId,
      object_repr: made.body.repr,
    });
    const {
      id: _id,
      repr: _repr,
      created_at: _c,
      updated_at: _u,
      computed: _x,
      fixed: _f,
      ...stored
    } = answered;
    const expected = Object.entries({ ...stored, secret: "•••" }).map(([name, after]) => [name, { after }]);
    expect(entry.changes).toEqual(Object.fromEntries(expected));
  });

  test("sent back as it is stays as it is, without an entry", async () => {
    const id = await create({ position: undefined });
    const before = await call("GET", at(`${id}/`));
    const body = everyKindRow(1);
    for (const [method, sent] of [
      ["PUT", body],
      ["PATCH", body],
      ["PATCH", {}],
    ] as const) {
      const answer = await call(method, at(`${id}/`), { body: sent, ifMatch: before.etag });
      expect([answer.status, answer.body, answer.etag]).toEqual([200, before.body, before.etag]);
    }
    expect(await readAudit(model, id)).toHaveLength(1);
  });

  test("keeps before and after of what changed, by type, and masks a secret", async () => {
    const id = await create();
    const body = { integer: 40, json: [1], secret: "new", title: everyKindRow(1).title, decimal: "9.50" };
    expect((await call("PATCH", at(`${id}/`), { body })).status).toBe(200);
    const [, entry] = await readAudit(model, id);
    expect(entry.action_type).toBe("UPDATE");
    expect(entry.change_message.replace("Changed ", "").split(", ").sort()).toEqual([
      "decimal",
      "integer",
      "json",
      "secret",
    ]);
    expect(entry.changes).toEqual({
      integer: { before: -9, after: 40 },
      json: { before: everyKindRow(1).json, after: [1] },
      decimal: { before: everyKindRow(1).decimal, after: "9.50" },
      secret: { before: "•••", after: "•••" },
    });
  });

  test("a write over a newer version is a 409 with both versions, and writes nothing", async () => {
    const id = await create();
    const { etag } = await call("GET", at(`${id}/`));
    const first = await call("PATCH", at(`${id}/`), { body: { text: "first" }, ifMatch: etag });
    expect(first.status).toBe(200);
    expect(first.etag).not.toBe(etag);
    for (const [method, body] of [
      ["PATCH", { text: "second" }],
      ["PUT", everyKindRow(2)],
      ["DELETE"],
    ] as const) {
      const stale = await call(method, at(`${id}/`), { ...(body && { body }), ifMatch: etag });
      expect(stale.status).toBe(409);
      expect(stale.body).toMatchObject({
        code: "stale_write",
        message: "Somebody else changed this meanwhile. Nothing was written.",
        current: first.body,
        current_etag: first.etag,
        submitted: body ?? {},
      });
    }
    expect((await call("GET", at(`${id}/`))).body).toEqual(first.body);
    expect(await readAudit(model, id)).toHaveLength(2);
  });

  test.each([
    ["*", (_etag: string) => "*"],
    ["a weak tag", (etag: string) => `W/${etag}`],
    ["a list of tags", (etag: string) => `"other", ${etag}`],
  ])("If-Match takes %s", async (_name, toHeader) => {
    const id = await create();
    const { etag } = await call("GET", at(`${id}/`));
    const answer = await call("PATCH", at(`${id}/`), { body: { text: "x" }, ifMatch: toHeader(etag) });
    expect(answer.status).toBe(200);
  });

  test.each(["", "abc", "W/abc", '"abc'])("If-Match refuses %j, which names no version", async (ifMatch) => {
    const id = await create();
    for (const [method, body] of [["PATCH", { text: "x" }], ["DELETE"]] as const) {
      const answer = await call(method, at(`${id}/`), { ...(body && { body }), ifMatch });
      expect([answer.status, answer.body.code]).toEqual([400, "invalid_query"]);
      expect(answer.body.message).toContain("If-Match");
    }
    expect(await readAudit(model, id)).toHaveLength(1);
  });

  test("of ten writers with the same version one wins, and the others get 409", async () => {
    const id = await create();
    const { etag } = await call("GET", at(`${id}/`));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        call("PATCH", at(`${id}/`), { body: { text: `writer ${i}` }, ifMatch: etag }),
      ),
    );
    const winners = answers.filter((answer) => answer.status === 200);
    expect(winners).toHaveLength(1);
    const losers = answers.filter((answer) => answer.status === 409);
    expect(losers).toHaveLength(9);
    for (const loser of losers) expect(loser.body.current).toEqual(winners[0]?.body);
    expect(await readAudit(model, id)).toHaveLength(2);
  });

  test("writers without a version follow each other, and each entry begins where the one before ended", async () => {
    const id = await create({ integer: 0 });
    await Promise.all(
      [1, 2, 3, 4, 5, 6].map((integer) => call("PATCH", at(`${id}/`), { body: { integer } })),
    );
    const values = (await readAudit(model, id)).slice(1).map((entry) => entry.changes.integer);
    expect(values).toHaveLength(6);
    for (const [i, change] of values.entries()) expect(change.before).toBe(i === 0 ? 0 : values[i - 1].after);
  });

  test("a field of a higher level may come back as it was read, and nothing else", async () => {
    const id = await create({ locked: "shut" });
    const same = await call("PATCH", at(`${id}/`), { as: staff, body: { locked: "shut", text: "mine" } });
    expect([same.status, same.body.text]).toEqual([200, "mine"]);
    const other = await call("PATCH", at(`${id}/`), { as: staff, body: { locked: "open", text: "lost" } });
    expect(other.status).toBe(400);
    expect(other.body.errors).toEqual([
      expect.objectContaining({ field: "locked", code: "read_only_field" }),
    ]);
    const made = await call("POST", at(), { as: staff, body: { ...everyKindRow(1), locked: "open" } });
    expect(made.body.errors).toEqual([expect.objectContaining({ field: "locked", code: "read_only_field" })]);
    const hidden = await call("PATCH", at(`${id}/`), { as: staff, body: { hidden: "x" } });
    expect(hidden.body.errors).toEqual([expect.objectContaining({ field: "hidden", code: "unknown_field" })]);
    const { body } = await call("GET", at(`${id}/`));
    expect([body.locked, body.text, body.hidden]).toEqual(["shut", "mine", null]);
  });

  test("a version says nothing of a field that its reader doesn't know", async () => {
    const id = await create();
    const before = await call("GET", at(`${id}/`), { as: staff });
    await call("PATCH", at(`${id}/`), { body: { hidden: "changed" } });
    expect((await call("GET", at(`${id}/`), { as: staff })).etag).toBe(before.etag);
    const history = await call("GET", at(`${id}/history/`), { as: staff });
    expect(JSON.stringify(history.body)).not.toMatch(/hidden/);
  });

  test("somebody else's private row does not exist, at any endpoint, also when it is gone", async () => {
    const id = await create({ is_private: true, owner: owner.userId });
    const routes: [Method, string, object?][] = [
      ["GET", `${id}/`],
      ["PATCH", `${id}/`, { text: "x" }],
      ["PUT", `${id}/`, everyKindRow(1)],
      ["GET", `${id}/history/`],
      ["GET", `${id}/dependents/`],
    ];
    for (const [method, rest, body] of routes) {
      const answer = await call(method, at(rest), { as: staff, ...(body && { body }) });
      expect([method, rest, answer.body.code]).toEqual([method, rest, "object_not_found"]);
    }
    expect(await readAudit(model, id)).toHaveLength(1);
    expect((await call("DELETE", at(`${id}/`))).status).toBe(204);
    expect((await call("GET", at(`${id}/history/`), { as: staff })).status).toBe(404);
    expect((await call("GET", at(`${id}/history/`))).body.entries).toHaveLength(2);
  });

  test("deleted leaves all that it held in the audit, and its history page by page", async () => {
    const id = await create({ locked: "shut" });
    const { body: last } = await call("PATCH", at(`${id}/`), { body: { text: "last" } });
    const { etag } = await call("GET", at(`${id}/`));
    expect((await call("DELETE", at(`${id}/`), { ifMatch: etag })).status).toBe(204);
    const entry = (await readAudit(model, id)).at(-1);
    const { id: _id, repr, computed: _x, file_uses: _uses, ...stored } = last;
    const expected = Object.entries({ ...stored, secret: "•••" }).map(([name, before]) => [name, { before }]);
    expect(entry).toMatchObject({ action_type: "DELETE", object_repr: repr });
    expect(entry.changes).toEqual(Object.fromEntries(expected));
    const first = await call("GET", at(`${id}/history/?page_size=2`));
    expect(first.body.entries.map((one: { action_type: string }) => one.action_type)).toEqual([
      "DELETE",
      "UPDATE",
    ]);
    expect(first.body.entries[0].user).toEqual({ id: owner.userId, username: "level_999" });
    const rest = await call("GET", at(`${id}/history/?page_size=2&before=${first.body.next_before}`));
    expect(rest.body.entries.map((one: { action_type: string }) => one.action_type)).toEqual(["CREATE"]);
    expect(rest.body.next_before).toBeNull();
  });

  test("is published with its number, once for each write that changed something", async () => {
    const received: [string, RowChange][] = [];
    site.feed.subscribeRows((key, change) => void (key === `test.${model}` && received.push([key, change])));
    const id = await create();
    await call("PATCH", at(`${id}/`), { body: { text: "x" } });
    await call("PATCH", at(`${id}/`), { body: { text: "x" } });
    await call("DELETE", at(`${id}/`));
    // The notices of the test before may still be on their way.
    const own = () => received.filter(([, { ids }]) => ids.includes(id));
    while (own().length < 3) await setTimeout(5);
    expect(own().map(([, { type, ids, isMany }]) => [type, ids, isMany])).toEqual([
      ["created", [id], false],
      ["updated", [id], false],
      ["deleted", [id], false],
    ]);
  });

  test("that others refer to is not deleted, and the answer names them", async () => {
    const id = await create();
    const child = await create({ relation: id });
    const { body } = await call("GET", at(`${id}/dependents/`));
    expect(body).toEqual({
      is_deletable: false,
      dependents: [expect.objectContaining({ verbose_name: "Everything", count: 1, effect: "refuse" })],
    });
    const answer = await call("DELETE", at(`${id}/`));
    expect([answer.status, answer.body.code]).toEqual([409, "still_referenced"]);
    expect(answer.body.errors).toEqual([
      { field: "", code: "referenced_by", message: "Still refers to it: Everything." },
    ]);
    await call("DELETE", at(`${child}/`));
    expect((await call("GET", at(`${id}/dependents/`))).body).toEqual({ is_deletable: true, dependents: [] });
    expect((await call("DELETE", at(`${id}/`))).status).toBe(204);
  });
});

describe("a relation to many", () => {
  const at = (rest = "") => `/api/admin/models/${types.everything}/objects/${rest}`;

  test("is written with the row, audited, part of the version, and detached by a deletion", async () => {
    const make = async (body: object) => (await call("POST", at(), { body: { title: "T", ...body } })).body;
    const [a, b, c] = [await make({ title: "A" }), await make({ title: "B" }), await make({ title: "C" })];
    const made = await make({ title: "Parent", relation_many: [b.id, a.id] });
    expect(made.relation_many).toEqual([a, b].map(({ id, repr }) => ({ id, repr })));
    const before = await call("GET", at(`${made.id}/`));
    const changed = await call("PATCH", at(`${made.id}/`), {
      body: { relation_many: [b.id, c.id] },
      ifMatch: before.etag,
    });
    expect(changed.body.relation_many.map(({ id }: { id: number }) => id)).toEqual([b.id, c.id]);
    expect(changed.etag).not.toBe(before.etag);
    const again = await call("PATCH", at(`${made.id}/`), { body: { relation_many: [c.id, b.id] } });
    expect([again.status, again.etag]).toEqual([200, changed.etag]);
    const entries = await readAudit("everything", made.id);
    expect(entries).toHaveLength(2);
    expect(entries[1].changes).toEqual({
      relation_many: { before: made.relation_many, after: changed.body.relation_many },
    });
    const missing = await call("PATCH", at(`${made.id}/`), { body: { relation_many: [987_654] } });
    expect([missing.status, missing.body.code]).toEqual([400, "validation_failed"]);
    const { body } = await call("GET", at(`${b.id}/dependents/`));
    expect(body.dependents).toEqual([expect.objectContaining({ effect: "detach", count: 1 })]);
    expect((await call("DELETE", at(`${b.id}/`))).status).toBe(204);
    const left = await call("GET", at(`${made.id}/`));
    expect(left.body.relation_many.map(({ id }: { id: number }) => id)).toEqual([c.id]);
    expect((await call("DELETE", at(`${made.id}/`))).status).toBe(204);
  });

  test("that several write at once is judged as it then is: with a version one wins, without one they follow each other", async () => {
    const make = async (body: object) => (await call("POST", at(), { body: { title: "T", ...body } })).body;
    const [a, b, c] = [await make({}), await make({}), await make({})];
    const made = await make({ relation_many: [a.id] });
    const { etag } = await call("GET", at(`${made.id}/`));
    const { pool } = site.database;
    const patch =
      (ids: number[], ifMatch: { ifMatch?: string } = {}) =>
      () =>
        call("PATCH", at(`${made.id}/`), { body: { relation_many: ids }, ...ifMatch });
    const bulk = (ids: number[]) => () => {
      const body = { operation: "update", data: { relation_many: ids }, object_ids: [made.id] };
      return call("POST", at("bulk/"), { body });
    };
    const lock = (db: pg.PoolClient) =>
      db.query("SELECT FROM test_everything WHERE id = $1 FOR UPDATE", [made.id]);
    const writeAll = async (writes: (() => ReturnType<typeof call>)[]) => {
      const { answers } = await meetAtLock(pool, lock, writes);
      return answers.map(({ status }) => status).sort();
    };
    const withVersion = [[b.id], [c.id], [b.id, c.id]].map((ids) => patch(ids, { ifMatch: etag }));
    expect(await writeAll(withVersion)).toEqual([200, 409, 409]);
    expect(await writeAll([patch([a.id]), bulk([a.id, b.id]), patch([]), bulk([a.id, c.id])])).toEqual([
      200, 200, 200, 200,
    ]);
    const entries = (await readAudit("everything", made.id)).map(({ changes }) => changes.relation_many);
    expect(entries).toHaveLength(6);
    for (const [i, { before }] of entries.slice(1).entries()) expect(before).toEqual(entries[i].after);
  });
});

test("what a deletion takes along is counted through every table, also one without a model", async () => {
  const { body } = await call("GET", `/api/admin/models/${types.user}/objects/${staff.userId}/dependents/`);
  expect(body.dependents).toContainEqual({
    content_type_id: null,
    verbose_name: "Log-in sessions",
    count: 1,
    effect: "delete",
  });
});

test("what refers to the deleted object by a field says by which, so that it can be listed", async () => {
  const at = `/api/admin/models/${types.room}/objects/`;
  const made = await call("POST", at, { as: staff, body: { name: "Tea at four" } });
  const person = `/api/admin/models/${types.user}/objects/${staff.userId}/`;
  const { dependents } = (await call("GET", `${person}dependents/`)).body;
  expect(dependents).toContainEqual({
    content_type_id: types.room,
    field: "created_by",
    verbose_name: "Voice rooms",
    count: 1,
    effect: "detach",
  });
  const listed = await call(
    "GET",
    `${at}?filters[0][field]=created_by&filters[0][operator]=exact&filters[0][value]=${staff.userId}`,
  );
  expect(listed.body.objects.map(({ id }: { id: number }) => id)).toEqual([made.body.id]);
  await call("DELETE", `${at}${made.body.id}/`);
});

test("a row shows who made it, and the log of its deletion keeps their number without their name", async () => {
  const at = (rest = "") => `/api/admin/models/${types.room}/objects/${rest}`;
  const made = await call("POST", at(), { as: staff, body: { name: "Tea at five" } });
  expect(made.body).toMatchObject({ created_by: { id: staff.userId, repr: "level_10" } });
  expect(
    (await call("PATCH", at(`${made.body.id}/`), { body: { description: "With cake." } })).body,
  ).toMatchObject({
    created_by: { id: staff.userId },
  });
  expect((await call("DELETE", at(`${made.body.id}/`))).status).toBe(204);
  const entries = await readAudit("room", made.body.id);
  expect(entries.at(-1).changes.created_by).toEqual({
    before: { id: staff.userId, repr: `#${staff.userId}` },
  });
  expect(JSON.stringify(entries.map(({ changes }) => changes))).not.toContain("level_10");
});
