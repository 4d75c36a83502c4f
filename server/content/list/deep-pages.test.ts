import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ARTICLE_INDEX_SQL, ARTICLE_SQL, article } from "#test/article.ts";
import { type ContentSite, openContentSite } from "../fixture.ts";
import { toRange } from "./page-sql.ts";

const ROWS = 3_001;
const PAGE_SIZE = 20;
const LAST = Math.ceil(ROWS / PAGE_SIZE);

let content: ContentSite;
/** Every statement of the site, the last one at the end. */
const statements: string[] = [];

/** Records what connections of the pool are asked; pg types `query` by its many forms. */
function recordStatements(): void {
  const known = new WeakSet<object>();
  content.site.database.pool.on("acquire", (client: { query: (...given: unknown[]) => unknown }) => {
    if (known.has(client)) return;
    known.add(client);
    const query = client.query.bind(client);
    client.query = (...given) => {
      const [asked] = given;
      statements.push(typeof asked === "string" ? asked : (asked as { text: string }).text);
      return query(...given);
    };
  });
}

/** Directions of the last page's order where its rows are looked for. */
function readDirections(): string[] {
  const page =
    statements.findLast((text) => /ORDER BY .* LIMIT/.test(text) && !text.includes("counted")) ?? "";
  return /ORDER BY (.*?) LIMIT/.exec(page)?.[1]?.match(/\b(?:asc|desc)\b/g) ?? [];
}

beforeAll(async () => {
  content = await openContentSite([article], `${ARTICLE_SQL}; ${ARTICLE_INDEX_SQL}`);
  await content.site.database.pool.query(
    `INSERT INTO test_article (title, views, published_at)
     SELECT 'Article ' || i, i % 7, CASE WHEN i % 5 > 0 THEN '2026-01-01T00:00:00Z'::timestamptz + (i % 100) * interval '1 day' END
     FROM generate_series(1, ${ROWS}) i; ANALYZE test_article`,
  );
  recordStatements();
});
afterAll(() => content.site.close());

const SORTS = [
  { order: "id ASC", query: {} },
  { order: "views ASC, id ASC", query: { "sort[0][field]": "views" } },
  {
    order: "published_at DESC NULLS LAST, id DESC",
    query: { "sort[0][field]": "published_at", "sort[0][direction]": "desc" },
  },
  {
    order: "published_at ASC, views DESC, id DESC",
    query: { "sort[0][field]": "published_at", "sort[1][field]": "views", "sort[1][direction]": "desc" },
  },
];

async function readIds(order: string): Promise<number[]> {
  const { rows } = await content.site.database.pool.query<{ id: number }>(
    `SELECT id FROM test_article ORDER BY ${order}`,
  );
  return rows.map(({ id }) => id);
}

async function readPage(query: object, page: number) {
  const { body } = await content.list("article", {
    ...query,
    page: String(page),
    page_size: String(PAGE_SIZE),
  });
  return { ids: body.objects.map((row: { id: number }) => row.id), pagination: body.pagination };
}

describe.each(SORTS)("sorted by $order", ({ order, query }) => {
  // The first round knows no exact total, so that pages are counted from the start; the second counts from the end.
  test.each(["from the start", "from the nearer end"])("pages are right when counted %s", async (way) => {
    const isNearer = way !== "from the start";
    await content.announce("test.article");
    if (isNearer) await content.list("article", { ...query, count: "exact" });
    const all = await readIds(order);
    const forward = order.toLowerCase().match(/\b(?:asc|desc)\b/g) ?? [];
    const backward = forward.map((direction) => (direction === "asc" ? "desc" : "asc"));
    for (const page of [1, 2, 26, 27, 75, 76, 100, LAST - 1, LAST]) {
      // A page shows the total, which is known from then on until the model changes.
      if (!isNearer) await content.announce("test.article");
      const { ids, pagination } = await readPage(query, page);
      expect({ page, ids }).toEqual({ page, ids: all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE) });
      expect({ page, by: readDirections() }).toEqual({
        page,
        by: isNearer && page > 76 ? backward : forward,
      });
      expect(pagination.next_cursor === null).toBe(page === LAST);
    }
  });

  test("the cursor of a deep page goes on where it ends", async () => {
    await content.list("article", { ...query, count: "exact" });
    const all = await readIds(order);
    const { pagination } = await readPage(query, 120);
    const { body } = await content.list("article", {
      ...query,
      cursor: pagination.next_cursor,
      page_size: String(PAGE_SIZE),
    });
    expect(body.objects.map((row: { id: number }) => row.id)).toEqual(
      all.slice(120 * PAGE_SIZE, 121 * PAGE_SIZE),
    );
  });
});

test("the last page shows the total, and one behind it is empty with the same", async () => {
  const total = { total_count: ROWS, total_pages: LAST, count_is_estimate: false, next_cursor: null };
  expect((await readPage({}, LAST)).pagination).toMatchObject(total);
  const behind = await readPage({}, LAST + 1);
  expect(behind.ids).toEqual([]);
  expect(behind.pagination).toMatchObject(total);
});

test("a page is counted from the end only where that is nearer and the total is known", () => {
  const page = { offset: 900, limit: 21 };
  expect(toRange(page, undefined)).toEqual({ limit: 21, skip: 900, isFromEnd: false });
  expect(toRange(page, 2_000)).toEqual({ limit: 21, skip: 900, isFromEnd: false });
  expect(toRange(page, 1_000)).toEqual({ limit: 21, skip: 79, isFromEnd: true });
  expect(toRange(page, 910)).toEqual({ limit: 10, skip: 0, isFromEnd: true });
  expect(toRange(page, 900)).toEqual({ limit: 0, skip: 0, isFromEnd: true });
  expect(toRange(page, 10)).toEqual({ limit: 0, skip: 0, isFromEnd: true });
});
