import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createTestApp, type TestApp } from "#test/app.ts";
import { DRAWER_SQL, drawer, HIDDEN_ROW, HIDDEN_VALUE, SECRET_VALUE, VAULT_SQL, vault } from "#test/vault.ts";

const LEVELS = [0, 1, 5, 10, 999] as const;
type Level = (typeof LEVELS)[number];
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

let site: TestApp;
const people = new Map<Level, { authorization: string; userId: number }>();
/** `app.name` → content type, as the database numbers them. */
let types: Map<string, number>;

async function call(level: Level | null, method: Method, url: string, body?: object) {
  const headers = level === null ? {} : { authorization: people.get(level)?.authorization ?? "" };
  const answer = await site.app.inject({ method, url, headers, ...(body && { payload: body }) });
  return { status: answer.statusCode, text: answer.body, headers: answer.headers, json: () => answer.json() };
}

function requireType(key: string): number {
  const id = types.get(key);
  if (id === undefined) throw new Error(`no model ${key}`);
  return id;
}

const objects = (rest = "", key = "test.vault") => `/api/admin/models/${requireType(key)}/objects/${rest}`;

/** Every endpoint of one model, `{}` being its path. */
const ROUTES: readonly [Method, string, object?][] = [
  ["GET", "/api/admin/models/{}/"],
  ["GET", "/api/admin/models/{}/objects/"],
  ["GET", "/api/admin/models/{}/objects/?count=exact"],
  ["GET", "/api/admin/models/{}/objects/1/"],
  ["GET", "/api/admin/models/{}/objects/1/history/"],
  ["GET", "/api/admin/models/{}/objects/1/dependents/"],
  ["GET", "/api/admin/models/{}/objects/export/?format=csv"],
  ["GET", "/api/admin/models/{}/objects/export/?format=xlsx"],
  ["POST", "/api/admin/models/{}/objects/export/", { format: "json" }],
  ["POST", "/api/admin/models/{}/objects/", {}],
  ["PUT", "/api/admin/models/{}/objects/1/", {}],
  ["PATCH", "/api/admin/models/{}/objects/1/", {}],
  ["DELETE", "/api/admin/models/{}/objects/1/"],
  ["POST", "/api/admin/models/{}/objects/1/move/", { before: null }],
  ["POST", "/api/admin/models/{}/objects/bulk/preview/", { operation: "delete", query: {} }],
  ["POST", "/api/admin/models/{}/objects/bulk/", { operation: "delete", object_ids: [1] }],
];

/** Endpoints that belong to no model. */
const OTHER_ROUTES: readonly [Method, string, object?][] = [
  ["GET", "/api/admin/models/"],
  ["GET", "/api/admin/permissions/"],
  ["GET", "/api/admin/search/?search=x"],
  ["GET", "/api/admin/actions/"],
  ["GET", "/api/admin/users/"],
  ["GET", "/api/admin/dashboard/"],
  ["GET", "/api/admin/sample/"],
  ["POST", "/api/admin/sample/remove/"],
  ["GET", "/api/admin/jobs/"],
  ["GET", "/api/admin/jobs/00000000-0000-4000-8000-000000000000/"],
  ["GET", "/api/admin/exports/00000000-0000-4000-8000-000000000000/"],
  ["GET", "/api/health/"],
  ["POST", "/api/health/sending-domain/"],
  ["GET", "/api/users/"],
  ["POST", "/api/users/", {}],
  ["GET", "/api/users/1/"],
  ["PUT", "/api/users/1/", {}],
  ["DELETE", "/api/users/1/"],
  ["GET", "/api/users/access-levels/"],
  ["POST", "/api/users/access-levels/", {}],
  ["PUT", "/api/users/access-levels/1/", {}],
  ["DELETE", "/api/users/access-levels/1/"],
];

beforeAll(async () => {
  site = await createTestApp({ extraModels: [vault, drawer], setUpSql: `${VAULT_SQL}; ${DRAWER_SQL}` });
  for (const level of LEVELS) people.set(level, await site.signInAs(level));
  const { rows } = await site.database.pool.query<{ id: number; key: string }>(
    "SELECT id, app_label || '.' || model_name AS key FROM content_type",
  );
  types = new Map(rows.map((row) => [row.key, row.id]));
});
afterAll(() => site.close());

