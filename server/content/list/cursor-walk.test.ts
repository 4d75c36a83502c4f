import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { EVERY_KIND_SQL, everything } from "#test/every-kind.ts";
import { toRuns } from "#test/property-runs.ts";
import { type ContentSite, openContentSite } from "../fixture.ts";

const SEED = 20_261_121;
const ROWS = 60;
const SORTABLE = [
  "id",
  "title",
  "text",
  "localized_text",
  "integer",
  "big_integer",
  "decimal",
  "boolean",
  "date",
  "partial_date",
  "date_time",
  "choice",
  "computed",
  "order",
  "is_private",
];

let content: ContentSite;

/** Few values, so that rows tie, and NULL among them. */
const SEED_SQL = `
  INSERT INTO test_everything (title, text, localized_text, integer, big_integer, decimal, boolean, date, partial_date, date_time, choice, "order", is_private)
  SELECT (ARRAY['İzmir', 'ığdır', 'Işık', 'isim', 'çilek'])[1 + i % 5],
         (ARRAY['a', 'B', 'ç', NULL])[1 + i % 4],
         (ARRAY['{"en": "x", "tr": null}', '{"en": null, "tr": "ş"}', '{"en": null, "tr": null}', NULL])[1 + i % 4]::jsonb,
         nullif(i % 7, 3), nullif(3000000000 + i % 3, 3000000001), nullif(i % 5, 2) / 4.0,
         (ARRAY[true, false, NULL])[1 + i % 3], nullif('2026-01-01'::date + i % 4, '2026-01-02'),
         (ARRAY['2025', '2025-03', '2025-03-01', NULL])[1 + i % 4],
         '2026-01-01T00:00:00Z'::timestamptz + (i % 3) * interval '1 microsecond', (ARRAY['red', NULL])[1 + i % 2], i % 3, i % 2 = 0
  FROM generate_series(1, $1) i`;

beforeAll(async () => {
  content = await openContentSite([everything], EVERY_KIND_SQL);
  await content.site.database.pool.query(SEED_SQL, [ROWS]);
});
afterAll(() => content.site.close());

const sortTerm = fc.record({
  field: fc.constantFrom(...SORTABLE),
  direction: fc.constantFrom("asc", "desc"),
});
const walk = fc.record({
  sort: fc.uniqueArray(sortTerm, { minLength: 0, maxLength: 3, selector: (term) => term.field }),
  pageSize: fc.integer({ min: 1, max: 25 }),
  lang: fc.constantFrom("en", "tr"),
});

interface Walk {
  sort: { field: string; direction: string }[];
  pageSize: number;
  lang: string;
}

function toSortQuery(sort: Walk["sort"]): Record<string, string> {
  return Object.fromEntries(
    sort.flatMap(({ field, direction }, index) => [
      [`sort[${index}][field]`, field],
      [`sort[${index}][direction]`, direction],
    ]),
  );
}

async function readPage(query: Record<string, string>, lang: string) {
  const { status, body } = await content.list("everything", query, lang);
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return {
    ids: body.objects.map((row: { id: number }) => row.id) as number[],
    next: body.pagination.next_cursor as string | null,
  };
}

/** Somebody else's work between two pages: one row comes, an earlier guest goes. */
async function disturb(round: number): Promise<void> {
  await content.site.database.pool.query(
    `INSERT INTO test_everything (title, text, integer, "order") VALUES ('guest', $1, $2, $3)`,
    [round % 2 === 0 ? null : "b", (round * 3) % 7, round % 3],
  );
  if (round % 3 === 0)
    await content.site.database.pool.query(
      "DELETE FROM test_everything WHERE id = (SELECT min(id) FROM test_everything WHERE title = 'guest')",
    );
}

async function walkAll({ sort, pageSize, lang }: Walk): Promise<number[]> {
  const query = { ...toSortQuery(sort), page_size: String(pageSize) };
  const ids: number[] = [];
  let cursor: string | null = null;
  for (let round = 0; round < 2 * ROWS; round++) {
    const page = await readPage({ ...query, ...(cursor !== null && { cursor }) }, lang);
    ids.push(...page.ids);
    cursor = page.next;
    if (cursor === null) return ids;
    if (round % 4 === 0) await disturb(round);
  }
  throw new Error("the walk does not end");
}

test("walking by cursor shows each row that is there all the time once, in order, whatever comes and goes", async () => {
  await fc.assert(
    fc.asyncProperty(walk, async (steps) => {
      await content.site.database.pool.query("DELETE FROM test_everything WHERE title = 'guest'");
      const whole = await readPage({ ...toSortQuery(steps.sort), page_size: "200" }, steps.lang);
      expect(whole.ids).toHaveLength(ROWS);
      const stays = new Set(whole.ids);
      expect((await walkAll(steps)).filter((id) => stays.has(id))).toEqual(whole.ids);
    }),
    { seed: SEED, numRuns: toRuns(40, 120) },
  );
});

test("pages by number have the order of the whole list", async () => {
  await content.site.database.pool.query("DELETE FROM test_everything WHERE title = 'guest'");
  await content.announce("test.everything");
  await fc.assert(
    fc.asyncProperty(walk, async ({ sort, pageSize, lang }) => {
      const query = toSortQuery(sort);
      const whole = await readPage({ ...query, page_size: "200" }, lang);
      const pages: number[] = [];
      for (let page = 1; page <= Math.ceil(ROWS / pageSize); page++) {
        const { ids } = await readPage({ ...query, page: String(page), page_size: String(pageSize) }, lang);
        pages.push(...ids);
      }
      expect(pages).toEqual(whole.ids);
    }),
    { seed: SEED, numRuns: toRuns(15, 40) },
  );
});

test("a cursor of another sort, language or model is a 400 that names it", async () => {
  const byTitle = { "sort[0][field]": "title", page_size: "5" };
  const { next } = await readPage(byTitle, "en");
  if (next === null) throw new Error("there is no second page");
  const refused = { status: 400, body: { code: "invalid_query" } };
  expect(await content.list("everything", { ...byTitle, cursor: next }, "en")).toMatchObject({ status: 200 });
  expect(await content.list("everything", { ...byTitle, cursor: next }, "tr")).toMatchObject(refused);
  expect(
    await content.list("everything", { ...byTitle, cursor: next, "sort[0][direction]": "desc" }),
  ).toMatchObject(refused);
  expect(await content.list("everything", { cursor: next })).toMatchObject(refused);
  expect(await content.list("certificate", { cursor: next })).toMatchObject(refused);
  const { body } = await content.list("everything", { ...byTitle, cursor: next, page: "2" });
  expect(body).toMatchObject({ status: 400, code: "invalid_query" });
  expect(body.message).toContain("cursor");
});

test("a cursor whose values are not of their field is a 400 that names it", async () => {
  const byNumber = { "sort[0][field]": "integer", page_size: "5" };
  const { next } = await readPage(byNumber, "en");
  const [signature] = JSON.parse(Buffer.from(next ?? "", "base64url").toString());
  for (const values of [
    ["x", "1"],
    ["99999999999999999999", "1"],
    ["1", "x"],
    ["1"],
    [1, 2],
    ["1", null],
    ["\0", "1"],
  ]) {
    const cursor = Buffer.from(JSON.stringify([signature, ...values])).toString("base64url");
    const { status, body } = await content.list("everything", { ...byNumber, cursor });
    expect({ status, code: body.code }).toEqual({ status: 400, code: "invalid_query" });
    expect(body.message).toContain("cursor");
  }
});
