import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { EVERY_KIND_SQL, everything } from "#test/every-kind.ts";
import { type ContentSite, openContentSite } from "./fixture.ts";

const SEED = 20_261_121;
const RUNS = 1_000;
const ROWS = 150;

type Value = string | number | boolean | null;
type Row = Record<string, Value> & { id: number };
type Leaf = { field: string; operator: string; value: unknown };
type Tree = Leaf | { and: Tree[] } | { or: Tree[] } | { not: Tree };

/** How values of a field are stored, sent in a filter, and ordered. */
interface FieldRule {
  values: fc.Arbitrary<string | number | boolean>;
  operators: readonly string[];
  toKey(value: string | number | boolean): string | number;
}

const ORDERED = ["exact", "gt", "gte", "lt", "lte", "in", "isnull", "range"];
const TEXT = ["contains", "exact", "iexact", "startswith", "in", "isnull"];
const texts = fc
  .array(fc.constantFrom("i", "İ", "ı", "I", "ş", "Ş", "S", "a", "%", "_", "\\"), { maxLength: 4 })
  .map((letters) => letters.join(""));
const integers = fc.integer({ min: -5, max: 5 });
const cents = fc.integer({ min: -200, max: 200 });

const FIELDS: Record<string, FieldRule> = {
  id: {
    values: fc.integer({ min: 1, max: ROWS }),
    operators: ["exact", "gt", "lte", "in", "range"],
    toKey: Number,
  },
  title: { values: texts, operators: TEXT, toKey: String },
  text: { values: texts, operators: TEXT, toKey: String },
  integer: { values: integers, operators: ORDERED, toKey: Number },
  decimal: {
    values: cents.map((value) => (value / 100).toFixed(2)),
    operators: ORDERED,
    toKey: (value) => Math.round(Number(value) * 100),
  },
  boolean: { values: fc.boolean(), operators: ["exact", "isnull"], toKey: Number },
  date: {
    values: fc.integer({ min: 1, max: 28 }).map((day) => `2026-02-${String(day).padStart(2, "0")}`),
    operators: ORDERED,
    toKey: String,
  },
  date_time: {
    values: fc.integer({ min: 0, max: 5000 }).map((ms) => new Date(1_800_000_000_000 + ms).toISOString()),
    operators: ORDERED,
    toKey: (value) => Date.parse(String(value)),
  },
  choice: {
    values: fc.constantFrom("red", "green", "blue"),
    operators: ["exact", "in", "isnull"],
    toKey: String,
  },
  relation: { values: fc.integer({ min: 1, max: 9 }), operators: ["exact", "in", "isnull"], toKey: Number },
};
const STORED = Object.keys(FIELDS).filter((name) => name !== "id");

function requireRule(name: string): FieldRule {
  const rule = FIELDS[name];
  if (!rule) throw new Error(`no rule for ${name}`);
  return rule;
}

/** Turkish and English letters alike, the way searches fold them. */
function fold(text: string): string {
  return text.replaceAll(/[İIı]/g, "i").replaceAll(/[şŞS]/g, "s");
}

function compareText(operator: string, text: string, wanted: string): boolean {
  if (operator === "contains") return fold(text).includes(fold(wanted));
  if (operator === "startswith") return fold(text).startsWith(fold(wanted));
  return fold(text) === fold(wanted);
}

/** A condition on one row: null where SQL says NULL. */
function evaluateLeaf(row: Row, { field, operator, value }: Leaf): boolean | null {
  const own = row[field] ?? null;
  if (operator === "isnull") return (own === null) === (value === "true");
  if (own === null) return null;
  if (operator === "contains" || operator === "startswith" || operator === "iexact")
    return compareText(operator, String(own), String(value));
  const { toKey } = requireRule(field);
  const key = toKey(own);
  const wanted = (Array.isArray(value) ? value : [value]).map(toKey);
  const [first = 0, second = 0] = wanted;
  switch (operator) {
    case "in":
      return wanted.includes(key);
    case "range":
      return key >= first && key <= second;
    case "gt":
      return key > first;
    case "gte":
      return key >= first;
    case "lt":
      return key < first;
    case "lte":
      return key <= first;
    default:
      return key === first;
  }
}