test("every endpoint of every model is closed to visitors and to levels below 10", async () => {
  const opened: string[] = [];
  for (const key of types.keys()) {
    for (const [method, path, body] of ROUTES) {
      const url = path.replace("{}", String(requireType(key)));
      for (const level of [null, 0, 1, 5] as const) {
        const { status } = await call(level, method, url, body);
        if (status !== (level === null ? 401 : 403))
          opened.push(`${level} ${method} ${key} ${path}: ${status}`);
      }
    }
  }
  expect(opened).toEqual([]);
});

test("a body is not judged before it is known whose it is", async () => {
  const opened: string[] = [];
  for (const [method, path, body] of [...ROUTES, ...OTHER_ROUTES]) {
    if (!body) continue;
    const url = path.replace("{}", String(requireType("test.vault")));
    for (const level of [null, 0, 1, 5] as const) {
      const { status } = await call(level, method, url, {});
      const { status: refused } = await call(level, method, url, { nonsense: true });
      const expected = level === null ? 401 : 403;
      if (status !== expected || refused !== expected)
        opened.push(`${level} ${method} ${path}: ${status}, ${refused}`);
    }
  }
  expect(opened).toEqual([]);
});

test.each(OTHER_ROUTES.map(([method, url, body]) => ({ method, url, body })))(
  "$method $url is closed to visitors and to levels below 10",
  async ({ method, url, body }) => {
    for (const level of [null, 0, 1, 5] as const) {
      expect({ level, status: (await call(level, method, url, body)).status }).toEqual({
        level,
        status: level === null ? 401 : 403,
      });
    }
  },
);

/** Endpoints that show rows. A superuser sees the hidden value or the hidden row there; staff never do. */
const SHOWING: readonly { route: string; method: Method; path: string; body?: object; shows: string }[] = [
  { route: "list", method: "GET", path: "", shows: HIDDEN_VALUE },
  { route: "list, rows", method: "GET", path: "", shows: HIDDEN_ROW },
  { route: "search", method: "GET", path: `?search=${HIDDEN_ROW}`, shows: HIDDEN_ROW },
  { route: "filter", method: "GET", path: "?filters[0][field]=id&filters[0][value]=2", shows: HIDDEN_ROW },
  {
    route: "where",
    method: "GET",
    path: `?where=${encodeURIComponent('{"not":{"field":"id","operator":"exact","value":3}}')}`,
    shows: HIDDEN_ROW,
  },
  { route: "one", method: "GET", path: "1/", shows: HIDDEN_VALUE },
  { route: "one, a hidden row", method: "GET", path: "2/", shows: HIDDEN_ROW },
  { route: "the name of a related row", method: "GET", path: "1/", shows: HIDDEN_ROW },
  { route: "csv", method: "GET", path: "export/?format=csv", shows: HIDDEN_VALUE },
  { route: "csv, rows", method: "GET", path: "export/?format=csv", shows: HIDDEN_ROW },
  { route: "json", method: "GET", path: "export/?format=json", shows: HIDDEN_VALUE },
  { route: "ndjson", method: "GET", path: "export/?format=ndjson", shows: HIDDEN_ROW },
  {
    route: "export of ids",
    method: "POST",
    path: "export/",
    body: { format: "json", object_ids: [1, 2, 3] },
    shows: HIDDEN_ROW,
  },
  {
    route: "preview",
    method: "POST",
    path: "bulk/preview/",
    body: { operation: "update", query: {}, data: { title: "new" } },
    shows: HIDDEN_ROW,
  },
  {
    route: "preview of ids",
    method: "POST",
    path: "bulk/preview/",
    body: { operation: "update", object_ids: [1, 2, 3], data: { title: "new" } },
    shows: HIDDEN_ROW,
  },
];

test.each(SHOWING)("$route shows $shows to superusers alone", async ({ method, path, body, shows }) => {
  const owner = await call(999, method, objects(path), body);
  expect(owner.text).toContain(shows);
  const staff = await call(10, method, objects(path), body);
  expect([200, 404]).toContain(staff.status);
  expect(staff.text).not.toContain(shows);
});

test("counts are those of what one sees", async () => {
  for (const query of ["", "?count=exact"]) {
    expect((await call(999, "GET", objects(query))).json().pagination.total_count).toBe(3);
    expect((await call(10, "GET", objects(query))).json().pagination.total_count).toBe(2);
  }
  const read = async (level: Level) => {
    const { models } = (await call(level, "GET", "/api/admin/models/")).json();
    return models.find((model: { model_name: string }) => model.model_name === "vault");
  };
  expect((await read(999)).count).toBe(3);
  expect((await read(10)).count).toBe(2);
});

