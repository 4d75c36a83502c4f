import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { boolean, integer, pgTable, text } from "drizzle-orm/pg-core";
import { MAX_INT4 } from "#server/db/sql.ts";
import { baseColumns } from "#server/models/columns.ts";
import { declareModel, TIMESTAMP_FIELDS } from "#server/models/declare.ts";
import { asLogOwner } from "#test/database.ts";
import { type ContentSite, openContentSite, type Person } from "../fixture.ts";

const pieceTable = pgTable("test_piece", {
  ...baseColumns(),
  title: text("title").notNull(),
  position: integer("position").notNull().default(0),
  is_hidden: boolean("is_hidden").notNull().default(false),
  is_locked: boolean("is_locked").notNull().default(false),
  is_secret: boolean("is_secret").notNull().default(false),
});

/** Ordered by hand, with rows that staff may not change, and rows that they don't meet. */
const piece = declareModel({
  app: "test",
  name: "piece",
  table: pieceTable,
  labels: { en: "Piece", tr: "Parça" },
  pluralLabels: { en: "Pieces", tr: "Parçalar" },
  help: { en: "Pieces of tests.", tr: "Test parçaları." },
  fields: {
    title: { kind: "text", labels: { en: "Title", tr: "Başlık" } },
    position: { kind: "order", labels: { en: "Position", tr: "Sıra" }, required: false },
    is_hidden: { kind: "boolean", labels: { en: "Hidden", tr: "Gizli" } },
    is_locked: { kind: "boolean", labels: { en: "Locked", tr: "Kilitli" } },
    is_secret: { kind: "boolean", labels: { en: "Secret", tr: "Gizli" } },
    ...TIMESTAMP_FIELDS,
  },
  title: "title",
  list: ["title"],
  defaultSort: [{ field: "position", direction: "asc" }],
  access: { view: 10, create: 10, update: 50, delete: 999 },
  rows: [
    {
      belowLevel: 999,
      operations: ["view"],
      where: { field: "is_secret", operator: "exact", value: "false" },
    },
    {
      belowLevel: 999,
      operations: ["update"],
      where: { field: "is_locked", operator: "exact", value: "false" },
    },
  ],
});
const { position: _position, ...unorderedFields } = piece.fields;
/** The same rows in another order: nothing to move. */
const unordered = declareModel({ ...piece, name: "unordered", fields: unorderedFields, defaultSort: [] });
/** Only superusers write its order. */
const guarded = declareModel({
  ...piece,
  name: "guarded",
  fields: {
    ...piece.fields,
    position: {
      ...piece.fields.position,
      kind: "order",
      labels: { en: "Position", tr: "Sıra" },
      required: false,
      writeLevel: 999,
    },
  },
});

const SQL = `CREATE TABLE test_piece (
  id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
  title text NOT NULL, position integer NOT NULL DEFAULT 0, is_hidden boolean NOT NULL DEFAULT false,
  is_locked boolean NOT NULL DEFAULT false, is_secret boolean NOT NULL DEFAULT false)`;

let content: ContentSite;
let reader: Person;
let editor: Person;
let user: Person;

beforeAll(async () => {
  content = await openContentSite([piece, unordered, guarded], SQL);
  reader = await content.site.signInAs(10);
  editor = await content.site.signInAs(50);
  user = await content.site.signInAs(1);
});
afterAll(() => content.site.close());

const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await content.site.database.pool.query<Row>(sql, values)).rows;

/** Rows 1, 2, 3 … with these numbers. */
async function fill(places: readonly number[], columns = ""): Promise<void> {
  await query("TRUNCATE test_piece RESTART IDENTITY");
  await asLogOwner(content.site.database.pool, "DELETE FROM audit_entry");
  await query(
    `INSERT INTO test_piece (title, position) SELECT 'piece ' || n, place FROM unnest($1::int[]) WITH ORDINALITY AS given(place, n)`,
    [places],
  );
  if (columns) await query(columns);
}
beforeEach(() => fill([1, 2, 3, 4]));

const readOrder = async () =>
  (await query<{ id: number }>("SELECT id FROM test_piece ORDER BY position, id")).map((row) => row.id);
