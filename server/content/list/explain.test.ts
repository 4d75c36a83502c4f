import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { LANGUAGES, type Language } from "#contract/languages.ts";
import { createPool } from "#server/db/pool.ts";
import { toFieldCondition } from "#server/models/condition.ts";
import type { SortTerm } from "#server/models/declare.ts";
import { DECLARED } from "#server/models/declared/all.ts";
import type { Model } from "#server/models/model.ts";
import { buildRegistry, toModelKey } from "#server/models/registry/registry.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { everything } from "#test/every-kind.ts";
import { LARGE_ARTICLE_SQL, largeArticle } from "#test/large-article.ts";
import { seedMany } from "#test/seed-many.ts";
import { superuserConnection } from "#test/test-server.ts";
import { toView } from "../records/access.ts";
import { FROM_START, type PageStatement, pageSql, type SortKey, toPhases, toSortKeys } from "./page-sql.ts";
import { EVERYTHING } from "./query.ts";

/** Enough for the planner to see what is slow; `npm run bench:explain` asks the same of a million. */
const ROWS = Number(process.env.FOYER_EXPLAIN_ROWS ?? 60_000);
/** A sort or a scan of more rows than these takes its time. */
const MANY = 10_000;
const PAGE = 21;
const DIRECTIONS = ["asc", "desc"] as const;

interface Plan {
  "Node Type": string;
  "Plan Rows": number;
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: Plan[];
}

// With a model whose rows aren't open to staff, so that the log has a rule for them.
const declarations = [...DECLARED, largeArticle, everything];
const registry = buildRegistry(
  declarations,
  new Map(declarations.map((declaration, index) => [toModelKey(declaration), index + 1])),
);
const large = registry.models.filter((model) => model.isLarge);
const ruled = large.filter((model) => model.rows.length > 0);
let database: TestDatabase;
/** Tables with many rows. */
let manyRows: ReadonlySet<string>;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(LARGE_ARTICLE_SQL);
  // Rows are put past foreign keys, which the product's role may not.
  const superuser = createPool(superuserConnection(database.connection.database), {
    name: "seed",
    max: 1,
    onError: () => {},
  });
  for (const model of large) await seedMany(superuser, model, ROWS);
  await superuser.end();
  const { rows } = await database.pool.query<{ relname: string }>(
    "SELECT relname FROM pg_class WHERE reltuples > $1",
    [MANY],
  );
  manyRows = new Set(rows.map((row) => row.relname));
});
afterAll(() => database.close());

async function explain({ text, values }: PageStatement): Promise<Plan[]> {
  const { rows } = await database.pool.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
  const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];
  return flatten(rows[0]["QUERY PLAN"][0].Plan);
}

/** What makes a plan slow; an incremental sort reads no more than the rows that tie. */
function findSlow(plan: Plan): string | undefined {
  if (plan["Node Type"] === "Seq Scan" && manyRows.has(plan["Relation Name"] ?? ""))
    return `reads all of ${plan["Relation Name"]}`;
  const input = plan.Plans?.[0]?.["Plan Rows"] ?? 0;
  if (plan["Node Type"] === "Sort" && input > MANY) return `sorts ${input} rows`;
  return undefined;
}

/** An index that the keys would have. */
function toIndexSql(model: Model, keys: readonly SortKey[]): string {
  const terms = keys.map(({ sql, direction }) => `${sql.replaceAll("t.", "")} ${direction}`);
  return `CREATE INDEX ON ${model.table} (${terms.join(", ")})`;
}

async function expectFast(model: Model, keys: readonly SortKey[], statement: PageStatement): Promise<void> {
  const plans = await explain(statement);
  const faults = plans.map(findSlow).filter((fault) => fault !== undefined);
  const used = plans.map((plan) => plan["Index Name"]).filter(Boolean);
  // The message of a failure is this object.
  expect({ model: model.key, faults, used, wanted: toIndexSql(model, keys) }).toMatchObject({ faults: [] });
}

function toParts(model: Model, sort: readonly SortTerm[], lang: Language, search = "", level = 999) {
  const view = toView(model, level);
  const reader = { lang, level, userId: 1 };
  const scope = { ...EVERYTHING, search };
  const range = { limit: PAGE, skip: 0, isFromEnd: false };
  return { view, scope, reader, range, keys: toSortKeys(view, sort, lang) };
}

