import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { AdminUser } from "#contract/accounts/admin-users.ts";
import { staleWrite } from "#contract/content/objects.ts";
import { type Person, readFaults } from "../profile/fixture.ts";
import { type AdminFixture, openAdmin } from "./fixture.ts";

let site: AdminFixture;
let staff: Person;
let owner: Person;

beforeAll(async () => {
  site = await openAdmin();
  owner = await site.addPerson("owner", { level: 999 });
  staff = await site.addPerson("staff", { level: 10 });
  await site.addPerson("guest", { level: 0 });
  await site.addPerson("helper", { level: 5 });
  await site.addPerson("isik", { columns: "first_name = 'IŞIK', last_name = 'Gürsoy'" });
  await site.pool.query("UPDATE account_user SET is_active = false WHERE username = 'isik'");
});
afterAll(() => site.close());

async function list(query: Record<string, string>, url = "/api/admin/users/") {
  const answer = await site.call(staff, "GET", `${url}?${new URLSearchParams(query)}`);
  const body = answer.json();
  return {
    status: answer.statusCode,
    body,
    names: body.users?.map((user: AdminUser) => user.username).sort(),
  };
}

const where = (field: string, operator: string, value: string, index = 0) => ({
  [`filters[${index}][field]`]: field,
  [`filters[${index}][operator]`]: operator,
  [`filters[${index}][value]`]: value,
});

test("an item is the documented one", async () => {
  const { body } = await list({ search: "isik" });
  const { date_joined, id, last_login, ...rest } = body.users[0];
  expect(rest).toEqual({
    username: "isik",
    email: "isik@example.org",
    first_name: "IŞIK",
    last_name: "Gürsoy",
    is_staff: false,
    mail_state: null,
    is_superuser: false,
    access_level: 1,
    access_level_name: "User",
    is_email_verified: true,
    is_active: false,
    admission: "admitted",
  });
  expect(Date.parse(date_joined)).toBeGreaterThan(0);
  expect(Date.parse(last_login)).toBeGreaterThan(0);
  expect(id).toBeGreaterThan(0);
});

test.each([
  ["/api/admin/users/", 20],
  ["/api/users/", 50],
])("%s has %d a page", async (url, size) => {
  const { body } = await list({}, url);
  expect(body.pagination).toMatchObject({ page: 1, page_size: size, total_count: 5, total_pages: 1 });
  expect((await list({ page_size: "2", page: "2" }, url)).body.users).toHaveLength(2);
});

test.each<[Record<string, string>, string[]]>([
  [where("is_staff", "exact", "true"), ["owner", "staff"]],
  [where("is_staff", "exact", "false"), ["guest", "helper", "isik"]],
  [where("is_superuser", "exact", "true"), ["owner"]],
  [where("access_level", "exact", "999"), ["owner"]],
  [{ ...where("access_level", "gte", "10"), ...where("access_level", "lt", "999", 1) }, ["staff"]],
  [{ ...where("access_level", "gte", "1"), ...where("access_level", "lt", "10", 1) }, ["helper", "isik"]],
  [where("access_level", "exact", "0"), ["guest"]],
  [where("access_level", "exact", "77"), []],
  [where("access_level", "in", "0,5"), ["guest", "helper"]],
  [where("is_active", "exact", "false"), ["isik"]],
  [{ where: '{"field":"is_staff","value":true}' }, ["owner", "staff"]],
  [
    {
      where:
        '{"and":[{"not":{"field":"access_level","operator":"lt","value":5}},{"field":"date_joined","operator":"gt","value":"2000-01-01T00:00:00Z"}]}',
    },
    ["helper", "owner", "staff"],
  ],
  [{ search: "işik" }, ["isik"]],
  [{ search: "IŞIK GÜRSOY" }, ["isik"]],
  [{ search: "gursoy" }, ["isik"]],
])("%j finds %j", async (query, names) => {
  expect((await list(query)).names).toEqual(names);
});

test.each([
  [where("ghost", "exact", "1"), "unknown_field", /ghost/],
  [where("password_hash", "contains", "a"), "unknown_field", /password_hash/],
  [where("is_staff", "gte", "true"), "unknown_operator", /is_staff/],
  [where("date_joined", "exact", "yesterday"), "invalid_query", /date_joined/],
  [where("date_joined", "contains", "2020"), "unknown_operator", /date_joined/],
  [{ where: '{"field":"last_login","operator":"contains","value":"1"}' }, "unknown_operator", /last_login/],
  [{ where: "{" }, "invalid_query", /where/],
  [where("is_staff", "exact", "perhaps"), "invalid_query", /is_staff/],
  [where("access_level", "exact", "1 OR 1"), "invalid_query", /access_level/],
])("%j is a 400 that names its cause", async (query, code, cause) => {
  const { status, body } = await list(query);
  expect(status).toBe(400);
  expect(body).toMatchObject({ code });
  expect(body.message).toMatch(cause);
});

test("lists are sorted by the documented names", async () => {
  const sorted = async (field: string, direction: string) => {
    const { body } = await list({ "sort[0][field]": field, "sort[0][direction]": direction });
    return body.users.map((user: AdminUser) => user.username);
  };
  expect(await sorted("date_joined", "asc")).toEqual(["owner", "staff", "guest", "helper", "isik"]);
  expect(await sorted("access_level", "desc")).toEqual(["owner", "staff", "helper", "isik", "guest"]);
});

test("the name of a level is in the language of the request", async () => {
  const answer = await site.call(staff, "GET", `/api/users/${owner.id}/`, undefined, {
    "accept-language": "tr",
  });
  expect(answer.json()).toMatchObject({ access_level_name: "Süper kullanıcı", is_superuser: true });
});