const readEntries = () =>
  query<{
    object_id: string;
    detail: string;
    changes: object;
    user_id: number;
    change_message: string;
    object_repr: string;
  }>("SELECT * FROM audit_entry WHERE action_type = 'UPDATE' ORDER BY id");
const move = (id: number, before: unknown, as: Person = content.owner, model = "piece") =>
  content.call("POST", content.objects(model, `${id}/move/`), { as, body: { before } });

test("puts an object before another one, and behind the last", async () => {
  expect(await move(3, 1)).toMatchObject({ status: 200, body: { is_moved: true } });
  expect(await readOrder()).toEqual([3, 1, 2, 4]);
  expect((await move(1, null)).status).toBe(200);
  expect(await readOrder()).toEqual([3, 2, 4, 1]);
  const listed = await content.list("piece");
  expect(listed.body.objects.map(({ id }: { id: number }) => id)).toEqual([3, 2, 4, 1]);
});

test("each changed row has its own entry: the moved one, and those that made room", async () => {
  const { body } = await move(3, 2);
  expect(body.places).toEqual([
    { id: 3, place: 2 },
    { id: 2, place: 3 },
  ]);
  expect(await readEntries()).toMatchObject([
    {
      object_id: "3",
      object_repr: "piece 3",
      detail: "move",
      user_id: content.owner.userId,
      change_message: "Changed position",
      changes: { position: { before: 3, after: 2 } },
    },
    { object_id: "2", detail: "renumber", changes: { position: { before: 2, after: 3 } } },
  ]);
});

test("where it stands already nothing is written", async () => {
  for (const before of [3, null]) {
    const answer = await move(before === 3 ? 2 : 4, before);
    expect(answer).toMatchObject({ status: 200, body: { is_moved: false, places: [] } });
  }
  expect(await readEntries()).toEqual([]);
});

test.each([
  ["ties", [5, 5, 5, 5]],
  ["gaps", [-70, 1, 900, 901]],
  ["the highest numbers that there are", [MAX_INT4 - 2, MAX_INT4 - 1, MAX_INT4, MAX_INT4]],
  ["the lowest numbers that there are", [-MAX_INT4, -MAX_INT4, 1 - MAX_INT4, 2 - MAX_INT4]],
])("%s are no hindrance", async (_name, places) => {
  await fill(places);
  await move(4, 1);
  expect(await readOrder()).toEqual([4, 1, 2, 3]);
  await move(1, 3);
  expect(await readOrder()).toEqual([4, 2, 1, 3]);
  await move(4, null);
  expect(await readOrder()).toEqual([2, 1, 3, 4]);
});

test("hidden objects have their place like the others", async () => {
  await query("UPDATE test_piece SET is_hidden = true WHERE id = 2");
  await move(4, 2);
  expect(await readOrder()).toEqual([1, 4, 2, 3]);
});

test("people who move at once come to one order that holds what each of them did", async () => {
  await fill(Array.from({ length: 30 }, (_, index) => index + 1));
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => move(30 - index, index + 1)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const order = await readOrder();
  expect(new Set(order).size).toBe(30);
  const [{ ties }] = (await query<{ ties: number }>(
    "SELECT count(*)::int - count(DISTINCT position)::int AS ties FROM test_piece",
  )) as [{ ties: number }];
  expect(ties).toBe(0);
  for (let index = 0; index < 12; index++)
    expect(order.indexOf(30 - index)).toBe(order.indexOf(index + 1) - 1);
});

test("of 10,000 objects few are written", async () => {
  await fill(Array.from({ length: 10_000 }, (_, index) => index + 1));
  const readWritten = () => query<{ id: number; xmin: string }>("SELECT id, xmin::text FROM test_piece");
  const before = new Map((await readWritten()).map(({ id, xmin }) => [id, xmin]));
  const { body } = await move(10_000, 1);
  expect(body.places).toHaveLength(1);
  const written = (await readWritten()).filter(({ id, xmin }) => before.get(id) !== xmin);
  expect(written.map(({ id }) => id)).toEqual([10_000]);
  expect((await readOrder()).slice(0, 2)).toEqual([10_000, 1]);
});

