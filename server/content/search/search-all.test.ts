import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ARTICLE_INDEX_SQL, ARTICLE_SQL, article } from "#test/article.ts";
import { LARGE_ARTICLE_SQL, largeArticle } from "#test/large-article.ts";
import { DRAWER_SQL, drawer, HIDDEN_ROW, HIDDEN_VALUE, SECRET_VALUE, VAULT_SQL, vault } from "#test/vault.ts";
import { type ContentSite, openContentSite, type Person, toQuery } from "../fixture.ts";
import { bigTablesSql } from "./search-all-sql.ts";

let content: ContentSite;
let staff: Person;

beforeAll(async () => {
  content = await openContentSite(
    [article, largeArticle, vault, drawer],
    `${LARGE_ARTICLE_SQL}; ${ARTICLE_SQL}; ${ARTICLE_INDEX_SQL}; ${VAULT_SQL}; ${DRAWER_SQL}`,
  );
  staff = await content.site.signInAs(10);
  await content.site.database.pool.query(
    `INSERT INTO test_article (title, status, views, published_at)
     SELECT title, 'draft', 1, now() FROM unnest(ARRAY[
       'Kızıl ışık', 'Işık ve gölge', 'Aışıklar', 'Işıklı yol', 'Işıl', '100% yün']) title`,
  );
  await content.site.database.pool.query(
    "INSERT INTO test_drawer (title) VALUES ('Işıklık'), ('Open drawer')",
  );
});
afterAll(() => content.site.close());

async function search(text: string, as?: Person, lang = "en") {
  const url = `/api/admin/search/${toQuery({ search: text })}`;
  return content.call("GET", url, { lang, ...(as && { as }) });
}

async function names(text: string, as?: Person): Promise<string[]> {
  const { body } = await search(text, as);
  return body.results.map(({ repr }: { repr: string }) => repr);
}

describe("search over every model", () => {
  test("names that begin with the text come first, then words that do, whatever case and marks", async () => {
    expect(await names("IŞIK")).toEqual(["Işık ve gölge", "Işıklı yol", "Işıklık", "Kızıl ışık"]);
    expect(await names("isik")).toEqual(await names("ışık"));
  });

  test("a result names its model in the request's language, its content type and its id", async () => {
    const { status, body } = await search("Open draw", undefined, "tr");
    expect(status).toBe(200);
    expect(body).toEqual({
      results: [{ content_type_id: expect.any(Number), verbose_name: "Çekmece", id: 3, repr: "Open drawer" }],
      is_complete: true,
    });
    const [{ content_type_id }] = body.results;
    expect(content.objects("drawer")).toContain(`/models/${content_type_id}/`);
  });

  test("signs of patterns stand for themselves", async () => {
    expect(await names("100%")).toEqual(["100% yün"]);
    expect(await names("0_%")).toEqual([]);
  });

  test("a text that folding leaves nothing of finds nothing", async () => {
    expect((await search("\u0301")).body).toEqual({ results: [], is_complete: true });
    expect((await search("   ")).body).toEqual({ results: [], is_complete: true });
  });

  test.each(["", "x".repeat(201), "a\0b"])("the text %j is refused", async (text) => {
    expect((await search(text)).status).toBe(400);
  });

  test("a text too short for an index leaves the big models out, and says so", async () => {
    const { body } = await search("aı");
    expect(body.is_complete).toBe(false);
    expect(body.results.map(({ repr }: { repr: string }) => repr)).toContain("Aışıklar");
  });

  test("a table that was never counted is big by its bytes", async () => {
    const { pool } = content.site.database;
    await pool.query(`CREATE TABLE test_uncounted WITH (autovacuum_enabled = false) AS
      SELECT i AS id, repeat('x', 900) AS title FROM generate_series(1, 12_000) i`);
    const ask = async () => {
      const { text, values } = bigTablesSql([{ table: "test_uncounted" }], 50_000);
      return (await pool.query(text, values)).rowCount;
    };
    expect(await ask()).toBe(1);
    await pool.query("ANALYZE test_uncounted");
    expect(await ask()).toBe(0);
  });

  test("of a big model three are shown too, and the log, whose entries have no searched name, is left to its own search", async () => {
    await content.site.database.pool.query(
      "INSERT INTO test_large_article (title) SELECT 'Zwölf ' || i FROM generate_series(1, 40) i",
    );
    await content.call("PATCH", content.objects("drawer", "1/"), { body: { title: "Zwölf" } });
    const { body } = await search("zwölf");
    expect(body.is_complete).toBe(true);
    const kinds = body.results.map(({ verbose_name }: { verbose_name: string }) => verbose_name);
    expect(kinds.map((kind: string) => kind.toLowerCase())).toEqual([
      "drawer",
      "large article",
      "large article",
      "large article",
    ]);
  });
});

describe("what a level may not see is not found", () => {
  test("a hidden row, by its own name or in the log of it", async () => {
    await content.call("PATCH", content.objects("vault", "2/"), { body: { is_open: true } });
    await content.call("PATCH", content.objects("vault", "2/"), { body: { is_open: false } });
    expect(await names(HIDDEN_ROW)).toContain(HIDDEN_ROW);
    const { status, body } = await search(HIDDEN_ROW, staff);
    expect({ status, results: body.results }).toEqual({ status: 200, results: [] });
  });

  test("a hidden or secret field, by anybody who doesn't see it", async () => {
    for (const text of [HIDDEN_VALUE, SECRET_VALUE]) expect(await names(text, staff)).toEqual([]);
    expect(await names(SECRET_VALUE)).toEqual([]);
  });

  test("a model that is closed to the level", async () => {
    const everyone = await content.call("GET", "/api/admin/permissions/", { as: staff });
    const open = new Set(
      everyone.body.models.map((model: { content_type_id: number }) => model.content_type_id),
    );
    for (const text of ["a", "owner", "example", "e-"]) {
      const { body } = await search(text, staff);
      const types = body.results.map((result: { content_type_id: number }) => result.content_type_id);
      expect(types.filter((type: number) => !open.has(type))).toEqual([]);
    }
  });

  test("anything, below level 10", async () => {
    const person = await content.site.signInAs(5);
    expect((await search("Open", person)).status).toBe(403);
  });
});
