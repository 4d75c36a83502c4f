import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { FieldInfo, ModelInfo } from "#contract/content/models.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { EVERY_KIND_SQL, everyKindRow, everything } from "#test/every-kind.ts";
import { KINDS } from "./kinds.ts";

type Person = Awaited<ReturnType<TestApp["signInAs"]>>;
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Rows 1 to 6; row 6 points to others, has neither text nor number, and belongs to the superuser alone. */
const ROWS = 5;
const LINKS = { relation: 1, relation_many: [2, 4] };

let site: TestApp;
let staff: Person;
let owner: Person;
let path: string;
let model: ModelInfo;

async function ask(method: Method, url: string, body?: object, as = staff, lang = "en") {
  const headers = { authorization: as.authorization, "accept-language": lang };
  return site.app.inject({ method, url, headers, ...(body && { payload: body }) });
}

async function call(method: Method, url: string, body?: object, as = staff) {
  const answer = await ask(method, url, body, as);
  return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
}

beforeAll(async () => {
  site = await createTestApp({ extraModels: [everything], setUpSql: EVERY_KIND_SQL });
  staff = await site.signInAs(10);
  owner = await site.signInAs(999);
  const { body } = await call("GET", "/api/admin/models/");
  model = body.models.find((known: ModelInfo) => known.model_name === "everything");
  path = `/api/admin/models/${model.content_type_id}/objects/`;
  for (let i = 1; i <= ROWS; i++) await call("POST", path, everyKindRow(i));
  await call("PATCH", `${path}3/`, LINKS);
  await call("POST", path, { title: "bare", is_private: true, hidden: "below", locked: "fast" }, owner);
});
afterAll(() => site.close());

test("the fixture has a field of every kind", () => {
  const declared = new Set(Object.values(everything.fields).map((field) => field.kind));
  expect(Object.keys(KINDS).filter((kind) => !declared.has(kind))).toEqual([]);
});

test("what is created is read back as it was written, and what nobody wrote is empty", async () => {
  const { status, body } = await call("GET", `${path}2/`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ ...everyKindRow(2), repr: body.title, fixed: 7, locked: null, owner: null });
  expect(body).toMatchObject({ relation: null, relation_many: [], computed: -16 });
});

test("relations are written as ids and read with names", async () => {
  const { body } = await call("GET", `${path}3/`);
  const named = (id: number) => ({ id, repr: everyKindRow(id).title });
  expect(body).toMatchObject({ relation: named(1), relation_many: [named(2), named(4)] });
});

test("the description has what a form needs of every field", async () => {
  const byName = new Map(model.fields.map((field) => [field.name, field]));
  expect(byName.get("decimal")).toMatchObject({ control: "decimal", digits: { total: 12, scale: 2 } });
  expect(byName.get("choice")?.choices[0]).toEqual({ value: "red", label: "Red" });
  expect(byName.get("relation_many")).toMatchObject({
    related_model: model.content_type_id,
    sortable: false,
  });
  expect(byName.get("computed")).toMatchObject({ control: "read-only", read_only: true });
  expect(byName.get("locked")?.read_only).toBe(true);
  expect(byName.has("hidden")).toBe(false);
  expect(byName.has("id")).toBe(false);
  const inTurkish = await ask("GET", `/api/admin/models/${model.content_type_id}/`, undefined, staff, "tr");
  const fields: FieldInfo[] = inTurkish.json().fields;
  expect(fields.find((field) => field.name === "choice")?.choices[0]?.label).toBe("Kırmızı");
});

/** The text of a value that a filter takes. */
function toFilterText(value: unknown): string {
  // What uses a file is asked for by a word; no file has the row's number.
  if (Array.isArray(value)) return value.length === 0 ? "unused" : toFilterText(value[0]);
  if (typeof value !== "object" || value === null) return String(value);
  const { id, en } = value as { id?: number; en?: string };
  return String(id ?? en);
}

/** A value of an operator that row 3 fulfils, or does not, by its own value. */
function toCase(operator: string, text: string): { value: string; isFound: boolean } {
  if (operator === "isnull") return { value: "true", isFound: false };
  if (operator === "gt" || operator === "lt") return { value: text, isFound: false };
  const list = JSON.stringify([text, text]);
  if (operator === "startswith") return { value: text.slice(0, 2), isFound: true };
  return { value: operator === "range" ? list : text, isFound: true };
}

