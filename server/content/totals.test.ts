import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { buildRegistry } from "#server/models/registry.ts";
import { ARTICLE_SQL, article } from "#test/article.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTotals, type Totals } from "./totals.ts";

const ALL = { search: "", filters: [] };
const model = buildRegistry([article], new Map()).models[0];
if (!model) throw new Error("no model");

let database: TestDatabase;
let statements: number;
let totals: Totals;
let tell: (modelKey: string | undefined) => void;
let isLive: boolean;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(ARTICLE_SQL);
  await database.pool.query("INSERT INTO test_article (title) VALUES ('a'), ('b')");
});
afterAll(() => database.close());
beforeEach(() => {
  statements = 0;
  isLive = true;
  const query = ((text: string, values: unknown[]) => {
    statements += 1;
    return database.pool.query(text, values);
  }) as TestDatabase["pool"]["query"];
  totals = createTotals(
    { query },
    {
      isLive: () => isLive,
      subscribe: (listener) => {
        tell = listener;
      },
    },
  );
});

test("a total is counted once for lists that follow each other", async () => {
  expect(await totals.get(model, ALL)).toMatchObject({ count: 2, isEstimate: false });
  await totals.get(model, ALL);
  expect(statements).toBe(1);
});

test("a list after a write has the exact total", async () => {
  await totals.get(model, ALL);
  await database.pool.query("INSERT INTO test_article (title) VALUES ('c')");
  tell("test.article");
  expect((await totals.get(model, ALL)).count).toBe(3);
  tell("cv.certificate");
  await totals.get(model, ALL);
  expect(statements).toBe(2);
});

test("a total that was being counted during a change is not kept", async () => {
  const first = totals.get(model, ALL);
  tell("test.article");
  await first;
  await totals.get(model, ALL);
  expect(statements).toBe(2);
});

test("each search and filter has its own total", async () => {
  expect((await totals.get(model, { ...ALL, search: "a" })).count).toBe(1);
  expect((await totals.get(model, { ...ALL, search: "zzz" })).count).toBe(0);
  expect((await totals.get(model, { ...ALL, search: "a" })).count).toBe(1);
  expect(statements).toBe(2);
});

test("nothing is kept while nobody hears of changes", async () => {
  isLive = false;
  await totals.get(model, ALL);
  await totals.get(model, ALL);
  expect(statements).toBe(2);
});
