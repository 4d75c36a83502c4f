import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createTestApp, type TestApp } from "#test/app.ts";
import { ARTICLE_INDEX_SQL, ARTICLE_SQL, article } from "#test/article.ts";
import { until } from "#test/until.ts";

let site: TestApp;
let staff: { authorization: string; userId: number };
let owner: { authorization: string; userId: number };
let models: Record<string, number>;

async function call(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  url: string,
  options: { as?: { authorization: string }; body?: object; lang?: string } = {},
) {
  const { as = owner, body, lang = "en" } = options;
  const headers = { authorization: as.authorization, "accept-language": lang };
  const answer = await site.app.inject({ method, url, headers, ...(body && { payload: body }) });
  return { status: answer.statusCode, body: answer.body ? JSON.parse(answer.body) : undefined, answer };
}

const objects = (model: string, rest = "") => `/api/admin/models/${models[model]}/objects/${rest}`;

/** A list in a list in a list … */
function toNested(levels: number): unknown {
  let value: unknown = "x";
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

/** Query text of the documented names, encoded. */
function toQuery(query: Record<string, string>): string {
  return `?${new URLSearchParams(query)}`;
}

async function readAudit(action: string) {
  const { rows } = await site.database.pool.query(
    "SELECT * FROM audit_entry WHERE action_type = $1 ORDER BY id DESC LIMIT 1",
    [action],
  );
  return rows[0];
}

beforeAll(async () => {
  site = await createTestApp({ extraModels: [article], setUpSql: `${ARTICLE_SQL}; ${ARTICLE_INDEX_SQL}` });
  owner = await site.signInAs(999);
  staff = await site.signInAs(10);
  const list = await call("GET", "/api/admin/models/");
  models = Object.fromEntries(
    list.body.models.map((model: { model_name: string; content_type_id: number }) => [
      model.model_name,
      model.content_type_id,
    ]),
  );
  await site.database.pool.query(
    `INSERT INTO test_article (title, status, views, published_at)
     SELECT t.title, CASE WHEN i % 2 = 0 THEN 'published' ELSE 'draft' END, i, '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 day'
     FROM unnest(ARRAY['çilek','Işık','isim','İzmir','ığdır','Zebra','zil','100%','under_score','back\\slash']) WITH ORDINALITY t(title, i)`,
  );
});
afterAll(() => site.close());

describe("who may", () => {
  const routes = [
    ["GET", "/api/admin/models/"],
    ["GET", "/api/admin/models/{}/"],
    ["GET", "/api/admin/models/{}/objects/"],
    ["GET", "/api/admin/models/{}/objects/1/"],
    ["GET", "/api/admin/models/{}/objects/export/"],
    ["POST", "/api/admin/models/{}/objects/"],
    ["PUT", "/api/admin/models/{}/objects/1/"],
    ["PATCH", "/api/admin/models/{}/objects/1/"],
    ["DELETE", "/api/admin/models/{}/objects/1/"],
  ] as const;

  test.each(routes)("%s %s is closed to visitors and to levels below 10", async (method, path) => {
    const url = path.replace("{}", String(models.certificate));
    const anonymous = await site.app.inject({ method, url, ...(method !== "GET" && { payload: {} }) });
    expect(anonymous.statusCode).toBe(401);
    for (const level of [0, 1, 5]) {
      const { rows } = await site.database.pool.query("SELECT 1 FROM account_user WHERE username = $1", [
        `level_${level}`,
      ]);
      const person = rows.length > 0 ? people.get(level) : await site.signInAs(level);
      if (!person) throw new Error("no person");
      people.set(level, person);
      const answer = await call(method, url, { as: person, ...(method !== "GET" && { body: {} }) });
      expect(answer.status).toBe(403);
      expect(answer.body.code).toBe("permission_denied");
    }
  });
  const people = new Map<number, { authorization: string; userId: number }>();

  test("staff edit but only superusers delete", async () => {
    const made = await call("POST", objects("article"), { as: staff, body: { title: "Staff's" } });
    expect(made.status).toBe(201);
    expect((await call("DELETE", objects("article", `${made.body.id}/`), { as: staff })).status).toBe(403);
    expect((await call("DELETE", objects("article", `${made.body.id}/`))).status).toBe(204);
    expect((await call("GET", objects("article", `${made.body.id}/`))).status).toBe(404);
  });

  test("users never show a password hash, and are written by the rules of accounts", async () => {
    const list = await call("GET", objects("user"));
    expect(list.body.objects.length).toBeGreaterThan(1);
    expect(JSON.stringify(list.body)).not.toMatch(/argon2|password/);
    const body = { username: "x" };
    expect((await call("POST", objects("user"), { body })).status).toBe(400);
    expect((await call("PATCH", objects("user", `${staff.userId}/`), { body })).status).toBe(400);
    const secret = { password_hash: "x" };
    expect((await call("PATCH", objects("user", `${staff.userId}/`), { body: secret })).status).toBe(400);
    const csv = await call("GET", objects("user", "export/")).catch((error: Error) => error);
    expect(String(csv)).not.toMatch(/argon2/);
  });
});

describe("write", () => {
  test("a created object is answered, audited and announced", async () => {
    const received: (string | undefined)[] = [];
    site.feed.subscribe((key) => received.push(key));
    const body = { label: { en: " CKA ", tr: "" }, issuer: { en: "CNCF" }, issued_on: "2024-05" };
    const { status, body: made } = await call("POST", objects("certificate"), { as: staff, body });
    expect(status).toBe(201);
    expect(made).toMatchObject({
      repr: "CKA",
      label: { en: "CKA", tr: null },
      issued_on: "2024-05",
      file: null,
      position: 1,
    });
    const entry = await readAudit("CREATE");
    expect(entry).toMatchObject({
      user_id: staff.userId,
      username: "level_10",
      object_id: String(made.id),
      object_repr: "CKA",
      ip_address: "127.0.0.1",
    });
    expect(entry.changes.label).toEqual({ after: { en: "CKA", tr: null } });
    await until(() => received.includes("cv.certificate"));
  });

  test("a change keeps before and after, and leaves the other fields", async () => {
    const { body: made } = await call("POST", objects("certificate"), {
      body: { label: { en: "A", tr: "B" }, url: "https://a.test" },
    });
    const { status, body } = await call("PATCH", objects("certificate", `${made.id}/`), {
      body: { label: { en: "A2", tr: "B" } },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ label: { en: "A2", tr: "B" }, url: "https://a.test" });
    expect(body.updated_at > made.updated_at).toBe(true);
    const entry = await readAudit("UPDATE");
    expect(entry.changes).toEqual({ label: { before: { en: "A", tr: "B" }, after: { en: "A2", tr: "B" } } });
  });

  test("PUT empties what it does not name", async () => {
    const { body: made } = await call("POST", objects("certificate"), {
      body: { label: { en: "A" }, url: "https://a.test" },
    });
    const { body } = await call("PUT", objects("certificate", `${made.id}/`), {
      body: { label: { en: "A" } },
    });
    expect(body.url).toBeNull();
    expect(
      (await call("PUT", objects("certificate", `${made.id}/`), { body: { url: "https://a.test" } })).status,
    ).toBe(400);
  });

  test("PUT without a position leaves the item where it is", async () => {
    const { body: made } = await call("POST", objects("certificate"), {
      body: { label: { en: "P" }, position: 3 },
    });
    const { body } = await call("PUT", objects("certificate", `${made.id}/`), {
      body: { label: { en: "P2" } },
    });
    expect(body.position).toBe(3);
  });

  test("a record can be sent back as it was read", async () => {
    const { body: made } = await call("POST", objects("certificate"), { body: { label: { en: "Round" } } });
    const { status } = await call("PUT", objects("certificate", `${made.id}/`), { body: made });
    expect(status).toBe(200);
  });

  test.each<[string, object, string, string]>([
    ["a missing required field", {}, "label", "required"],
    ["a required field empty in both languages", { label: { en: "  ", tr: "" } }, "label", "required"],
    ["an unknown field", { label: { en: "x" }, ghost: 1 }, "ghost", "unknown_field"],
    ["an unknown language", { label: { en: "x", de: "y" } }, "label.de", "unknown_field"],
    ["a text that is too long", { label: { en: "x".repeat(201) } }, "label.en", "too_long"],
    ["a wrong type", { label: "x" }, "label", "invalid_type"],
    [
      "a date that is none",
      { label: { en: "x" }, issued_on: "2024-13" },
      "issued_on",
      "invalid_partial_date",
    ],
    ["a script address", { label: { en: "x" }, url: "javascript:alert(1)" }, "url", "invalid_url"],
    [
      "a file that was never uploaded",
      { label: { en: "x" }, file: `/files/${"0".repeat(32)}.png` },
      "file",
      "invalid_file",
    ],
    [
      "a file elsewhere",
      { label: { en: "x" }, file: "https://elsewhere.test/a.png" },
      "file",
      "invalid_file",
    ],
    [
      "a day that is none",
      { label: { en: "x" }, issued_on: "2024-02-31" },
      "issued_on",
      "invalid_partial_date",
    ],
    ["the year 0", { label: { en: "x" }, issued_on: "0000" }, "issued_on", "invalid_partial_date"],
    [
      "an address over two lines",
      { label: { en: "x" }, url: "https://a.test/\n" + "b" },
      "url",
      "invalid_url",
    ],
    ["half of a surrogate pair", { label: { en: "a\ud800b" } }, "label.en", "invalid_format"],
    [
      "half of one inside JSON",
      { label: { en: "x" }, extra: { en: { a: "\udfff" } } },
      "extra",
      "invalid_value",
    ],
    ["half of one as a key", { label: { en: "x" }, extra: { "\udfff": 1 } }, "extra", "invalid_value"],
    ["a NUL character inside JSON", { label: { en: "x" }, extra: { a: "\u0000" } }, "extra", "invalid_value"],
    ["JSON of 65 levels", { label: { en: "x" }, extra: toNested(65) }, "extra", "invalid_value"],
    ["JSON without end", { label: { en: "x" }, extra: toNested(2000) }, "extra", "invalid_value"],
    ["a NUL character", { label: { en: "a\u0000b" } }, "label.en", "invalid_format"],
    ["a position beyond 32 bits", { label: { en: "x" }, position: 1e12 }, "position", "too_big"],
  ])("%s is refused at its field and nothing is written", async (_, body, field, code) => {
    const before = await site.database.pool.query("SELECT count(*) FROM cv_certificate");
    const answer = await call("POST", objects("certificate"), { body });
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe("validation_failed");
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ field, code }));
    for (const error of answer.body.errors) expect(error.message).not.toBe(error.code);
    const after = await site.database.pool.query("SELECT count(*) FROM cv_certificate");
    expect(after.rows).toEqual(before.rows);
  });

  test("JSON of 64 levels is kept", async () => {
    const body = { label: { en: "deep" }, extra: toNested(64) };
    expect(await call("POST", objects("certificate"), { body })).toMatchObject({ status: 201, body });
  });

  test("a new object goes beside the last one where that has the highest position", async () => {
    const create = (body: object) =>
      call("POST", objects("skill"), { body: { label: { en: "x" }, ...body } });
    const last = await create({ position: 2_147_483_647 });
    const next = await create({});
    expect(next).toMatchObject({ status: 201, body: { position: 2_147_483_647 } });
    for (const { body } of [last, next]) await call("DELETE", objects("skill", `${body.id}/`));
  });

  test("who wrote finds every cache of this process dropped before the answer", async () => {
    const received: unknown[] = [];
    site.feed.subscribe((modelKey) => received.push(modelKey));
    const { body } = await call("POST", objects("link"), { body: { network: "a", url: "https://a.test" } });
    expect(received).toContain("cv.link");
    for (let round = 0; round < 20; round++) {
      received.length = 0;
      await call("PATCH", objects("link", `${body.id}/`), { body: { network: `a${round}` } });
      expect(received).toContain("cv.link");
    }
  });

  test("a second profile is refused", async () => {
    expect((await call("POST", objects("profile"), { body: { name: "Ada" } })).status).toBe(201);
    const second = await call("POST", objects("profile"), { body: { name: "Bob" } });
    expect(second).toMatchObject({ status: 409, body: { code: "singleton_exists" } });
  });

  test("a failed write leaves no audit entry", async () => {
    const { rows: before } = await site.database.pool.query("SELECT count(*) FROM audit_entry");
    await call("POST", objects("profile"), { body: { name: "Bob" } });
    const { rows: after } = await site.database.pool.query("SELECT count(*) FROM audit_entry");
    expect(after).toEqual(before);
  });

  test("messages come in the language of the request", async () => {
    const { body } = await call("POST", objects("certificate"), { body: {}, lang: "tr" });
    expect(body.errors[0].message).toBe("Bu alan zorunludur.");
  });

  test.each(["0", "99999999999", "abc", "1e3", "-1"])(
    "an object %s does not exist and breaks nothing",
    async (id) => {
      const { status } = await call("GET", objects("certificate", `${id}/`));
      expect([400, 404]).toContain(status);
    },
  );
});