describe("a hidden field does not exist", () => {
  const asked: readonly [string, Method, string, object?][] = [
    ["a filter", "GET", "?filters[0][field]=code&filters[0][operator]=startswith&filters[0][value]=H"],
    ["where", "GET", `?where=${encodeURIComponent('{"field":"code","value":"x"}')}`],
    ["a sort", "GET", "?sort[0][field]=code"],
    ["columns of an export", "GET", "export/?columns=title,code"],
    ["a filter of an export", "GET", "export/?filters[0][field]=code&filters[0][value]=x"],
    [
      "a filter of a bulk operation",
      "POST",
      "bulk/preview/",
      {
        operation: "update",
        data: { title: "x" },
        query: { filters: [{ field: "code", operator: "exact", value: "x" }] },
      },
    ],
    [
      "data of a bulk operation",
      "POST",
      "bulk/",
      {
        operation: "update",
        object_ids: [1],
        data: { code: "x" },
      },
    ],
    ["a write", "PATCH", "1/", { code: "x" }],
    ["a creation", "POST", "", { title: "x", code: "x" }],
  ];

  test.each(asked.map(([where, method, path, body]) => ({ where, method, path, body })))(
    "in $where",
    async ({ method, path, body }) => {
      const { status, text } = await call(10, method, objects(path), body);
      expect(status).toBe(400);
      expect(text).toContain("unknown_field");
      const { rows } = await site.database.pool.query("SELECT code FROM test_vault WHERE id = 1");
      expect(rows[0]?.code).toBe(HIDDEN_VALUE);
    },
  );

  test("in the description of its model", async () => {
    const fields = async (level: Level) =>
      (await call(level, "GET", `/api/admin/models/${requireType("test.vault")}/`))
        .json()
        .fields.map((field: { name: string }) => field.name);
    expect(await fields(999)).toContain("code");
    expect(await fields(10)).not.toContain("code");
  });
});

describe("a hidden row does not exist", () => {
  test.each<{ method: Method; body?: object }>([
    { method: "GET" },
    { method: "PUT", body: { title: "x" } },
    { method: "PATCH", body: { title: "x" } },
  ])("for $method", async ({ method, body }) => {
    expect((await call(10, method, objects("2/"), body)).status).toBe(404);
  });

  test.each(["2/history/", "2/dependents/"])("at %s", async (path) => {
    expect((await call(10, "GET", objects(path))).status).toBe(404);
  });

  test("for bulk work by ids and by query", async () => {
    for (const scope of [{ object_ids: [2] }, { query: { filters: [{ field: "id", value: 2 }] } }]) {
      await call(10, "POST", objects("bulk/"), { operation: "update", data: { title: "taken" }, ...scope });
      const { rows } = await site.database.pool.query("SELECT title FROM test_vault WHERE id = 2");
      expect(rows[0]?.title).toBe(HIDDEN_ROW);
    }
  });
});

describe("what the log keeps", () => {
  beforeAll(async () => {
    await call(999, "PATCH", objects("1/"), {
      code: `${HIDDEN_VALUE}2`,
      pin: `${SECRET_VALUE}2`,
      title: "Opened",
    });
    await call(999, "PATCH", objects("2/"), { title: `${HIDDEN_ROW}2` });
  });

  test.each([
    ["the history of one object", () => objects("1/history/")],
    ["the log", () => "/api/admin/actions/"],
    ["the log as a model", () => objects("", "audit.entry")],
    ["the log as a file", () => objects("export/?format=json", "audit.entry")],
    ["the dashboard", () => "/api/admin/dashboard/"],
  ])("%s publishes changes to staff without hidden fields, and nobody a secret", async (_route, url) => {
    const staff = await call(10, "GET", url());
    expect(staff.status).toBe(200);
    expect(staff.text).not.toContain(HIDDEN_VALUE);
    const owner = await call(999, "GET", url());
    expect(owner.text).not.toContain(SECRET_VALUE);
  });

  test("a superuser's history has the hidden field and not the secret one", async () => {
    const { text } = await call(999, "GET", objects("1/history/"));
    expect(text).toContain(HIDDEN_VALUE);
    expect(text).toContain("pin");
    expect(text).not.toContain(SECRET_VALUE);
  });

  test.each([
    ["the log", () => "/api/admin/actions/"],
    ["the log as a model", () => objects("", "audit.entry")],
    ["a search in the log", () => `/api/admin/actions/?search=${HIDDEN_ROW}`],
    ["the log as a file", () => objects("export/?format=csv", "audit.entry")],
    ["the dashboard", () => "/api/admin/dashboard/"],
  ])("%s publishes nothing of a hidden row to staff", async (_route, url) => {
    expect((await call(999, "GET", url())).text).toContain(HIDDEN_ROW);
    const staff = await call(10, "GET", url());
    expect(staff.status).toBe(200);
    expect(staff.text).not.toContain(HIDDEN_ROW);
  });
});

