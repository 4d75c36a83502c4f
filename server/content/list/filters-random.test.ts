import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { EVERY_KIND_SQL, everything } from "#test/every-kind.ts";
import { toRuns } from "#test/property-runs.ts";
import { type ContentSite, openContentSite, type Person, toQuery } from "../fixture.ts";

const SEED = 20_261_121;
const RUNS = toRuns(250, 1_000);
const OTHER_RUNS = toRuns(100, 200);
const ROWS = 150;

type Value = string | number | boolean | null | readonly (string | number)[] | Localized;
type Localized = { en: string | null; tr: string | null };
type Row = Record<string, Value> & { id: number };
type Leaf = { field: string; operator: string; value: unknown };
type Tree = Leaf | { and: Tree[] } | { or: Tree[] } | { not: Tree };

/** How values of a field are stored, sent in a filter, and ordered. */
interface FieldRule {
  values: fc.Arbitrary<string | number | boolean>;
  operators: readonly string[];
  toKey(value: unknown): string | number;
  /** What is stored, where that is more than one value; null: nothing is. */
  stored?: fc.Arbitrary<Value> | null;
  /** Whether a stored value, never null, fulfils a condition, where that is more than one comparison. */
  matches?(own: Value, leaf: Leaf): boolean | null;
}

const ORDERED = ["exact", "gt", "gte", "lt", "lte", "in", "isnull", "range"];
const TEXT = ["contains", "exact", "iexact", "startswith", "in", "isnull"];
const texts = fc
  .array(fc.constantFrom("i", "İ", "ı", "I", "ş", "Ş", "S", "a", "%", "_", "\\"), { maxLength: 4 })
  .map((letters) => letters.join(""));
const integers = fc.integer({ min: -5, max: 5 });
const cents = fc.integer({ min: -200, max: 200 });

const colours = fc.constantFrom("red", "green", "blue");
const days = fc.integer({ min: 1, max: 28 }).map((day) => `2026-02-${String(day).padStart(2, "0")}`);
const numbers = fc.integer({ min: 1, max: 9 });

/** Whether a list has one of the values that are asked for. */
function hasAny(own: Value, { value }: Leaf): boolean {
  return [value].flat().some((wanted) => (own as readonly unknown[]).includes(wanted));
}

/** Either language fulfils it: false where both are there and neither does. */
function matchesEither(own: Value, { operator, value }: Leaf): boolean | null {
  const { en, tr } = own as Localized; // what `stored` makes
  const met = [en, tr].map((text) => (text === null ? null : compare(text, operator, value, String)));
  return met.includes(true) ? true : met.includes(null) ? null : false;
}

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
    values: days,
    operators: ORDERED,
    toKey: String,
  },
  date_time: {
    values: fc.integer({ min: 0, max: 5000 }).map((ms) => new Date(1_800_000_000_000 + ms).toISOString()),
    operators: ORDERED,
    toKey: (value) => Date.parse(String(value)),
  },
  choice: {
    values: colours,
    operators: ["exact", "in", "isnull"],
    toKey: String,
  },
  relation: { values: numbers, operators: ["exact", "in", "isnull"], toKey: Number },
  big_integer: {
    values: integers.map((value) => 3_000_000_000 + value),
    operators: ORDERED,
    toKey: Number,
  },
  partial_date: {
    values: fc.tuple(days, fc.constantFrom(4, 7, 10)).map(([day, length]) => day.slice(0, length)),
    operators: ORDERED,
    toKey: String,
  },
  computed: { values: integers, operators: ORDERED, toKey: Number, stored: null },
  localized_text: {
    values: texts,
    operators: TEXT,
    toKey: String,
    stored: fc.tuple(fc.option(texts), fc.option(texts)).map(([en, tr]) => ({ en, tr })),
    matches: matchesEither,
  },
  choices: {
    values: colours,
    operators: ["contains", "in", "isnull"],
    toKey: String,
    stored: fc.uniqueArray(colours, { maxLength: 2 }),
    matches: hasAny,
  },
  relation_many: {
    values: numbers,
    operators: ["exact", "in", "isnull"],
    toKey: Number,
    stored: null,
    matches: hasAny,
  },
};
const STORED = Object.keys(FIELDS).filter((name) => name !== "id" && FIELDS[name]?.stored !== null);

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