describe("export", () => {
  test("csv holds what the list shows, with formulas made harmless", async () => {
    const { pool } = site.database;
    await pool.query(
      `INSERT INTO test_article (title, body, status) VALUES ('=1+1', '-2', 'export'), ('a,"b"' || E'\\nc', '@x', 'export'), ('ş', NULL, 'export')`,
    );
    const url = objects(
      "article",
      `export/${toQuery({ "filters[0][field]": "status", "filters[0][value]": "export", "sort[0][field]": "id" })}`,
    );
    const answer = await site.app.inject({ url, headers: { authorization: staff.authorization } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(answer.headers["content-disposition"]).toMatch(
      /^attachment; filename="test-article-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const lines = answer.body.split("\n");
    expect(lines[0]).toBe("id,title,body,status,views,published_at,created_at,updated_at");
    expect(answer.body).toContain(`,'=1+1,'-2,export,0,,`);
    expect(answer.body).toContain(`"a,""b""\nc",'@x,export`);
    expect(answer.body).toContain(",ş,,export");
    expect(await readAudit("VIEW")).toMatchObject({
      detail: "export",
      user_id: staff.userId,
      object_repr: "Articles",
    });
  });

  test.each(["it's", "back\\slash'); DROP TABLE test_article; --", "$1", "a'||pg_sleep(5)||'"])(
    "a filter value %s is a literal in COPY",
    async (value) => {
      const url = objects(
        "article",
        `export/${toQuery({ search: value, "filters[0][field]": "title", "filters[0][operator]": "in", "filters[0][value]": value })}`,
      );
      const answer = await site.app.inject({ url, headers: { authorization: owner.authorization } });
      expect(answer.statusCode).toBe(200);
      expect(answer.body.trim().split("\n")).toHaveLength(1);
      expect((await call("GET", objects("article"))).status).toBe(200);
    },
  );

  test("an unknown format is refused", async () => {
    expect((await call("GET", objects("article", "export/?format=exe"))).status).toBe(400);
  });
});