describe("a row that everybody meets, with values that they don't", () => {
  const at = (rest = "") => objects(rest, "test.drawer");
  const read = async () =>
    (await site.database.pool.query("SELECT vault_id FROM test_drawer WHERE id = 1")).rows[0]?.vault_id;

  beforeAll(async () => {
    await site.database.pool.query("UPDATE test_vault SET title = $1 WHERE id = 2", [HIDDEN_ROW]);
    await call(999, "PATCH", at("1/"), { title: "Seen", code: HIDDEN_VALUE, pin: SECRET_VALUE, vault_id: 2 });
  });

  test.each([
    ["the history of one object", () => at("1/history/")],
    ["the log", () => "/api/admin/actions/"],
    ["the dashboard", () => "/api/admin/dashboard/"],
  ])("%s publishes the change to staff, without hidden values and names", async (route, url) => {
    const staff = await call(10, "GET", url());
    expect(staff.status).toBe(200);
    const entries = staff.json().entries ?? staff.json().actions ?? staff.json().recent_actions;
    const entry = entries.find(({ changes }: { changes: object }) => "vault_id" in changes);
    expect({ route, changes: entry.changes }).toEqual({
      route,
      changes: {
        title: { before: "Drawer", after: "Seen" },
        pin: { before: "•••", after: "•••" },
        vault_id: { before: { id: 1, repr: "#1" }, after: { id: 2, repr: "#2" } },
      },
    });
    for (const text of [HIDDEN_VALUE, HIDDEN_ROW, SECRET_VALUE]) expect(staff.text).not.toContain(text);
    const owner = (await call(999, "GET", url())).text;
    expect(owner).toContain(HIDDEN_VALUE);
    expect(owner).toContain(HIDDEN_ROW);
    expect(owner).not.toContain(SECRET_VALUE);
  });

  test.each([
    ["the log as a model", () => objects("", "audit.entry")],
    ["the log as a file", () => objects("export/?format=json", "audit.entry")],
  ])("%s publishes the change to staff, and nothing of what is hidden", async (_route, url) => {
    const staff = await call(10, "GET", url());
    expect(staff.text).toContain("Seen");
    for (const text of [HIDDEN_VALUE, HIDDEN_ROW, SECRET_VALUE]) expect(staff.text).not.toContain(text);
  });

  test("a relation to a hidden row is written as little as one to a row that isn't there", async () => {
    const hidden = await call(10, "POST", at(), { title: "New", vault_id: 2 });
    const missing = await call(10, "POST", at(), { title: "New", vault_id: 987_654 });
    const toFault = ({ status, json }: typeof hidden) => [status, json().code, json().errors];
    expect(toFault(hidden)).toEqual(toFault(missing));
    expect(hidden.json().errors).toMatchObject([{ field: "vault_id", code: "related_not_found" }]);
    expect((await call(10, "PATCH", at("1/"), { vault_id: 3 })).status).toBe(200);
    for (const [method, rest, body] of [
      ["PATCH", "1/", { vault_id: 2 }],
      ["POST", "bulk/", { operation: "update", object_ids: [1], data: { vault_id: 2 } }],
      ["POST", "bulk/preview/", { operation: "update", object_ids: [1], data: { vault_id: 2 } }],
    ] as const) {
      const answer = await call(10, method, at(rest), body);
      expect(answer.json().errors).toMatchObject([{ field: "vault_id", code: "related_not_found" }]);
    }
    expect(await read()).toBe(3);
  });

  test("a relation to a hidden row that is there already may be sent back", async () => {
    await call(999, "PATCH", at("1/"), { vault_id: 2 });
    expect((await call(10, "PATCH", at("1/"), { title: "Renamed", vault_id: 2 })).status).toBe(200);
    expect(await read()).toBe(2);
  });
});
