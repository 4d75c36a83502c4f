import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ARTICLE_INDEX_SQL, ARTICLE_SQL, article } from "#test/article.ts";
import { type ContentSite, openContentSite, toQuery } from "../fixture.ts";

let content: ContentSite;

function toContains(count: number): object[] {
  return Array.from({ length: count }, (_, i) => ({ field: "title", operator: "contains", value: `z${i}` }));
}

beforeAll(async () => {
  content = await openContentSite([article], `${ARTICLE_SQL}; ${ARTICLE_INDEX_SQL}`);
  await content.site.database.pool.query(
    `INSERT INTO test_article (title, status, views, published_at)
     SELECT t.title, CASE WHEN i % 2 = 0 THEN 'published' ELSE 'draft' END, i, '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 day'
     FROM unnest(ARRAY['çilek','Işık','isim','İzmir','ığdır','Zebra','zil','100%','under_score','back\\slash']) WITH ORDINALITY t(title, i)`,
  );
});
afterAll(() => content.site.close());

describe("list", () => {
  const titles = async (query: Record<string, string>, lang = "en") => {
    const answer = await content.list("article", query, lang);
    return answer.body.objects?.map((row: { title: string }) => row.title) ?? answer.body;
  };

  test("a page has the documented envelope", async () => {
    const { body } = await content.list("article", { page: "2", page_size: "3" });
    expect(body.pagination).toEqual({
      page: 2,
      page_size: 3,
      total_count: 10,
      total_pages: 4,
      count_is_estimate: false,
      next_cursor: expect.any(String),
    });
    expect(body.objects.map((row: { id: number }) => row.id)).toEqual([4, 5, 6]);
    expect(body.objects[0]).toMatchObject({
      repr: "İzmir",
      status: "published",
      views: 4,
      published_at: "2026-01-05T00:00:00Z",
    });
    expect(body.objects[0].search).toBeUndefined();
  });

  test.each([
    ["ışık", ["Işık"]],
    ["IŞIK", ["Işık"]],
    ["ISIK", ["Işık"]],
    ["izmir", ["İzmir"]],
    ["IĞDIR", ["ığdır"]],
    ["ÇİLEK", ["çilek"]],
    ["%", ["100%"]],
    ["_", ["under_score"]],
    ["\\", ["back\\slash"]],
    ["％", ["100%"]],
    ["＿", ["under_score"]],
    ["nothing like it", []],
  ])("a search for %s finds %j", async (search, found) => {
    expect(await titles({ search })).toEqual(found);
  });

  test("ten conditions on a text may be asked for at once", async () => {
    expect(await titles({ where: JSON.stringify({ or: [...toContains(9), ...toContains(1)] }) })).toEqual([]);
    const many = { or: Array.from({ length: 50 }, (_, i) => ({ field: "title", value: `z${i}` })) };
    expect(await titles({ where: JSON.stringify(many) })).toEqual([]);
  });

  test("text sorts by the language of the request", async () => {
    const sort = {
      "sort[0][field]": "title",
      "sort[0][direction]": "asc",
      "filters[0][field]": "views",
      "filters[0][operator]": "lt",
      "filters[0][value]": "8",
    };
    expect(await titles(sort, "tr")).toEqual(["çilek", "ığdır", "Işık", "isim", "İzmir", "Zebra", "zil"]);
    expect(await titles(sort, "en")).toEqual(["çilek", "isim", "Işık", "İzmir", "ığdır", "Zebra", "zil"]);
  });

  test.each<[string, string, string, string[]]>([
    ["status", "exact", "draft", ["çilek", "isim", "ığdır", "zil", "under_score"]],
    ["views", "gte", "9", ["under_score", "back\\slash"]],
    ["views", "in", "1,3", ["çilek", "isim"]],
    ["title", "startswith", "Z", ["Zebra", "zil"]],
    ["title", "contains", "İK", ["Işık"]],
    ["title", "iexact", "IZMIR", ["İzmir"]],
    ["body", "isnull", "false", []],
    ["published_at", "lt", "2026-01-03", ["çilek"]],
  ])("filter %s %s %s", async (field, operator, value, found) => {
    expect(
      await titles({
        "filters[0][field]": field,
        "filters[0][operator]": operator,
        "filters[0][value]": value,
      }),
    ).toEqual(found);
  });

  test.each<[Record<string, string>, string, RegExp]>([
    [{ "filters[0][field]": "ghost" }, "unknown_field", /ghost/],
    [{ "filters[0][field]": "search", "filters[0][value]": "x" }, "unknown_field", /search/],
    [
      { "filters[0][field]": "views", "filters[0][operator]": "like", "filters[0][value]": "1" },
      "unknown_operator",
      /views.*like/,
    ],
    [
      { "filters[0][field]": "views", "filters[0][operator]": "exact", "filters[0][value]": "1; DROP" },
      "invalid_query",
      /views/,
    ],
    [
      { "filters[0][field]": "views", "filters[0][operator]": "exact", "filters[0][value]": "99999999999" },
      "invalid_query",
      /views/,
    ],
    [{ "sort[0][field]": "id; DROP TABLE account_user" }, "unknown_field", /DROP/],
    [{ "sort[0][field]": "views", "sort[0][direction]": "sideways" }, "invalid_query", /sort/],
    [{ "filter[0][field]": "status" }, "invalid_query", /filter\[0\]\[field\]/],
    [{ "filters[0]": "x" }, "invalid_query", /filters\[0\]/],
    [{ "filters[1000][field]": "status" }, "invalid_query", /filters\[1000\]/],
    [{ "filters[0][value]": "x" }, "invalid_query", /filters/],
    [{ "sort[0][direction]": "asc" }, "invalid_query", /sort/],
    [{ page: "0" }, "invalid_query", /page/],
    [{ page: "-1" }, "invalid_query", /page/],
    [{ page_size: "5000" }, "invalid_query", /page_size/],
    [{ search: "a\u0000b" }, "invalid_query", /search/],
    [{ search: "´" }, "invalid_query", /search/],
    [{ search: " \u0301 ¨" }, "invalid_query", /search/],
    [
      { "filters[0][field]": "title", "filters[0][operator]": "contains", "filters[0][value]": "¨" },
      "invalid_query",
      /title/,
    ],
    [{ where: JSON.stringify({ or: toContains(11) }) }, "invalid_query", /filters, where/],
    [
      {
        where: JSON.stringify({ not: { and: toContains(10) } }),
        "filters[0][field]": "title",
        "filters[0][operator]": "startswith",
        "filters[0][value]": "x",
      },
      "invalid_query",
      /filters, where/,
    ],
    [{ where: '{"field":"views","operator":{"toString":1},"value":1}' }, "invalid_query", /where views/],
    [{ where: '{"field":{"toString":1},"value":"@me"}' }, "invalid_query", /where/],
    [{ ordering: "-views" }, "invalid_query", /ordering/],
    [{ count: "approximately" }, "invalid_query", /count/],
    [{ where: "{" }, "invalid_query", /where/],
    [{ where: "[]" }, "invalid_query", /where/],
    [{ where: '{"and":[]}' }, "invalid_query", /where/],
    [{ where: '{"xor":[{"field":"views","value":1}]}' }, "invalid_query", /where/],
    [{ where: '{"field":"ghost","value":1}' }, "unknown_field", /ghost/],
    [{ where: '{"field":"views","operator":"like","value":1}' }, "unknown_operator", /views.*like/],
    [{ where: '{"field":"views","value":{"a":1}}' }, "invalid_query", /where views/],
    [
      { where: `${'{"not":'.repeat(20)}{"field":"views","value":1}${"}".repeat(20)}` },
      "invalid_query",
      /where/,
    ],
    [{ cursor: "garbage" }, "invalid_query", /cursor/],
    [{ cursor: "e30" }, "invalid_query", /cursor/],
  ])("%j is a 400 that names its cause", async (query, code, cause) => {
    const answer = await content.list("article", query);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code, status: 400, errors: [] });
    expect(answer.body.message).toMatch(cause);
    expect(answer.body.detail).toBe(answer.body.message);
  });

  test("a name that is sent twice is a 400 that names it", async () => {
    for (const name of ["page", "search", "where", "cursor", "count", "filters[0][field]"]) {
      const twice = `?${name}=1&${name}=1`;
      const answer = await content.call("GET", content.objects("article", twice));
      expect(answer).toMatchObject({ status: 400, body: { code: "invalid_query" } });
      expect(answer.body.message).toContain(name);
    }
  });

  test("groups nest, and go together with filters and search", async () => {
    const where = JSON.stringify({
      or: [{ field: "views", operator: "lte", value: 2 }, { not: { field: "status", value: "draft" } }],
    });
    expect(await titles({ where })).toEqual(["çilek", "Işık", "İzmir", "Zebra", "100%", "back\\slash"]);
    expect(
      await titles({
        where,
        "filters[0][field]": "views",
        "filters[0][operator]": "gt",
        "filters[0][value]": "3",
      }),
    ).toEqual(["İzmir", "Zebra", "100%", "back\\slash"]);
    expect(await titles({ where, search: "i" })).toEqual(["çilek", "Işık", "İzmir"]);
  });

  test("rows are filtered and sorted by their id", async () => {
    const where = JSON.stringify({ field: "id", operator: "in", value: [2, 4, 77] });
    expect(await titles({ where, "sort[0][field]": "id", "sort[0][direction]": "desc" })).toEqual([
      "İzmir",
      "Işık",
    ]);
  });

  test("a search of a model that has none is a 400, not every row", async () => {
    const answer = await content.list("access_level", { search: "x" });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_query" } });
  });

  test("a page behind the end is empty and has the true totals", async () => {
    const { body } = await content.list("article", { page: "900000", page_size: "3" });
    expect(body.objects).toEqual([]);
    expect(body.pagination).toMatchObject({ total_count: 10, total_pages: 4, next_cursor: null });
  });

  test.each(["2147483648", "99999999999", "999999999999999"])("the object %s is none", async (id) => {
    expect(await content.call("GET", content.objects("article", `${id}/`))).toMatchObject({
      status: 404,
      body: { code: "object_not_found" },
    });
  });

  test("an object is answered with the name of its version, which stays while it does", async () => {
    const read = () => content.call("GET", content.objects("article", "1/"));
    const { headers, body } = await read();
    expect(body.title).toBe("çilek");
    expect(headers.etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect((await read()).headers.etag).toBe(headers.etag);
    await content.site.database.pool.query("UPDATE test_article SET views = 100 WHERE id = 1");
    expect((await read()).headers.etag).not.toBe(headers.etag);
    await content.site.database.pool.query("UPDATE test_article SET views = 1 WHERE id = 1");
    expect((await read()).headers.etag).toBe(headers.etag);
  });
});

