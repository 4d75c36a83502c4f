import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createTestApp, type TestApp } from "#test/app.ts";

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: { properties?: object } }> }>;
  security?: object[];
  requestBody?: { content?: Record<string, { schema: Schema }> };
  parameters?: { name: string; schema: unknown }[];
}

let site: TestApp;
let operations: [string, Operation][];

beforeAll(async () => {
  site = await createTestApp();
  const { paths } = (await site.app.inject({ url: "/api/openapi.json" })).json() as {
    paths: Record<string, Record<string, Operation>>;
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  );
});
afterAll(() => site.close());

test("every parameter has a name that clients send and a schema", () => {
  for (const [name, { parameters = [] }] of operations) {
    for (const parameter of parameters) expect([name, typeof parameter.schema]).toEqual([name, "object"]);
  }
  const list = operations.find(([name]) => name === "get /api/admin/models/{content_type_id}/objects/")?.[1];
  expect(list?.parameters?.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["content_type_id", "page", "page_size", "search"]),
  );
});

/** Rooms in which every endpoint is a signed-in person's, apart from those that lead in. */
const GUARDED =
  /^\w+ (\/api\/(admin|users|mail\/(?!webhooks|unsubscribe))|\/voice|\/api\/health(?!\/(live|ready)))/;
const LEADS_IN =
  /(login|logout|refresh|register|invitation|request-verification|verify-email|login\/second-factor|login\/passkey\/options|login\/passkey|password\/(forgot|reset)|setup)\/?$/;

test("what needs a signed-in person says so, and nothing else does", () => {
  const guarded = operations.filter(([, { security }]) => security).map(([name]) => name);
  const names = operations.map(([name]) => name);
  expect(guarded.sort()).toEqual(names.filter((name) => GUARDED.test(name) && !LEADS_IN.test(name)).sort());
});

test("every operation names its answer and the error envelope", () => {
  for (const [name, { responses }] of operations) {
    expect([
      name,
      Object.keys(responses.default?.content?.["application/json"]?.schema.properties ?? {}),
    ]).toEqual([name, ["message", "code", "status", "errors", "detail", "error", "request_id"]]);
  }
});

interface Schema {
  type?: string;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
}

/** Texts and lists in a schema that may be of any length. */
function findUnlimited(schema: Schema, at: string): string[] {
  const inner = [
    ...Object.entries(schema.properties ?? {}).map(([name, part]) => [part, `${at}.${name}`] as const),
    ...(schema.anyOf ?? []).map((part) => [part, at] as const),
    ...(schema.items ? [[schema.items, `${at}[]`] as const] : []),
  ].flatMap(([part, name]) => findUnlimited(part, name));
  const isFixed = schema.enum !== undefined || schema.const !== undefined;
  const isOpen =
    (schema.type === "string" && schema.maxLength === undefined && !isFixed) ||
    (schema.type === "array" && schema.maxItems === undefined);
  return isOpen ? [at, ...inner] : inner;
}

test("every text and every list that a stranger may send has a greatest length", () => {
  const open = operations
    .filter(([, { security }]) => !security)
    .flatMap(([name, { requestBody }]) => {
      const schema = requestBody?.content?.["application/json"]?.schema;
      return schema ? findUnlimited(schema, name) : [];
    });
  expect(open).toEqual([]);
});

describe("the page of the description", () => {
  test("has the policy of all pages: nothing from elsewhere, in nobody's frame", async () => {
    const page = await site.app.inject({ url: "/api/docs/" });
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|validator|(script|style)-src [^;]*unsafe/);
    expect((await site.app.inject({ url: "/api/docs/static/swagger-initializer.js" })).body).toContain(
      '"validatorUrl":null',
    );
  });

  test("is there from a level on where a setting says so, by token and by the console's cookie", async () => {
    const closed = await createTestApp({ apiDocsLevel: 10 });
    const [staff, person] = [await closed.signInAs(10), await closed.signInAs(1)];
    const { username, password } = staff;
    const login = await closed.app.inject({
      method: "POST",
      url: "/api/users/login/",
      payload: { username, password },
    });
    const pass = login.cookies.find(({ path }) => path === "/api/docs");
    const cookie = `${pass?.name}=${pass?.value}`;
    const ask = async (url: string, headers: Record<string, string>) =>
      (await closed.app.inject({ url, headers })).statusCode;
    for (const url of ["/api/docs/", "/api/docs/json", "/api/openapi.json"]) {
      expect([url, await ask(url, {})]).toEqual([url, 404]);
      expect([url, await ask(url, { authorization: person.authorization })]).toEqual([url, 404]);
      expect([url, await ask(url, { authorization: staff.authorization })]).toEqual([url, 200]);
      expect([url, await ask(url, { cookie })]).toEqual([url, 200]);
    }
    await closed.close();
  });
});
