import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type AbortableQueries, createAbortableQueries } from "#server/db/abortable-queries.ts";
import { buildRegistry } from "#server/models/registry/registry.ts";
import { ARTICLE_INDEX_SQL, ARTICLE_SQL, article } from "#test/article.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { toView } from "../records/access.ts";
import { createParameters } from "../records/record-sql.ts";
import { isEstimable, measureExact, measureTotal } from "./measure-total.ts";
import { parseListQuery, whereSql } from "./query.ts";

const ROWS = 200_000;
const READER = { lang: "en", level: 999, userId: null } as const;
const model = buildRegistry([article], new Map()).models[0];
if (!model) throw new Error("no model");
const view = toView(model, READER.level);

/** What a count may take, many times over: a busy machine counts what a free one counts. */
const PATIENCE = 1_000;
/** Nobody goes. */
const STAYS = new AbortController().signal;

let database: TestDatabase;
let queries: AbortableQueries;

beforeAll(async () => {
  database = await createTestDatabase();
  queries = createAbortableQueries(database.pool);
  // Words that the planner knows nothing of: "needle" in every third title, "pin" in few.
  await database.pool.query(`${ARTICLE_SQL};
    INSERT INTO test_article (title, body, status, views)
    SELECT left(md5(i::text), 6) || CASE WHEN i % 3 = 0 THEN ' a needle' WHEN i % 1000 = 1 THEN ' a pin' ELSE ' ' END || right(md5(i::text), 6),
           'text', (ARRAY['draft', 'published', 'published', 'published'])[1 + i % 4], i % 10
    FROM generate_series(1, ${ROWS}) i;
    ${ARTICLE_INDEX_SQL}; ANALYZE test_article`);
});
afterAll(async () => {
  await queries.close();
  await database.close();
});

function toCounted(query: Record<string, string>) {
  const scope = parseListQuery(view, query);
  const { add, values } = createParameters();
  return {
    counted: { model: view.model, where: whereSql(view, scope, READER, add), values },
    canEstimate: isEstimable(view, scope),
  };
}

function toFilter(field: string, operator: string, value: string): Record<string, string> {
  return { "filters[0][field]": field, "filters[0][operator]": operator, "filters[0][value]": value };
}

async function countTruly(query: Record<string, string>): Promise<number> {
  const { counted } = toCounted(query);
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS count FROM test_article t ${counted.where}`,
    counted.values,
  );
  return rows[0].count;
}

const LARGE: [string, Record<string, string>][] = [
  ["everything", {}],
  ["one value of a column", toFilter("status", "exact", "published")],
  ["a range", toFilter("views", "range", "2,7")],
  ["a search for what the planner can't judge", { search: "needle" }],
  ["a part of a text", toFilter("title", "contains", "NEEDLE")],
  [
    "conditions that depend on each other",
    {
      where:
        '{"and":[{"field":"status","value":"published"},{"field":"views","operator":"in","value":[1,3,5]}]}',
    },
  ],
  [
    "a group of alternatives",
    {
      where: '{"or":[{"field":"views","value":1},{"field":"title","operator":"contains","value":"needle"}]}',
    },
  ],
];

test.each(LARGE)("the estimate of %s is honest within 20 %%, and flagged", async (_, query) => {
  const { counted, canEstimate } = toCounted(query);
  const { count, isEstimate } = await measureTotal(database.pool, counted, canEstimate, PATIENCE);
  const truth = await countTruly(query);
  expect(isEstimate).toBe(true);
  expect(Math.abs(count - truth) / truth).toBeLessThan(0.2);
});

const SMALL: [string, Record<string, string>][] = [
  ["a search for few rows", { search: "a pin" }],
  ["a search for nothing", { search: "zzzzzz" }],
  ["few ids", { where: '{"field":"id","operator":"lte","value":500}' }],
];

test.each(SMALL)("%s is counted", async (_, query) => {
  const { counted, canEstimate } = toCounted(query);
  expect(await measureTotal(database.pool, counted, canEstimate, PATIENCE)).toEqual({
    count: await countTruly(query),
    isEstimate: false,
  });
});

test("the exact number is counted on request, whatever its size", async () => {
  const { counted } = toCounted({ search: "needle" });
  expect(
    await measureExact(database.pool, queries, counted, false, { patience: PATIENCE, abandoned: STAYS }),
  ).toEqual({
    count: Math.floor(ROWS / 3),
    isEstimate: false,
  });
});

test("an exact count that takes too long gives the flagged estimate, and leaves its connection good", async () => {
  const slow = { ...toCounted({}).counted, where: "WHERE (SELECT pg_sleep(100000)::text) IS NOT NULL" };
  const { count, isEstimate } = await measureExact(database.pool, queries, slow, true, {
    limitMs: 20,
    abandoned: STAYS,
  });
  expect(isEstimate).toBe(true);
  expect(Math.abs(count - ROWS) / ROWS).toBeLessThan(0.2);
  const { rows } = await database.pool.query("SHOW statement_timeout");
  expect(rows).toEqual([{ statement_timeout: "0" }]);
});