describe("rows without a value", () => {
  beforeAll(async () => {
    await content.site.database.pool.query(
      `INSERT INTO test_article (title, status, published_at) SELECT 'nothing ' || i, '', NULL FROM generate_series(1, 3) i`,
    );
    await content.announce("test.article");
  });
  afterAll(async () => {
    await content.site.database.pool.query("DELETE FROM test_article WHERE title LIKE 'nothing %'");
    await content.announce("test.article");
  });

  test.each([
    ["a moment", "published_at"],
    ["a text that is empty", "status"],
  ])("come last, whichever way a list is sorted by %s, by number and by cursor", async (_what, field) => {
    for (const direction of ["asc", "desc"]) {
      const query = { "sort[0][field]": field, "sort[0][direction]": direction, page_size: "5" };
      const shown: string[] = [];
      for (const next of ["page", "cursor"]) {
        shown.length = 0;
        let cursor: string | null = null;
        for (let page = 1; page <= 3; page += 1) {
          const place: Record<string, string> =
            next === "page" || cursor === null ? { page: String(page) } : { cursor };
          const { body } = await content.list("article", { ...query, ...place });
          cursor = body.pagination.next_cursor;
          shown.push(...body.objects.map((row: { title: string }) => row.title));
        }
        expect({ next, direction, count: new Set(shown).size }).toEqual({ next, direction, count: 13 });
        expect(shown.map((title) => title.startsWith("nothing")).lastIndexOf(false)).toBe(9);
      }
    }
  });
});

describe("filters by a moment", () => {
  const list = (value: string, endpoint = "") =>
    content.call(
      "GET",
      content.objects(
        "article",
        endpoint +
          toQuery({
            "filters[0][field]": "published_at",
            "filters[0][operator]": "gte",
            "filters[0][value]": value,
          }),
      ),
    );

  test.each([
    "2026-01-01",
    "2026-01-01T10:00",
    "2026-01-01 10:00:00",
    "2026-01-01T10:00:00.123456Z",
    "2026-01-01T10:00:00+03:00",
    "2024-02-29",
  ])("%s is one", async (value) => {
    expect((await list(value)).status).toBe(200);
  });

  test.each([
    "2024-02-31",
    "2023-02-29",
    "2024-01-01 (x)",
    "0000-01-01",
    "2024-01-01T00:00:00+23:59",
    "2024-01-01 GMT+0300",
    "2024-01-01T25:00",
    "now",
    "infinity",
    "",
  ])("%j is none: 400, in lists and exports", async (value) => {
    expect(await list(value)).toMatchObject({ status: 400, body: { code: "invalid_query" } });
    expect((await list(value, "export/")).status).toBe(400);
  });
});
