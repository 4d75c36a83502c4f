import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { createTestApp, type TestApp } from "#test/app.ts";
import { EVERY_KIND_SQL, everyKindRow, everything } from "#test/every-kind.ts";
import { type CellValue, parseCsv, readBook, readZip } from "./test-read-files.ts";

const ROWS = 40;

let site: TestApp;
let owner: { authorization: string; userId: number };
let staff: { authorization: string; userId: number };
let objects: string;

type Row = Record<string, unknown> & { id: number; repr: string };
type Query = Record<string, string>;

async function get(url: string, as = owner, lang = "en") {
  const headers = { authorization: as.authorization, "accept-language": lang };
  return site.app.inject({ url, headers });
}

async function post(url: string, payload: object, as = owner) {
  return site.app.inject({ method: "POST", url, headers: { authorization: as.authorization }, payload });
}

async function list(query: Query, as = owner, lang = "en"): Promise<Row[]> {
  const answer = await get(`${objects}?${new URLSearchParams({ page_size: "200", ...query })}`, as, lang);
  expect(answer.statusCode).toBe(200);
  return answer.json().objects.map(({ secret: _secret, ...row }: Row) => row);
}

async function exportAs(format: string, query: Query = {}, as = owner, lang = "en"): Promise<Buffer> {
  const answer = await get(`${objects}export/?${new URLSearchParams({ format, ...query })}`, as, lang);
  expect({ status: answer.statusCode, body: answer.statusCode === 200 ? "" : answer.body }).toEqual({
    status: 200,
    body: "",
  });
  return answer.rawPayload;
}

/** Values of a csv by the names of their columns. */
async function exportRows(query: Query = {}, as = owner): Promise<Record<string, string | null>[]> {
  const [header = [], ...rows] = parseCsv((await exportAs("csv", query, as)).toString());
  return rows.map((row) => Object.fromEntries(header.map((name, place) => [name ?? "", row[place] ?? null])));
}

beforeAll(async () => {
  site = await createTestApp({ extraModels: [everything], setUpSql: EVERY_KIND_SQL });
  owner = await site.signInAs(999);
  staff = await site.signInAs(10);
  const { rows } = await site.database.pool.query(
    "SELECT id FROM content_type WHERE model_name = 'everything'",
  );
  objects = `/api/admin/models/${rows[0].id}/objects/`;
  for (let i = 1; i <= ROWS; i++) {
    expect((await post(objects, everyKindRow(i))).statusCode).toBe(201);
  }
  await site.database.pool.query(
    `UPDATE test_everything SET relation = CASE WHEN id % 3 > 0 THEN 1 + id % 7 END, owner = CASE WHEN id % 5 = 0 THEN ${owner.userId} END,
       is_private = id % 10 = 0, hidden = 'HIDDEN ' || id,
       created_at = date_trunc('milliseconds', created_at), updated_at = date_trunc('milliseconds', updated_at);
     INSERT INTO test_everything_link SELECT id, 1 + id % 4 FROM test_everything UNION SELECT id, 5 FROM test_everything WHERE id % 2 = 0`,
  );
});
afterAll(() => site.close());

/** Filters and sorts that have some rows each. */
const someQuery = fc
  .record({
    search: fc.constantFrom("", "", "izmir", "IŞIK", "name 1"),
    filter: fc.constantFrom(
      null,
      ["integer", "gte", "0"],
      ["choice", "in", "red,blue"],
      ["boolean", "exact", "true"],
      ["decimal", "lt", "3.5"],
      ["date", "range", "2024-01-05,2024-02-01"],
      ["relation", "isnull", "true"],
      ["title", "startswith", "i"],
    ),
    sort: fc.constantFrom(null, "title", "integer", "id", "date_time", "localized_text"),
    direction: fc.constantFrom("asc", "desc"),
  })
  .map(({ search, filter, sort, direction }): Query => {
    const [field = "", operator = "", value = ""] = filter ?? [];
    return {
      ...(search && { search }),
      ...(filter && {
        "filters[0][field]": field,
        "filters[0][operator]": operator,
        "filters[0][value]": value,
      }),
      ...(sort && { "sort[0][field]": sort, "sort[0][direction]": direction }),
    };
  });
const somebody = fc.constantFrom("owner", "staff");
const someLanguage = fc.constantFrom("en", "tr");