function compare(own: unknown, operator: string, value: unknown, toKey: FieldRule["toKey"]): boolean {
  if (operator === "contains" || operator === "startswith" || operator === "iexact")
    return compareText(operator, String(own), String(value));
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

/** Whether it is NULL; a relation to many is where it has no row. */
function isNull(field: string, own: Value): boolean {
  return own === null || (field === "relation_many" && Array.isArray(own) && own.length === 0);
}

/** A condition on one row: null where SQL says NULL. */
function evaluateLeaf(row: Row, leaf: Leaf): boolean | null {
  const { field, operator, value } = leaf;
  const own = row[field] ?? null;
  if (operator === "isnull") return isNull(field, own) === (value === "true");
  if (own === null) return null;
  const { matches, toKey } = requireRule(field);
  return matches ? matches(own, leaf) : compare(own, operator, value, toKey);
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
let staff: Person;
let rows: Row[];

/** Rows of staff alone, among them: what row rules go by. */
function toStoredShape(): Record<string, fc.Arbitrary<Value>> {
  const shape = STORED.map((name): [string, fc.Arbitrary<Value>] => {
    const { stored, values } = requireRule(name);
    return [name, name === "title" ? values : fc.option(stored ?? values, { freq: 4 })];
  });
  const rules = { is_private: fc.boolean(), owner: fc.option(fc.constant(staff.userId)) };
  return { ...Object.fromEntries(shape), ...rules };
}

async function linkRows(): Promise<void> {
  const links = rows.flatMap((row) =>
    (row.relation_many as number[]).map((id) => ({ from_id: row.id, to_id: id })),
  );
  await content.site.database.pool.query(
    "INSERT INTO test_everything_link SELECT * FROM jsonb_populate_recordset(NULL::test_everything_link, $1)",
    [JSON.stringify(links)],
  );
}

beforeAll(async () => {
  content = await openContentSite([everything], EVERY_KIND_SQL);
  staff = await content.site.signInAs(10);
  const made = fc.sample(fc.record(toStoredShape()), { numRuns: ROWS, seed: SEED });
  const many = fc.sample(fc.uniqueArray(numbers, { maxLength: 3 }), { numRuns: ROWS, seed: SEED });
  rows = made.map((row, index) => ({
    ...row,
    id: index + 1,
    computed: row.integer == null ? null : Number(row.integer) * 2,
    relation_many: many[index] ?? [],
  }));
  const columns = [...STORED, "is_private", "owner"].map((name) => `"${name}"`).join(", ");
  await content.site.database.pool.query(
    `INSERT INTO test_everything (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::test_everything, $1)`,
    [JSON.stringify(made)],
  );
  await linkRows();
});
afterAll(() => content.site.close());

async function readIds(query: Record<string, string>, as = content.owner): Promise<number[]> {
  const text = toQuery({ ...query, page_size: "200", "sort[0][field]": "id" });
  const { status, body } = await content.call("GET", content.objects("everything", text), { as });
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
});

test("staff find the same but for the rows that a rule hides, also where a condition is turned round", async () => {
  const isSeen = ({ is_private, owner }: Row) => is_private === false || owner === staff.userId;
  await fc.assert(
    fc.asyncProperty(tree, async (condition) => {
      const seen = rows.filter((row) => isSeen(row) && evaluate(row, condition) === true);
      expect(await readIds({ where: JSON.stringify(condition) }, staff)).toEqual(seen.map(({ id }) => id));
    }),
    { seed: SEED, numRuns: OTHER_RUNS },
  );
});

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
    { seed: SEED, numRuns: OTHER_RUNS },
  );
});
