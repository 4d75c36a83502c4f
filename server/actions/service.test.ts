import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { ActionEntry } from "#contract/accounts/admin-users.ts";
import { type AdminFixture, openAdmin } from "#server/accounts/admin/fixture.ts";
import type { Person } from "#server/accounts/profile/fixture.ts";

let site: AdminFixture;
let owner: Person;
let staff: Person;

const PATH = "/api/admin/actions/";

async function list(query: Record<string, string> = {}, as = staff, lang = "en") {
  const url = `${PATH}?${new URLSearchParams(query)}`;
  const answer = await site.call(as, "GET", url, undefined, { "accept-language": lang });
  const body = answer.json();
  return { status: answer.statusCode, body, actions: body.actions as ActionEntry[] };
}

const where = (field: string, operator: string, value: string) => ({
  "filters[0][field]": field,
  "filters[0][operator]": operator,
  "filters[0][value]": value,
});

beforeAll(async () => {
  site = await openAdmin();
  owner = await site.addPerson("owner", { level: 999, columns: "first_name = 'Işıl', last_name = 'Örnek'" });
  staff = await site.addPerson("staff", { level: 10 });
  const person = await site.addPerson("person");
  await site.call(staff, "PUT", `/api/users/${person.id}/`, { first_name: "Ada" });
  await site.call(owner, "PUT", `/api/users/${person.id}/`, { access_level: 10 });
  await site.putJson(person, { bio: "A secret of mine" });
  await site.call(owner, "POST", site.objects("certificate"), { label: { en: "CKA", tr: "CKA" } });
});
afterAll(() => site.close());

test.each([0, 1, 5])("level %d does not read the log", async (level) => {
  const person = await site.addPerson(`reader_${level}`, { level });
  expect((await site.call(person, "GET", PATH)).statusCode).toBe(403);
});

test("visitors do not read the log", async () => {
  expect((await site.call(undefined, "GET", PATH)).statusCode).toBe(401);
});

test("an entry is the documented one, newest first, 20 a page", async () => {
  const { body, actions } = await list(where("action_type", "exact", "CREATE"), staff, "tr");
  expect(body.pagination).toMatchObject({ page: 1, page_size: 20 });
  expect(actions[0]).toEqual({
    id: expect.any(Number),
    user: { id: owner.id, username: "owner", first_name: "Işıl", last_name: "Örnek" },
    action_type: "CREATE",
    change_message: "Created",
    content_type: "Sertifika",
    content_type_id: expect.any(Number),
    object_id: expect.any(String),
    object_repr: "CKA",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    ip_address: "127.0.0.1",
    detail: null,
    changes: expect.objectContaining({ label: { after: { en: "CKA", tr: "CKA" } } }),
  });
});

test("changes of declared fields are shown, and what a person keeps beside them is not", async () => {
  const own = await list(where("detail", "exact", "profile"));
  expect(own.actions[0]).toMatchObject({ user: { username: "person" }, changes: {} });
  const { actions } = await list(where("detail", "exact", "permission_change"));
  expect(actions[0]?.changes).toEqual({
    access_level_id: {
      before: { id: expect.any(Number), repr: "User" },
      after: { id: expect.any(Number), repr: "Admin" },
    },
  });
});

test.each([["staff"], ["owner"]])("the filter by user finds what %s did, and nothing else", async (name) => {
  const { id } = name === "staff" ? staff : owner;
  const { actions } = await list(where("user", "exact", String(id)));
  expect([...new Set(actions.map(({ user }) => user?.username))]).toEqual([name]);
});

test("the filter by action finds all who did it", async () => {
  const { actions } = await list(where("action_type", "exact", "UPDATE"));
  expect(actions.map(({ user }) => user?.username)).toEqual(["person", "owner", "staff"]);
});

test("entries of the server have no user", async () => {
  await site.logIn("nobody_at_all", "Wrong-Horse-1");
  const { actions } = await list(where("action_type", "exact", "LOGIN"));
  expect(actions[0]).toMatchObject({ user: null, detail: "failed_sign_in" });
});