/** The sort keys of a row in the middle. */
async function readMiddle(model: Model, keys: readonly SortKey[]): Promise<(string | null)[]> {
  const texts = keys.map((key, index) => `(${key.sql})::text AS k${index}`).join(", ");
  const { rows } = await database.pool.query(
    `SELECT ${texts} FROM ${model.table} t WHERE ${keys.map((key) => `${key.sql} IS NOT NULL`).join(" AND ")} OFFSET 500 LIMIT 1`,
  );
  return Object.values(rows[0] as Record<string, string>);
}

const sorts = large.flatMap((model) =>
  ["id", ...model.fields.filter((field) => field.isSortable).map((field) => field.name)].flatMap((field) =>
    DIRECTIONS.flatMap((direction) =>
      LANGUAGES.map((lang) => ({
        name: model.key,
        order: `${field} ${direction}`,
        model,
        lang,
        sort: [{ field, direction }],
      })),
    ),
  ),
);
const searches = large
  .filter((model) => model.isSearchable)
  .flatMap((model) =>
    ["ığdır", "a1b2c3", "IŞIK 1", "nothing like it"].map((search) => ({ name: model.key, model, search })),
  );

/** Ways to list the log with one line for each bulk operation. */
const FOLDED = [
  ["every line", []],
  ["bulk operations", [["batch_id", "isnull", "false"]]],
  ["single changes", [["batch_id", "isnull", "true"]]],
  ["exports", [["detail", "exact", "export"]]],
  ["what a person did", [["user", "exact", "1"]]],
] as const;

describe("at a million rows", () => {
  test.each(FOLDED)("the log folded to %s needs no sort and no scan", async (_name, filters) => {
    const model = large.find(({ key }) => key === "audit.entry");
    if (!model) throw new Error("no log");
    const parts = toParts(model, [], "en");
    const of = [["is_folded", "exact", "false"], ...filters].map(([field = "", operator = "", value = ""]) =>
      toFieldCondition(parts.view.fieldByName, { field, operator, value }),
    );
    const scope = { search: "", where: { type: "and", of } } as const;
    await expectFast(model, parts.keys, pageSql({ ...parts, scope, phase: () => undefined }));
  });

  test.each(sorts)(
    "$name sorted by $order in $lang needs no sort and no scan",
    async ({ model, sort, lang }) => {
      const parts = toParts(model, sort, lang);
      await expectFast(model, parts.keys, pageSql({ ...parts, phase: FROM_START[0] ?? (() => undefined) }));
    },
  );

  test.each(sorts)(
    "$name goes on behind a cursor by $order in $lang without a sort or a scan",
    async ({ model, sort, lang }) => {
      const parts = toParts(model, sort, lang);
      for (const phase of toPhases(parts.keys, await readMiddle(model, parts.keys)))
        await expectFast(model, parts.keys, pageSql({ ...parts, phase }));
    },
  );

  test.each(sorts.filter(({ model, sort, lang }) => toParts(model, sort, lang).keys[0]?.mayBeNull))(
    "$name goes on behind a row without a value by $order in $lang without a sort or a scan",
    async ({ model, sort, lang }) => {
      const parts = toParts(model, sort, lang);
      for (const phase of toPhases(parts.keys, [null, "5000"]))
        await expectFast(model, parts.keys, pageSql({ ...parts, phase }));
    },
  );

  test.each(large.map((model) => ({ name: model.key, model })))(
    "$name has an index for its own order",
    async ({ model }) => {
      for (const lang of LANGUAGES) {
        const parts = toParts(model, [], lang);
        await expectFast(model, parts.keys, pageSql({ ...parts, phase: () => undefined }));
      }
    },
  );

  test.each(ruled.flatMap((model) => DIRECTIONS.map((direction) => ({ name: model.key, model, direction }))))(
    "$name going $direction is as fast for staff, who meet a part of it",
    async ({ model, direction }) => {
      for (const { field } of model.defaultSort) {
        const parts = toParts(model, [{ field, direction }], "en", "", 10);
        const first = pageSql({ ...parts, phase: () => undefined });
        expect(first.text).toContain("WHERE");
        await expectFast(model, parts.keys, first);
        for (const phase of toPhases(parts.keys, await readMiddle(model, parts.keys)))
          await expectFast(model, parts.keys, pageSql({ ...parts, phase }));
      }
    },
  );

  test.each(searches)("$name is searched for $search by an index", async ({ model, search }) => {
    const parts = toParts(model, [], "en", search);
    await expectFast(model, parts.keys, pageSql({ ...parts, phase: () => undefined }));
  });
});
