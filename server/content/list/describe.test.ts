import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { FieldInfo } from "#contract/content/models.ts";
import { accessLevel } from "#server/models/declared/access-level.ts";
import { user } from "#server/models/declared/user.ts";
import { buildRegistry } from "#server/models/registry/registry.ts";
import { ARTICLE_SQL, article } from "#test/article.ts";
import { type ContentSite, openContentSite, type Person } from "../fixture.ts";
import { describeModel } from "./reads.ts";

let content: ContentSite;
let staff: Person;

beforeAll(async () => {
  content = await openContentSite([article], ARTICLE_SQL);
  staff = await content.site.signInAs(10);
});
afterAll(() => content.site.close());

describe("description", () => {
  test("a model names its fields in the language of the request", async () => {
    const { body } = await content.call("GET", content.objects("certificate").replace("objects/", ""), {
      lang: "tr",
      as: staff,
    });
    expect(body).toMatchObject({
      verbose_name: "Sertifika",
      app_label: "cv",
      permissions: { view: true, create: true, update: true, delete: false },
    });
    expect(body.fields.find((field: { name: string }) => field.name === "label")).toMatchObject({
      verbose_name: "Başlık",
      type: "LocalizedCharField",
      control: "localized-text",
      required: true,
      max_length: 200,
    });
  });

  test("a field says where no two records may have the same value, in any case or not", () => {
    const models = [accessLevel, user];
    const { byKey } = buildRegistry(
      models,
      new Map(models.map((model, at) => [`accounts.${model.name}`, at + 1])),
    );
    const isUnique = (key: string) => {
      const model = byKey.get(key);
      const total = { count: 0, isEstimate: false };
      const { fields } = model ? describeModel(model, total, 999, "en") : { fields: [] };
      return fields.filter(({ is_unique }) => is_unique).map(({ name }) => name);
    };
    expect(isUnique("accounts.user")).toEqual(["username", "email"]);
    expect(isUnique("accounts.access_level")).toEqual(["level"]);
  });

  test("a text says which names stand for something on its page, in the language of the request", async () => {
    const { body } = await content.call("GET", "/api/admin/models/", { lang: "tr", as: staff });
    const page = body.models.find(({ model_name }: { model_name: string }) => model_name === "page");
    const { help_text, placeholders } = page.fields.find(({ name }: FieldInfo) => name === "body");
    expect(placeholders).toContainEqual({ value: "{code_lifetime}", label: "e-postayla gelen kod" });
    expect(help_text.length).toBeLessThan(120);
    const others = page.fields.filter(({ name }: FieldInfo) => name !== "body");
    expect(others.filter((field: FieldInfo) => "placeholders" in field)).toEqual([]);
  });

  test("a field says what a new record has of it, where the table's definition says that", async () => {
    const { body } = await content.call("GET", "/api/admin/models/?lang=en", { as: staff });
    const initialOf = (model: string) => {
      const { fields } = body.models.find(({ model_name }: { model_name: string }) => model_name === model);
      return Object.fromEntries(
        fields.flatMap(({ name, initial }: FieldInfo) => (initial === undefined ? [] : [[name, initial]])),
      );
    };
    expect(initialOf("look")).toEqual({ accent: "#0b4a63", fonts: "newsreader", picture_shape: "rounded" });
    expect(initialOf("wording")).toEqual({ shows_reply_time: true });
    // The next place of the list is found as it is written.
    expect(initialOf("certificate")).toEqual({ is_hidden: false });
  });

  test("a model that does not exist is a documented 404", async () => {
    expect(await content.call("GET", "/api/admin/models/4242/")).toMatchObject({
      status: 404,
      body: { code: "model_not_found", message: "Model not found" },
    });
  });

  test("OpenAPI 3.1 names every writable model", async () => {
    const { body } = await content.call("GET", "/api/openapi.json");
    expect(body.openapi).toBe("3.1.0");
    expect(Object.keys(body.components.schemas)).toEqual(
      expect.arrayContaining(["cv.certificate", "cv.profile", "test.article"]),
    );
    expect(body.paths["/api/admin/models/{content_type_id}/objects/"]).toHaveProperty("post");
  });

  test("OpenAPI names every part of the list's query", async () => {
    const { body } = await content.call("GET", "/api/openapi.json");
    const { parameters } = body.paths["/api/admin/models/{content_type_id}/objects/"].get;
    const query = parameters.filter((parameter: { in: string }) => parameter.in === "query");
    expect(query.map((parameter: { name: string }) => parameter.name)).toEqual([
      "page",
      "page_size",
      "search",
      "filters[0][field]",
      "filters[0][operator]",
      "filters[0][value]",
      "where",
      "sort[0][field]",
      "sort[0][direction]",
      "cursor",
      "count",
    ]);
    for (const { description, schema, required } of query) {
      expect(description ?? schema.description).toMatch(/\w/);
      expect(schema.type).toMatch(/string|integer/);
      expect(required ?? false).toBe(false);
    }
  });

  test("a relation to a model that the reader may not see names none", () => {
    const hidden = { ...accessLevel, access: { ...accessLevel.access, view: 999 } };
    const { byKey } = buildRegistry([user, hidden], new Map([["accounts.access_level", 77]]));
    const people = byKey.get("accounts.user");
    if (!people) throw new Error("no model");
    const findRelated = (level: number) =>
      describeModel(people, { count: 0, isEstimate: false }, level, "en").fields.find(
        (field) => field.name === "access_level_id",
      )?.related_model;
    expect(findRelated(999)).toBe(77);
    expect(findRelated(10)).toBeNull();
  });
});
