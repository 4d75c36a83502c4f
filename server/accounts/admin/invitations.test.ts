import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { settleInvitation } from "../claims/claims.ts";
import type { Person } from "../profile/fixture.ts";
import { type AdminFixture, openAdmin } from "./fixture.ts";

let admin: AdminFixture;
let owner: Person;
let staff: Person;
beforeAll(async () => {
  admin = await openAdmin();
  owner = await admin.addPerson("owner", { level: 999 });
  staff = await admin.addPerson("staff", { level: 10 });
  await admin.addPerson("moderator", { level: 5 }); // and with it the level
});
afterAll(() => admin.close());
beforeEach(() => admin.pool.query("DELETE FROM account_invitation"));

const url = (rest = "") => admin.objects("invitation", rest);
const make = async (as: Person, level: number, more: object = {}) =>
  admin.call(as, "POST", url(), { access_level_id: await admin.findLevelId(level), ...more });

test("an invitation has its link from the moment it is made, and is for one person and 14 days unless it says else", async () => {
  const answer = await make(staff, 5, { note: "Eve" });
  expect(answer.statusCode).toBe(201);
  expect(answer.body).toMatch(/https:\/\/site\.test\/register\?invitation=[\w-]{32}"/);
  const { rows } = await admin.pool.query(
    "SELECT uses_max, expires_at, created_by_id FROM account_invitation",
  );
  const expires_at = new Date(admin.clock.now + 14 * 24 * 60 * 60 * 1000);
  expect(rows.map((row) => ({ ...row, expires_at: new Date(row.expires_at) }))).toEqual([
    { uses_max: 1, expires_at, created_by_id: staff.id },
  ]);
});

test("the log keeps no link", async () => {
  await make(staff, 5);
  const { rows } = await admin.pool.query("SELECT token FROM account_invitation");
  const log = await admin.pool.query("SELECT changes::text || object_repr AS text FROM audit_entry");
  expect(log.rows.map(({ text }) => text).join("\n")).not.toContain(rows[0].token);
});

test.each([
  [10, 201],
  [999, 403],
])("staff of level 10 make one for level %d: %d", async (level, status) => {
  expect((await make(staff, level)).statusCode).toBe(status);
});

test("nobody below the console makes or sees one", async () => {
  const user = await admin.addPerson("user", { level: 5 });
  expect((await make(user, 1)).statusCode).toBe(403);
  expect((await admin.call(user, "GET", url())).statusCode).toBe(403);
});

test("staff see, change and delete their own alone; whoever may do everything sees all", async () => {
  await make(owner, 999);
  const { rows } = await admin.pool.query("SELECT id FROM account_invitation");
  const id = rows[0].id;
  expect((await admin.call(staff, "GET", url())).json().objects).toEqual([]);
  for (const [method, body] of [["GET"], ["PATCH", { is_revoked: true }], ["DELETE"]] as const)
    expect((await admin.call(staff, method, url(`${id}/`), body)).statusCode).toBe(404);
  await make(staff, 5);
  expect((await admin.call(owner, "GET", url())).json().objects).toHaveLength(2);
  expect((await admin.call(staff, "GET", url())).json().objects).toHaveLength(1);
});

test("a change keeps the link, and gives no level above one's own", async () => {
  await make(staff, 5);
  const before = (await admin.pool.query("SELECT id, link FROM account_invitation")).rows[0];
  const change = async (body: object) =>
    (await admin.call(staff, "PATCH", url(`${before.id}/`), body)).statusCode;
  expect(await change({ access_level_id: await admin.findLevelId(999) })).toBe(403);
  expect(await change({ link: "https://evil.example/" })).toBe(200); // what only the server writes is left alone
  expect(await change({ uses_max: 3, note: "Two more" })).toBe(200);
  const after = (await admin.pool.query("SELECT * FROM account_invitation")).rows[0];
  expect(after).toMatchObject({ link: before.link, uses_max: 3, note: "Two more" });
  expect((await admin.call(staff, "DELETE", url(`${before.id}/`))).statusCode).toBe(204);
});

describe("whom the console has decided about", () => {
  let number = 0;
  /** Somebody who registered with an invitation of level 10. */
  async function addInvited(columns: string): Promise<number> {
    await make(owner, 10);
    const { id } = await admin.addPerson(`invited_${++number}`, { level: 10 });
    await admin.pool.query(`UPDATE account_user SET ${columns} WHERE id = ${id}`);
    await admin.pool.query(
      "INSERT INTO account_invitation_use (user_id, invitation_id) SELECT $1, max(id) FROM account_invitation",
      [id],
    );
    return id;
  }
  const change = (id: number, body: object) =>
    admin.call(owner, "PATCH", admin.objects("user", `${id}/`), body);

  test("a proof that the console took back gives the invitation's level no second time", async () => {
    const id = await addInvited("is_email_verified = true");
    const guest = await admin.findLevelId(0);
    expect((await change(id, { access_level_id: guest, is_email_verified: false })).statusCode).toBe(200);
    expect(await settleInvitation(admin.pool, id)).toBeUndefined();
  });

  test("a level that was given and taken again before the first proof counts more than the invitation", async () => {
    const id = await addInvited("is_email_verified = false");
    await change(id, { access_level_id: await admin.findLevelId(0) });
    expect(await settleInvitation(admin.pool, id)).toBeUndefined();
  });

  test("any other change leaves the invitation as it was", async () => {
    const id = await addInvited("is_email_verified = false");
    await change(id, { first_name: "Eve" });
    expect(await settleInvitation(admin.pool, id)).toBe(10);
  });
});

test("who may register is for the owner to say", async () => {
  const registration = admin.objects("registration");
  expect((await admin.call(staff, "POST", registration, { mode: "open" })).statusCode).toBe(403);
  expect((await admin.call(owner, "POST", registration, { mode: "closed" })).statusCode).toBe(201);
  const payload = {
    username: "eve",
    email: "eve@example.org",
    password: "Correct-Horse-1",
    password_confirm: "Correct-Horse-1",
  };
  const refused = await admin.call(undefined, "POST", "/api/users/register/", payload);
  expect([refused.statusCode, refused.json().code]).toEqual([403, "registration_closed"]);
  await admin.pool.query("DELETE FROM account_registration");
});