describe("a deleted account", () => {
  let gone: Person;
  let certificate: string;
  beforeAll(async () => {
    gone = await site.addPerson("short_lived", { level: 10 });
    const made = await site.call(gone, "POST", site.objects("certificate"), { label: { en: "X", tr: "X" } });
    certificate = `${made.json().id}/`;
    await site.call(owner, "DELETE", `/api/users/${gone.id}/`);
  });

  test.each([
    ["en", "deleted account"],
    ["tr", "silinmiş hesap"],
  ] as const)("is named by its number, in %s as %s", async (lang, words) => {
    const { body, actions } = await list(where("user", "exact", String(gone.id)), staff, lang);
    const user = {
      id: gone.id,
      username: `${words} ${gone.id}`,
      first_name: "",
      last_name: "",
      is_deleted: true,
    };
    expect(actions.map((entry) => entry.user)).toEqual(actions.map(() => user));
    expect(actions[0]).toMatchObject({ action_type: "CREATE", object_repr: "X", ip_address: null });
    expect(JSON.stringify(body)).not.toMatch(/short_lived/);
  });

  test("leaves the entry of its deletion under the same name", async () => {
    const { actions } = await list(where("action_type", "exact", "DELETE"), staff, "tr");
    expect(actions[0]).toMatchObject({
      user: { username: "owner" },
      object_id: String(gone.id),
      object_repr: `silinmiş hesap ${gone.id}`,
      changes: {},
    });
  });

  test.each(["deleted account %d", "silinmiş hesap %d", "SİLİNMİŞ HESAP %d"])(
    "is found by %s",
    async (text) => {
      const { actions } = await list({ search: text.replace("%d", String(gone.id)) });
      expect(actions.map(({ action_type }) => action_type)).toEqual(["DELETE", "CREATE", "LOGIN"]);
    },
  );

  test("is nowhere to be opened", async () => {
    const { actions } = await list(where("content_type", "exact", String(site.types.get("user"))));
    const about = (id: number) => actions.filter(({ object_id }) => object_id === String(id));
    expect(about(gone.id).map(({ is_object_gone }) => is_object_gone)).toEqual([true]);
    expect(about(staff.id).map(({ is_object_gone }) => is_object_gone)).not.toContain(true);
  });

  test("stays in the history of what it edited", async () => {
    const url = site.objects("certificate", `${certificate}history/`);
    const answer = await site.call(staff, "GET", url, undefined, { "accept-language": "tr" });
    expect(answer.json().entries).toMatchObject([
      { user: { id: gone.id, username: `silinmiş hesap ${gone.id}` }, ip_address: null },
    ]);
  });
});

test.each([
  ["en", "Certificates"],
  ["tr", "Sertifikalar"],
] as const)("an export is of a model's objects, in %s of %s", async (lang, name) => {
  await site.call(owner, "GET", site.objects("certificate", "export/?format=csv"));
  const { actions } = await list(where("detail", "exact", "export"), staff, lang);
  expect(actions[0]).toMatchObject({ object_repr: name, object_id: null });
});

test("a range of time, a search and a cursor narrow the log", async () => {
  expect((await list(where("timestamp", "lt", "2020-01-01"))).actions).toEqual([]);
  const found = await list({ search: "cka" });
  expect(found.actions.map(({ object_repr }) => object_repr)).toEqual(["CKA"]);
  const first = await list({ page_size: "2" });
  const cursor = first.body.pagination.next_cursor;
  const second = await list({ page_size: "2", cursor });
  const ids = [...first.actions, ...second.actions].map(({ id }) => id);
  expect(ids).toHaveLength(4);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
});

test.each([
  [where("ghost", "exact", "1"), "unknown_field"],
  [where("action_type", "gt", "1"), "unknown_operator"],
  [{ "sort[0][field]": "ip_address" }, "unknown_field"],
])("%j is a 400 that names its cause", async (query, code) => {
  const { status, body } = await list(query as Record<string, string>);
  expect(status).toBe(400);
  expect(body).toMatchObject({ code });
});