describe("every operator of every field", () => {
  test("finds a row by its own value, and leaves it out where it should", async () => {
    const { body: row } = await call("GET", `${path}3/`);
    const wrong: string[] = [];
    for (const field of model.fields.filter(({ name }) => row[name] !== null)) {
      for (const operator of field.operators) {
        const { value, isFound } = toCase(operator, toFilterText(row[field.name]));
        const given =
          operator === "in" || operator === "range"
            ? [value].flatMap((text) => (text.startsWith("[") ? JSON.parse(text) : text))
            : value;
        const where = {
          and: [
            { field: "id", value: 3 },
            { field: field.name, operator, value: given },
          ],
        };
        const answer = await call("GET", `${path}?where=${encodeURIComponent(JSON.stringify(where))}`);
        const found = answer.body.objects?.length;
        if (found !== (isFound ? 1 : 0))
          wrong.push(`${field.name} ${operator} ${value}: ${answer.status} ${found}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("refuses what is no value of the kind with a 400, never more", async () => {
    const strange = ["x", "NaN", "1e999", "99999999999999999999", "2024-13-45", "\ud800", "\u0000"];
    const asked = model.fields.flatMap(({ name, operators }) =>
      operators.flatMap((operator) => strange.map((text) => ({ field: name, operator, text }))),
    );
    const wrong: unknown[] = [];
    for (const { field, operator, text } of asked) {
      const value = operator === "in" || operator === "range" ? [text, text] : text;
      const where = encodeURIComponent(JSON.stringify({ field, operator, value }));
      const { status } = await call("GET", `${path}?page_size=1&where=${where}`);
      if (status !== 200 && status !== 400) wrong.push({ field, operator, text, status });
    }
    expect(wrong).toEqual([]);
  });

  test("every sortable field sorts in both directions", async () => {
    for (const { name } of model.fields.filter((field) => field.sortable)) {
      for (const direction of ["asc", "desc"]) {
        const sorted = await call("GET", `${path}?sort[0][field]=${name}&sort[0][direction]=${direction}`);
        expect([name, sorted.status, sorted.body.objects?.length]).toEqual([name, 200, ROWS]);
      }
    }
  });
});

test("a replaced object takes a new value of every kind", async () => {
  const values = { ...everyKindRow(44), relation: 2, relation_many: [1] };
  const { status, body } = await call("PUT", `${path}4/`, values);
  expect(status).toBe(200);
  const { relation, relation_many, ...rest } = values;
  expect(body).toMatchObject(rest);
  expect([body.relation.id, body.relation_many[0].id]).toEqual([relation, ...relation_many]);
});

test("faults of every kind are reported at once, in words", async () => {
  const answer = await call("POST", path, {
    title: "x",
    decimal: "1,5",
    date: "2023-02-29",
    choice: "pink",
    colour: "red",
    accent: "#12",
    slug: "hakkımda",
    date_time: "0000-01-01T00:00:00Z",
    hidden: "x",
  });
  const codes = answer.body.errors.map((error: { field: string; code: string }) => [error.field, error.code]);
  expect(Object.fromEntries(codes)).toEqual({
    decimal: "invalid_decimal",
    date: "invalid_date",
    choice: "not_a_choice",
    colour: "invalid_colour",
    accent: "invalid_colour",
    slug: "invalid_slug",
    date_time: "invalid_date_time",
    hidden: "unknown_field",
  });
  const tooMany = await call("POST", path, { title: "x", decimal: "1.234" });
  expect(tooMany.body.errors[0].message).toBe("At most 10 digits before the point and 2 after it.");
});

test("a private row is there for its owner and for superusers alone", async () => {
  const hidden = ROWS + 1;
  expect((await call("GET", `${path}${hidden}/`)).status).toBe(404);
  expect((await call("GET", `${path}${hidden}/`, undefined, owner)).body.hidden).toBe("below");
  await call("PATCH", `${path}${hidden}/`, { owner: staff.userId }, owner);
  expect((await call("GET", `${path}${hidden}/`)).body).toMatchObject({ title: "bare", locked: "fast" });
  await call("PATCH", `${path}${hidden}/`, { owner: null }, owner);
});

test("a bulk update writes a value of every kind to several rows, with an entry for each", async () => {
  const { title: _title, slug: _slug, ...data } = everyKindRow(76);
  const bulk = {
    operation: "update",
    object_ids: [1, 2],
    data: { ...data, relation: 3, relation_many: [5] },
  };
  const { status, body } = await call("POST", `${path}bulk/`, bulk);
  expect([status, body.affected_count]).toEqual([200, 2]);
  const { body: row } = await call("GET", `${path}2/`);
  expect(row).toMatchObject(data);
  expect([row.relation.id, row.relation_many.length, row.relation_many[0].id]).toEqual([3, 1, 5]);
});

test("the history of an object has before and after as they travel, secrets masked", async () => {
  const { body } = await call("GET", `${path}2/history/`);
  const [changed, created] = body.entries;
  expect(created.action_type).toBe("CREATE");
  expect(changed.changes.decimal).toEqual({
    before: everyKindRow(2).decimal,
    after: everyKindRow(76).decimal,
  });
  expect(changed.changes.choices.after).toEqual(everyKindRow(76).choices);
  expect(changed.changes.relation_many.after.map((row: { id: number }) => row.id)).toEqual([5]);
  expect(JSON.stringify(body)).not.toContain("secret 76");
});

test("an export has every visible field, as text and as JSON", async () => {
  const csv = await ask("GET", `${path}export/?format=csv`);
  const header = csv.body.split("\r\n")[0]?.split("\n")[0]?.replace("\ufeff", "").split(",") ?? [];
  for (const { name, type } of model.fields) {
    if (name === "secret") continue;
    const column = type.startsWith("Localized") ? `${name}_en` : name;
    expect(header).toContain(column);
  }
  expect(header).not.toContain("hidden");
  const json = await ask("GET", `${path}export/?format=json`);
  const rows = json.json() as Record<string, unknown>[];
  expect(rows).toHaveLength(ROWS);
  const { secret: _secret, ...third } = (await call("GET", `${path}3/`)).body;
  expect(rows.find((row) => row.id === 3)).toMatchObject({
    decimal: third.decimal,
    choices: third.choices,
    date: third.date,
  });
});

test("the API page describes the body of a write", async () => {
  const { body } = await call("GET", "/api/openapi.json", undefined, owner);
  const { properties } = body.components.schemas["test.everything"];
  const writable = model.fields.filter((field) => !field.read_only).map((field) => field.name);
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(writable));
  expect(properties.computed).toBeUndefined();
});
