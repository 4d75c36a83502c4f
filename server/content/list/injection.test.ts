import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { EVERY_KIND_SQL, everything } from "#test/every-kind.ts";
import { toRuns } from "#test/property-runs.ts";
import { type ContentSite, openContentSite, toQuery } from "../fixture.ts";

let content: ContentSite;
/** Rows of tables that an attack would change, and a sequence that one would count on, whatever became of its statement. */
let before: string;

const ATTACKS = [
  "'; DROP TABLE test_everything; --",
  "' OR '1'='1",
  "1 OR 1=1",
  "1; SELECT nextval('attacked')",
  "'||nextval('attacked')||'",
  "\\'; DELETE FROM account_user; --",
  "$1",
  "$$; DROP TABLE test_everything; $$",
  "%' UNION SELECT password_hash FROM account_user --",
  '"; DROP TABLE test_everything; --',
  "id) FROM test_everything; DROP TABLE test_everything; --",
  "{row}.id",
  "@me",
  "__proto__",
  "constructor",
  "\u0000",
  "\ud800",
  "＇ OR 1=1",
  "(SELECT nextval('attacked'))",
  "E'\\x27'",
  "NaN",
  "1e999",
  "[1]",
  "{}",
  "null",
];

/** Every place of a list's query that takes a text. */
const PLACES: Record<string, (attack: string) => Record<string, string>> = {
  search: (attack) => ({ search: attack }),
  page: (attack) => ({ page: attack }),
  page_size: (attack) => ({ page_size: attack }),
  cursor: (attack) => ({ cursor: attack }),
  "a cursor's value": (attack) => ({
    "sort[0][field]": "text",
    cursor: Buffer.from(JSON.stringify(["test.everything,en,asc text,asc id", attack, attack])).toString(
      "base64url",
    ),
  }),
  count: (attack) => ({ count: attack }),
  where: (attack) => ({ where: attack }),
  "a name in where": (attack) => ({ where: JSON.stringify({ [attack]: [{ field: "id", value: 1 }] }) }),
  "a field in where": (attack) => ({ where: JSON.stringify({ field: attack, value: 1 }) }),
  "an operator in where": (attack) => ({
    where: JSON.stringify({ field: "text", operator: attack, value: 1 }),
  }),
  "a sort's field": (attack) => ({ "sort[0][field]": attack }),
  "a sort's direction": (attack) => ({ "sort[0][field]": "id", "sort[0][direction]": attack }),
  "a sort's index": (attack) => ({ [`sort[${attack}][field]`]: "id" }),
  "a filter's field": (attack) => ({ "filters[0][field]": attack, "filters[0][value]": "1" }),
  "a filter's operator": (attack) => ({ "filters[0][field]": "text", "filters[0][operator]": attack }),
  "a filter's index": (attack) => ({ [`filters[${attack}][field]`]: "text" }),
};

async function readState(): Promise<string> {
  const { rows } = await content.site.database.pool.query(
    `SELECT (SELECT json_agg(e) FROM test_everything e) AS everything, (SELECT json_agg(u.id) FROM account_user u) AS users,
       (SELECT is_called FROM attacked) AS is_attacked`,
  );
  return JSON.stringify(rows);
}

/** An attack does nothing but find nothing, or is refused. */
async function expectHarmless(query: Record<string, string>): Promise<void> {
  const { status, body } = await content.list("everything", query);
  expect([200, 400]).toContain(status);
  expect(JSON.stringify(body)).not.toContain("argon2");
}

beforeAll(async () => {
  content = await openContentSite([everything], `${EVERY_KIND_SQL}; CREATE SEQUENCE attacked`);
  await content.site.database.pool.query(
    "INSERT INTO test_everything (title, text, integer, relation) VALUES ('a', 'b', 1, NULL), ('c', NULL, NULL, 1)",
  );
  before = await readState();
});
afterAll(() => content.site.close());

test.each(Object.keys(PLACES))("%s takes no SQL", async (place) => {
  for (const attack of ATTACKS) await expectHarmless(PLACES[place]?.(attack) ?? {});
  expect(await readState()).toBe(before);
});

test("no value of a filter is SQL, whatever its field and operator", async () => {
  const info = await content.call("GET", content.objects("everything").replace("objects/", ""));
  const fields = info.body.fields as { name: string; operators: string[] }[];
  for (const { name, operators } of [{ name: "id", operators: ["exact", "in", "range"] }, ...fields])
    for (const operator of operators)
      await Promise.all(
        ATTACKS.map((attack) =>
          expectHarmless({
            "filters[0][field]": name,
            "filters[0][operator]": operator,
            "filters[0][value]": operator === "range" ? `${attack},${attack}` : attack,
          }),
        ),
      );
  expect(await readState()).toBe(before);
});

test("any JSON is a condition that finds nothing, or is refused", async () => {
  const info = await content.call("GET", content.objects("everything").replace("objects/", ""));
  const names = (info.body.fields as { name: string }[]).map(({ name }) => name);
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(
      { toString: 1 },
      { toString: null, valueOf: null },
      { __proto__: null },
      ["text"],
      [["in"]],
    ),
  );
  const part = fc.record(
    {
      field: fc.oneof(
        { arbitrary: fc.constantFrom("id", ...names), weight: 4 },
        { arbitrary: odd, weight: 1 },
      ),
      operator: fc.oneof(fc.constantFrom("exact", "in", "range", "contains", "isnull"), odd),
      value: odd,
    },
    { requiredKeys: [] },
  );
  const condition = fc.oneof(
    part,
    odd,
    fc.record({ and: fc.array(part) }),
    fc.record({ not: odd }),
    fc.record({ or: odd }),
  );
  await fc.assert(
    fc.asyncProperty(condition, (where) => expectHarmless({ where: JSON.stringify(where) })),
    { seed: 20_261_121, numRuns: toRuns(250, 1_000) },
  );
  expect(await readState()).toBe(before);
});

test("a search for SQL finds nothing, a search for its letters finds them", async () => {
  const found = async (search: string) => (await content.list("everything", { search })).body.objects.length;
  expect(await found("' OR '1'='1")).toBe(0);
  expect(await found("%")).toBe(0);
  expect(await found("a")).toBe(1);
});

test.each(["abc", "1%20OR%201=1", "1;DROP%20TABLE%20test_everything", "%00", "1'", "-1", "1.5"])(
  "the id %s of a model or an object is none",
  async (id) => {
    for (const url of [
      content.objects("everything", `${id}/`),
      `/api/admin/models/${id}/objects/${toQuery({})}`,
    ]) {
      const { status } = await content.call("GET", url);
      expect([400, 404]).toContain(status);
    }
    expect(await readState()).toBe(before);
  },
);