test("a stale write is a 409 with both versions under the documented names", async () => {
  const url = `/api/users/${staff.id}/`;
  const { etag } = (await site.call(staff, "GET", url)).headers;
  expect(String(etag)).toMatch(/^"[0-9a-f]{32}"$/);
  const ifMatch = { "if-match": String(etag) };
  expect((await site.call(staff, "PUT", url, { first_name: "One" }, ifMatch)).statusCode).toBe(200);
  const stale = await site.call(staff, "PUT", url, { first_name: "Two" }, ifMatch);
  expect(stale.statusCode).toBe(409);
  expect(stale.json()).toMatchObject({
    code: "stale_write",
    current: { first_name: "One", access_level: 10 },
  });
  // What browsers read it by: without `repr` they took it for no stale write.
  expect(staleWrite.safeParse(stale.json()).success).toBe(true);
});

test("fixed names beside a number stay what they are, and other names are nothing", async () => {
  expect((await site.call(staff, "GET", "/api/users/me/")).json()).toMatchObject({ username: "staff" });
  expect((await site.call(staff, "GET", "/api/users/nobody/")).statusCode).toBe(404);
  expect((await site.call(staff, "GET", "/api/users/999999/")).statusCode).toBe(404);
});

test("access levels are listed 50 a page in the language of the request, with both languages beside", async () => {
  const answer = await site.call(staff, "GET", "/api/users/access-levels/", undefined, {
    "accept-language": "tr",
  });
  const { access_levels, pagination } = answer.json();
  expect(pagination).toMatchObject({ page_size: 50 });
  expect(access_levels[0]).toMatchObject({
    level: 0,
    name: "Misafir",
    is_core: true,
    translations: { name: { en: "Guest", tr: "Misafir" } },
  });
});

const LEVELS = "/api/users/access-levels/";

async function addLevel(level: number): Promise<{ id: number }> {
  const body = { level, name: { en: `Level ${level}`, tr: `Düzey ${level}` } };
  const answer = await site.call(owner, "POST", LEVELS, body);
  expect(answer.statusCode).toBe(201);
  return answer.json();
}

test.each([
  [{ level: 3, name: "Reader" }, 201, []],
  [{ level: 10, name: "Again" }, 409, ["level already_taken"]],
  [{ level: -1, name: "Too low" }, 400, ["level too_small"]],
  [{ level: 1000, name: "Too high" }, 400, ["level too_big"]],
  [{ level: 4, name: " " }, 400, ["name required"]],
  [{ level: 4 }, 400, ["name required"]],
  [{ name: "No number" }, 400, ["level required"]],
])("the owner makes the level %j: %d %j", async (body, status, faults) => {
  const answer = await site.call(owner, "POST", LEVELS, body);
  expect(answer.statusCode).toBe(status);
  if (status !== 201) expect(readFaults(answer)).toEqual(faults);
  const generic = await site.call(staff, "POST", site.objects("access_level"), body);
  expect(generic.statusCode).toBe(403);
});

test("a plain text is that of the request's language, and the other language stays", async () => {
  const { id } = await addLevel(20);
  const url = `${LEVELS}${id}/`;
  const answer = await site.call(owner, "PUT", url, { name: "Yazar" }, { "accept-language": "tr" });
  expect(answer.json()).toMatchObject({
    name: "Yazar",
    translations: { name: { en: "Level 20", tr: "Yazar" } },
  });
  expect((await site.call(owner, "PUT", url, { is_active: false })).json()).toMatchObject({
    is_active: false,
    translations: { name: { en: "Level 20", tr: "Yazar" } },
  });
});

test.each([0, 1, 10, 999])("the core level %d keeps its number, stays on, and stays", async (level) => {
  const url = `${LEVELS}${await site.findLevelId(level)}/`;
  for (const body of [{ level: 42 }, { is_active: false }])
    expect((await site.call(owner, "PUT", url, body)).json()).toMatchObject({ code: "core_level_protected" });
  expect((await site.call(owner, "DELETE", url)).json()).toMatchObject({ code: "core_level_protected" });
  const renamed = await site.call(owner, "PUT", url, { description: { en: "Told", tr: "Anlatıldı" } });
  expect(renamed.statusCode).toBe(200);
});

test("a level above one's own is not written, by either endpoint", async () => {
  const { id } = await addLevel(30);
  expect((await site.call(staff, "PUT", `${LEVELS}${id}/`, { name: "Mine" })).statusCode).toBe(403);
  const generic = await site.call(staff, "PATCH", site.objects("access_level", `${id}/`), { level: 2 });
  expect(generic.statusCode).toBe(403);
});

test("a level in use is not deleted, and another number for it is a permission change of each who has it", async () => {
  const person = await site.addPerson("numbered", { level: 8 });
  const id = await site.findLevelId(8);
  const url = `${LEVELS}${id}/`;
  expect((await site.call(owner, "DELETE", url)).json()).toMatchObject({ code: "still_referenced" });
  expect((await site.call(person, "GET", "/api/users/")).statusCode).toBe(403);
  await site.takeAudit();
  expect((await site.call(owner, "PUT", url, { level: 12 })).json()).toMatchObject({ level: 12 });
  expect((await site.call(person, "GET", "/api/users/")).statusCode).toBe(200);
  expect(await site.takeAudit()).toEqual([
    expect.objectContaining({
      detail: "permission_change",
      object_repr: "numbered",
      changes: { access_level: { before: 8, after: 12 } },
    }),
    expect.objectContaining({
      detail: "permission_change",
      object_id: String(id),
      changes: { level: { before: 8, after: 12 } },
    }),
  ]);
  await site.call(owner, "PUT", `/api/users/${person.id}/`, { access_level: 1 });
  expect((await site.call(owner, "DELETE", url)).statusCode).toBe(204);
});