test("others are notified of the rows that changed", async () => {
  const received = new Promise((resolve) => {
    content.site.feed.subscribeRows((key, change) => key === "test.piece" && resolve(change));
  });
  await move(3, 2);
  expect(await received).toEqual({ type: "updated", ids: [3, 2], isMany: false });
});

describe("who may", () => {
  test.each([
    ["a guest of the console", () => user, "piece", 403, "permission_denied"],
    ["who may only look", () => reader, "piece", 403, "permission_denied"],
    ["who may change objects", () => editor, "piece", 200, undefined],
    ["who may not write the order", () => editor, "guarded", 403, "permission_denied"],
    ["a superuser", () => content.owner, "guarded", 200, undefined],
    ["nobody, where there is no order by hand", () => content.owner, "unordered", 404, "not_found"],
  ] as const)("%s", async (_name, as, model, status, code) => {
    const answer = await move(3, 1, as(), model);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await readOrder()).toEqual(status === 200 ? [3, 1, 2, 4] : [1, 2, 3, 4]);
    expect(await readEntries()).toHaveLength(status === 200 ? answer.body.places.length : 0);
  });

  test("a model shows its order field only to those who may use it", async () => {
    const readField = async (as: Person, model: string) => {
      const address = content.objects(model).replace("objects/", "");
      return (await content.call("GET", address, { as })).body.order_field;
    };
    expect(await readField(editor, "piece")).toBe("position");
    expect(await readField(editor, "guarded")).toBeNull();
    expect(await readField(content.owner, "guarded")).toBe("position");
    expect(await readField(content.owner, "unordered")).toBeNull();
  });
});

describe("rules of rows", () => {
  test("a row that one doesn't meet can be neither moved nor moved before", async () => {
    await query("UPDATE test_piece SET is_secret = true WHERE id = 2");
    expect(await move(2, 1, editor)).toMatchObject({ status: 404, body: { code: "object_not_found" } });
    expect(await move(3, 2, editor)).toMatchObject({
      status: 400,
      body: { code: "validation_failed", errors: [{ field: "before", code: "related_not_found" }] },
    });
  });

  test("a row that one may not change is neither moved nor renumbered", async () => {
    await query("UPDATE test_piece SET is_locked = true WHERE id IN (1, 2)");
    expect(await move(2, 1, editor)).toMatchObject({ status: 403, body: { code: "permission_denied" } });
    expect(await move(4, 2, editor)).toMatchObject({ status: 403, body: { code: "permission_denied" } });
    expect((await move(4, 3, editor)).status).toBe(200);
    expect(await readOrder()).toEqual([1, 2, 4, 3]);
    const places = await query("SELECT position FROM test_piece WHERE id IN (1, 2) ORDER BY id");
    expect(places).toEqual([{ position: 1 }, { position: 2 }]);
  });
});

describe("what can't be is refused, and says why", () => {
  test.each([
    ["an object that isn't there", 99, 1, 404, "object_not_found"],
    ["before one that isn't there", 1, 99, 400, "validation_failed"],
    ["before itself", 1, 1, 400, "validation_failed"],
    ["a number that no id can be", 1, 2 ** 40, 400, "validation_failed"],
    ["a text in place of an id", 1, "2", 400, "validation_failed"],
  ])("%s", async (_name, id, before, status, code) => {
    expect(await move(id, before)).toMatchObject({ status, body: { code, status } });
    expect(await readOrder()).toEqual([1, 2, 3, 4]);
  });

  test("a body without the place, or with more than it", async () => {
    for (const body of [{}, { before: 1, after: 2 }])
      expect((await content.call("POST", content.objects("piece", "3/move/"), { body })).status).toBe(400);
  });
});

test("the change of an order field by hand and a move give one order", async () => {
  await Promise.all([
    move(4, 1),
    content.call("PATCH", content.objects("piece", "2/"), { body: { position: 50 } }),
    move(3, null),
  ]);
  const order = await readOrder();
  expect(order.indexOf(4)).toBeLessThan(order.indexOf(1));
  expect(new Set(order).size).toBe(4);
});