/** SQL's three values; `not` is "is not fulfilled". */
function evaluate(row: Row, tree: Tree): boolean | null {
  if ("and" in tree) {
    const parts = tree.and.map((part) => evaluate(row, part));
    return parts.includes(false) ? false : parts.includes(null) ? null : true;
  }
  if ("or" in tree) {
    const parts = tree.or.map((part) => evaluate(row, part));
    return parts.includes(true) ? true : parts.includes(null) ? null : false;
  }
  if ("not" in tree) return evaluate(row, tree.not) !== true;
  return evaluateLeaf(row, tree);
}

function toLeaf(field: string, operator: string): fc.Arbitrary<Leaf> {
  const { values } = requireRule(field);
  const value: fc.Arbitrary<unknown> =
    operator === "isnull"
      ? fc.constantFrom("true", "false")
      : operator === "in"
        ? fc.array(values, { minLength: 1, maxLength: 4 })
        : operator === "range"
          ? fc.tuple(values, values)
          : values;
  return value.map((given) => ({ field, operator, value: given }));
}

const leaf = fc
  .constantFrom(...Object.keys(FIELDS))
  .chain((field) =>
    fc.constantFrom(...requireRule(field).operators).chain((operator) => toLeaf(field, operator)),
  );
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    leaf,
    fc.record({ and: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ or: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie("tree") }),
  ),
}));

let content: ContentSite;
let rows: Row[];

beforeAll(async () => {
  content = await openContentSite([everything], EVERY_KIND_SQL);
  const shape = Object.fromEntries(
    STORED.map((name) => [
      name,
      name === "title" ? requireRule(name).values : fc.option(requireRule(name).values, { freq: 4 }),
    ]),
  );
  const made = fc.sample(fc.record(shape), { numRuns: ROWS, seed: SEED });
  rows = made.map((row, index) => ({ ...row, id: index + 1 }) as Row);
  const columns = STORED.map((name) => `"${name}"`).join(", ");
  await content.site.database.pool.query(
    `INSERT INTO test_everything (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::test_everything, $1)`,
    [JSON.stringify(made)],
  );
});
afterAll(() => content.site.close());

async function readIds(query: Record<string, string>): Promise<number[]> {
  const { status, body } = await content.list("everything", {
    ...query,
    page_size: "200",
    "sort[0][field]": "id",
  });
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  const ids = body.objects.map((row: { id: number }) => row.id);
  expect(body.pagination).toMatchObject({ total_count: ids.length, count_is_estimate: false });
  return ids;
}

function evaluateAll(condition: Tree): number[] {
  return rows.filter((row) => evaluate(row, condition) === true).map((row) => row.id);
}

test(`${RUNS} random groups of conditions find the rows that a plain evaluation finds`, async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(tree, async (condition) => {
      const ids = await readIds({ where: JSON.stringify(condition) });
      expect(ids).toEqual(evaluateAll(condition));
      if (ids.length > 0 && ids.length < ROWS) found += 1;
    }),
    { seed: SEED, numRuns: RUNS },
  );
  // Groups that find everything or nothing would prove little.
  expect(found).toBeGreaterThan(RUNS / 3);
}, 120_000);

test("documented filters mean the same as a group of them", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(leaf, { minLength: 1, maxLength: 3 }), async (leaves) => {
      const query = leaves.flatMap(({ field, operator, value }, index) => [
        [`filters[${index}][field]`, field],
        [`filters[${index}][operator]`, operator],
        [`filters[${index}][value]`, Array.isArray(value) ? value.join(",") : String(value)],
      ]);
      expect(await readIds(Object.fromEntries(query))).toEqual(evaluateAll({ and: leaves }));
    }),
    { seed: SEED, numRuns: 200 },
  );
}, 60_000);