test("json and ndjson are the records of the list, in its order, whatever is asked for by whom", async () => {
  await fc.assert(
    fc.asyncProperty(someQuery, somebody, someLanguage, async (query, who, lang) => {
      const as = who === "owner" ? owner : staff;
      const expected = await list(query, as, lang);
      expect(JSON.parse((await exportAs("json", query, as, lang)).toString())).toEqual(expected);
      const lines = (await exportAs("ndjson", query, as, lang)).toString().split("\n");
      expect(lines.pop()).toBe("");
      expect(lines.map((line) => JSON.parse(line))).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

/** What csv says of a field's value in the list. */
function toCells(name: string, value: unknown): Record<string, string | null> {
  if (name.startsWith("localized_")) {
    const sides = value as Record<string, string | string[] | null> | null;
    const toText = (side: string | string[] | null | undefined) =>
      Array.isArray(side) ? side.join("\n") : (side ?? null);
    return { [`${name}_en`]: toText(sides?.en), [`${name}_tr`]: toText(sides?.tr) };
  }
  if (name === "relation" || name === "owner") {
    const related = value as { id: number; repr: string } | null;
    return { [name]: related ? String(related.id) : null, [`${name}_repr`]: related?.repr ?? null };
  }
  return {
    [name]: value === null ? null : typeof value === "object" ? JSON.stringify(value) : String(value),
  };
}

/** Spaces in JSON say nothing. */
function normalise(name: string, text: string | null): unknown {
  return text !== null && name === "json" ? JSON.parse(text) : text;
}

test("csv has the values of the list as texts, with both sides of localized fields and the names of related rows", async () => {
  await fc.assert(
    fc.asyncProperty(someQuery, somebody, async (query, who) => {
      const as = who === "owner" ? owner : staff;
      const expected = await list(query, as);
      const rows = await exportRows({ ...query, formulas: "keep" }, as);
      expect(rows.map((row) => Number(row.id))).toEqual(expected.map((row) => row.id));
      for (const [place, row] of rows.entries()) {
        const {
          repr: _repr,
          choices: _choices,
          relation_many: _many,
          file_uses: _uses,
          ...values
        } = expected[place] as Row;
        for (const [name, value] of Object.entries(values)) {
          for (const [header, text] of Object.entries(toCells(name, value)))
            expect([header, normalise(header, row[header] ?? null)]).toEqual([
              header,
              normalise(header, text),
            ]);
        }
      }
    }),
    { numRuns: 15 },
  );
});

const DAY_MS = 86_400_000;
const EPOCH = Date.UTC(1899, 11, 30);

/** What a cell of a sheet says in place of a text of csv. */
function toSheetValue(text: string | null, style: number, value: CellValue): CellValue {
  if (text === null) return null;
  if (style >= 2) return Date.parse(text);
  if (typeof value === "number") return Number(text);
  return typeof value === "boolean" ? text === "true" : text;
}

test("xlsx has the values of csv, dates, numbers and booleans as such", async () => {
  await fc.assert(
    fc.asyncProperty(someQuery, async (query) => {
      const [header = [], ...rows] = parseCsv(
        (await exportAs("csv", { ...query, formulas: "keep" })).toString(),
      );
      const [sheet] = await readBook(await exportAs("xlsx", query));
      const [first = [], ...cells] = sheet?.rows ?? [];
      expect(first).toEqual(header.map((value) => ({ style: 1, value })));
      const found = cells.map((row) =>
        row.map(({ style, value }) => (style >= 2 ? Math.round(Number(value) * DAY_MS + EPOCH) : value)),
      );
      const expected = rows.map((row, y) =>
        row.map((text, x) => toSheetValue(text, cells[y]?.[x]?.style ?? 0, cells[y]?.[x]?.value ?? null)),
      );
      expect(found).toEqual(expected);
    }),
    { numRuns: 15 },
  );
  const [sheet] = await readBook(
    await exportAs("xlsx", { columns: "integer,boolean,date,date_time,decimal" }),
  );
  expect(sheet?.rows[1]?.map(({ style, value }) => [style, typeof value])).toEqual([
    [0, "number"],
    [0, "boolean"],
    [2, "number"],
    [3, "number"],
    [0, "number"],
  ]);
});

test("columns come as chosen, in their order", async () => {
  expect((await exportAs("csv", { columns: "title,id,localized_text" })).toString().split("\n")[0]).toBe(
    "title,id,localized_text_en,localized_text_tr",
  );
  const [record] = JSON.parse((await exportAs("json", { columns: "relation,repr" })).toString());
  expect(Object.keys(record)).toEqual(["relation", "repr"]);
});

test.each<[string, string]>([
  ["nothing", "unknown_field"],
  ["title,nothing", "unknown_field"],
  ["secret", "unknown_field"],
  ["title,title", "invalid_query"],
])("columns=%s is refused: %s", async (columns, code) => {
  const answer = await get(`${objects}export/?columns=${columns}`);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code });
  expect(answer.json().message).toContain(code === "unknown_field" ? columns.split(",").at(-1) : "columns");
});

test.each([
  "formulas=off",
  "use=people",
  "use=spreadsheets&use=spreadsheets",
  "use=spreadsheets&format=json",
  "use=spreadsheets&format=xlsx",
  "column=title",
  "filter[0][field]=title",
  "format=exe",
  "where={",
  "object_ids=1",
  "serach=x",
  "q=x",
  "Filters[0][field]=id",
])("%s is refused", async (query) => {
  expect((await get(`${objects}export/?${query}`)).statusCode).toBe(400);
});

test("a field that is hidden from a level is in none of its files, and can't be chosen", async () => {
  for (const format of ["csv", "json", "ndjson", "xlsx"]) {
    const open = async (as: typeof owner) => {
      const file = await exportAs(format, {}, as);
      return format === "xlsx" ? [...(await readZip(file)).values()].join() : file.toString();
    };
    expect(await open(owner)).toContain("HIDDEN 7");
    expect(await open(staff)).not.toMatch(/HIDDEN|"hidden"|hidden,/);
  }
  expect((await get(`${objects}export/?columns=hidden`, staff)).json()).toMatchObject({
    code: "unknown_field",
  });
});

test("a secret field is in no file, whoever asks", async () => {
  expect((await exportAs("json")).toString()).not.toContain("secret");
  expect((await exportAs("csv")).toString()).not.toContain("secret");
});

test("rows that a rule hides are in no file of their reader", async () => {
  const ids = async (as: typeof owner) => (await exportRows({}, as)).map((row) => Number(row.id));
  expect(await ids(owner)).toHaveLength(ROWS);
  const seen = await ids(staff);
  expect(seen).not.toContain(10);
  expect(seen).toHaveLength(ROWS - 4);
});

describe("a csv for spreadsheets", () => {
  const columns = "id,title,localized_text,decimal,relation,relation_many,repr";
  const query = { columns, "sort[0][field]": "id" };
  const exportText = async (more: Query, lang: string) =>
    (await exportAs("csv", { ...query, ...more }, owner, lang)).toString();

  test.each([
    [
      "en",
      ",",
      "Number,Title,A localized_text (English),A localized_text (Turkish),A decimal,A relation (number),A relation,A relation_many (number),A relation_many,Name",
    ],
    [
      "tr",
      ";",
      "Numara;Başlık;Bir localized_text (İngilizce);Bir localized_text (Türkçe);Bir decimal;Bir relation (numara);Bir relation;Bir relation_many (numara);Bir relation_many;Ad",
    ],
  ])("begins with a byte order mark and speaks the reader's language: %s", async (lang, delimiter, head) => {
    const text = await exportText({ use: "spreadsheets" }, lang);
    expect(text.split("\n")[0]).toBe(`\uFEFF${head}`);
    // The values are those of a csv for programs, but for the decimal sign.
    const raw = parseCsv(await exportText({}, lang)).slice(1);
    const [, ...rows] = parseCsv(text, delimiter);
    const isDecimal = (place: number) => place === 4;
    expect(rows).toEqual(
      raw.map((row) =>
        row.map((value, place) =>
          lang === "tr" && isDecimal(place) ? (value?.replace(".", ",") ?? null) : value,
        ),
      ),
    );
    expect(rows.some((row) => row[4]?.includes(lang === "tr" ? "," : "."))).toBe(true);
  });

  test("has a head without rows as well", async () => {
    const text = await exportText({ use: "spreadsheets", search: "nothing is called so" }, "tr");
    expect(text).toMatch(/^\uFEFFNumara;.*;Ad\n$/);
  });

  test("is asked for by a body too, and counts its rows and bytes", async () => {
    const answer = await post(`${objects}export/`, { use: "spreadsheets", columns: ["title"] });
    expect(answer.body.startsWith("\uFEFFTitle\n")).toBe(true);
    const info = await get(`/api/admin/exports/${answer.headers["x-export-id"]}/`);
    expect(info.json()).toMatchObject({ row_count: ROWS, byte_count: answer.rawPayload.length });
    const refused = await post(`${objects}export/`, { use: "spreadsheets", format: "ndjson" });
    expect(refused.json()).toMatchObject({ status: 400, code: "invalid_query" });
  });

  test("is none unless it is asked for", async () => {
    const text = await exportText({}, "tr");
    expect(text).toMatch(/^id,title,localized_text_en,/);
    expect(await exportText({ use: "programs" }, "tr")).toBe(text);
  });
});

describe("a body", () => {
  const ids = async (body: object, as = owner) => {
    const answer = await post(`${objects}export/`, { format: "json", columns: ["id"], ...body }, as);
    expect(answer.statusCode).toBe(200);
    return answer.json().map((row: { id: number }) => row.id);
  };

  test("chooses rows by their ids, as far as its sender may see them", async () => {
    const sort = [{ field: "id", direction: "asc" }];
    expect(await ids({ object_ids: [3, 10, 5, 999_999], sort })).toEqual([3, 5, 10]);
    expect(await ids({ object_ids: [3, 10, 5], sort }, staff)).toEqual([3, 5]);
    expect(await ids({ object_ids: [1, 2, 3], exclude_ids: [2], sort })).toEqual([1, 3]);
    const beyond = Number.MAX_SAFE_INTEGER;
    expect(await ids({ object_ids: [1, 3, beyond, -beyond], exclude_ids: [3, beyond], sort })).toEqual([1]);
  });

  test("filters, searches and sorts as an address does", async () => {
    const query = {
      search: "i",
      "filters[0][field]": "integer",
      "filters[0][operator]": "gte",
      "filters[0][value]": "0",
      where: '{"or":[{"field":"boolean","value":true},{"field":"id","operator":"in","value":[1,3]}]}',
      "sort[0][field]": "title",
      "sort[0][direction]": "desc",
    };
    const expected = (await list(query)).map((row) => row.id);
    expect(expected.length).toBeGreaterThan(2);
    const found = await ids({
      search: query.search,
      filters: [{ field: "integer", operator: "gte", value: 0 }],
      where: JSON.parse(query.where),
      sort: [{ field: "title", direction: "desc" }],
    });
    expect(found).toEqual(expected);
    expect(await ids({ exclude_ids: expected.slice(0, 1), ...{ search: "i" } })).not.toContain(expected[0]);
  });

  test.each<[string, object, string]>([
    ["no ids", { object_ids: [] }, "nothing_selected"],
    ["too many ids", { object_ids: Array.from({ length: 5001 }, (_, i) => i + 1) }, "validation_failed"],
    ["an id that is no number", { object_ids: ["1) OR true --"] }, "validation_failed"],
    ["an unknown name", { objects: [1] }, "validation_failed"],
    ["an unknown column", { columns: ["nothing"] }, "unknown_field"],
    ["an unknown sort", { sort: [{ field: "nothing" }] }, "unknown_field"],
    ["an unknown filter", { filters: [{ field: "nothing", value: 1 }] }, "unknown_field"],
  ])("with %s is refused", async (_what, body, code) => {
    const answer = await post(`${objects}export/`, { format: "csv", ...body });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code });
  });
});

test("a file of no rows is whole in every format", async () => {
  const none = { "filters[0][field]": "id", "filters[0][value]": "0" };
  expect(parseCsv((await exportAs("csv", { ...none, columns: "id,title" })).toString())).toEqual([
    ["id", "title"],
  ]);
  expect((await exportAs("json", none)).toString()).toBe("[]\n");
  expect((await exportAs("ndjson", none)).toString()).toBe("");
  const [sheet] = await readBook(await exportAs("xlsx", { ...none, columns: "id,title" }));
  expect(sheet?.rows.map((row) => row.map(({ value }) => value))).toEqual([["id", "title"]]);
});

describe("difficult texts", () => {
  const TEXTS = [
    "İstanbul’da ığdır; çöp ŞİŞE",
    'a "quoted", text\r\nwith lines\rand\ttabs',
    "<b>&amp; ]]> </b>",
    "_x0041_ and _x000D_",
    "control \u0001\u0002\u001f\u007f",
    "\\. and \\N and \\",
    "👩‍👩‍👧 \u{10ffff} \ufffe",
    "  spaces at the ends  ",
    "=1+1",
  ];
  const only = { "filters[0][field]": "slug", "filters[0][value]": "difficult", "sort[0][field]": "id" };

  beforeAll(async () => {
    await site.database.pool.query(
      "INSERT INTO test_everything (title, long_text, slug) SELECT 't', text, 'difficult' FROM unnest($1::text[]) text",
      [TEXTS],
    );
  });

  const toLongText = (rows: { long_text: unknown }[]) => rows.map((row) => row.long_text);

  test("are the same in every format", async () => {
    expect(toLongText(JSON.parse((await exportAs("json", only)).toString()))).toEqual(TEXTS);
    const lines = (await exportAs("ndjson", only)).toString().trimEnd().split("\n");
    expect(toLongText(lines.map((line) => JSON.parse(line)))).toEqual(TEXTS);
    const csv = parseCsv(
      (await exportAs("csv", { ...only, formulas: "keep", columns: "long_text" })).toString(),
    );
    expect(csv.slice(1).flat()).toEqual(TEXTS);
    const [sheet] = await readBook(await exportAs("xlsx", { ...only, columns: "long_text" }));
    // XML can't hold some control characters.
    expect(sheet?.rows.slice(1).map(([cell]) => cell?.value)).toEqual(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
      TEXTS.map((text) => text.replaceAll(/[\u0001-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")),
    );
  });

  test("a text that a spreadsheet would calculate gets an apostrophe in csv, unless it is to be kept", async () => {
    const texts = [
      "=1+1",
      "+1",
      "-1",
      "@x",
      "\tx",
      "\rx",
      "\nx",
      "|x",
      "＝1",
      "＋1",
      "－1",
      "＠x",
      "｜x",
      "x=1",
      "'=1",
    ];
    const harmless = texts.slice(-2);
    await site.database.pool.query(
      "INSERT INTO test_everything (title, slug, integer) SELECT text, 'formula', -5 FROM unnest($1::text[]) text",
      [texts],
    );
    const query = { "filters[0][field]": "slug", "filters[0][value]": "formula", "sort[0][field]": "id" };
    const titles = async (more: Query) => (await exportRows({ ...query, ...more })).map((row) => row.title);
    const guarded = [...texts.slice(0, -2).map((text) => `'${text}`), ...harmless];
    expect(await titles({})).toEqual(guarded);
    for (const lang of ["en", "tr"]) {
      const file = await exportAs("csv", { ...query, columns: "title", use: "spreadsheets" }, owner, lang);
      expect(parseCsv(file.toString()).slice(1).flat()).toEqual(guarded);
    }
    expect(await titles({ formulas: "keep" })).toEqual(texts);
    // What no person wrote stays a number.
    expect((await exportRows(query)).every((row) => row.integer === "-5")).toBe(true);
    const [sheet] = await readBook(await exportAs("xlsx", { ...query, columns: "title" }));
    expect(sheet?.xml).not.toContain("<f>");
    expect(sheet?.rows.slice(1).map(([cell]) => cell?.value)).toEqual(texts);
  });

  test("a cell of a sheet holds 32,767 characters and marks what it leaves out; other formats leave nothing out", async () => {
    await site.database.pool.query(
      `INSERT INTO test_everything (title, long_text, slug) VALUES
         ('fits', repeat('ş', 32767), 'huge'), ('long', repeat('ş', 32768), 'huge'), ('pairs', repeat('😀', 20000), 'huge'),
         ('megabytes', repeat('0123456789', 300000), 'huge'), ('far', repeat('a', 32766) || repeat('😀', 20000), 'huge')`,
    );
    const query = { "filters[0][field]": "slug", "filters[0][value]": "huge", "sort[0][field]": "id" };
    const [sheet] = await readBook(await exportAs("xlsx", { ...query, columns: "long_text" }));
    const texts = sheet?.rows.slice(1).map(([cell]) => String(cell?.value)) ?? [];
    expect(texts[0]).toBe("ş".repeat(32_767));
    expect(texts[1]).toBe(`${"ş".repeat(32_766)}…`);
    for (const text of texts.slice(2)) {
      expect(text.length).toBeLessThanOrEqual(32_767);
      expect(text.length).toBeGreaterThan(24_000);
      expect(text.isWellFormed() && text.endsWith("…")).toBe(true);
    }
    // What is left out takes no room from what stays.
    expect(texts[4]).toBe(`${"a".repeat(32_765)}…`);
    const records = JSON.parse((await exportAs("json", query)).toString());
    expect(records[3].long_text).toHaveLength(3_000_000);
  });

  test("numbers and days that a sheet can't hold are texts in it", async () => {
    await site.database.pool.query(
      `INSERT INTO test_everything (title, slug, big_integer, date, date_time) VALUES
         ('x', 'far', 9007199254740991, '1900-02-28', '12000-01-01T00:00:00Z'), ('x', 'far', 1, '1900-03-01', '9999-12-31T23:59:59Z')`,
    );
    const query = { "filters[0][field]": "slug", "filters[0][value]": "far", "sort[0][field]": "id" };
    const [sheet] = await readBook(
      await exportAs("xlsx", { ...query, columns: "big_integer,date,date_time" }),
    );
    expect(sheet?.rows[1]?.map(({ value }) => value)).toEqual([
      "9007199254740991",
      "1900-02-28",
      "12000-01-01T00:00:00Z",
    ]);
    expect(sheet?.rows[2]?.map(({ value }) => Math.floor(Number(value)))).toEqual([1, 61, 2_958_465]);
  });
});
