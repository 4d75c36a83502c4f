import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type Person, readFaults } from "../profile/fixture.ts";
import { type AdminFixture, openAdmin } from "./fixture.ts";

let admin: AdminFixture;
let owner: Person;
let staff: Person;
let count = 0;
beforeAll(async () => {
  admin = await openAdmin();
  owner = await admin.addPerson("owner", { level: 999 });
  staff = await admin.addPerson("staff", { level: 10 });
});
afterAll(() => admin.close());
beforeEach(async () => {
  await admin.takeMails();
  await admin.takeAudit();
});

/** Somebody who waits; Turkish. */
async function addWaiting(admission = "waiting") {
  const person = await admin.addPerson(`person_${++count}`, { level: 0 });
  await admin.pool.query("UPDATE account_user SET admission = $2, admin_language = 'tr' WHERE id = $1", [
    person.id,
    admission,
  ]);
  await admin.pool.query("DELETE FROM account_session WHERE user_id = $1", [person.id]);
  return person;
}

const WAYS: [string, (id: number) => string][] = [
  ["the content model", (id) => admin.objects("user", `${id}/`)],
  ["the documented endpoint", (id) => `/api/users/${id}/`],
];
const decide = (as: Person, id: number, admission: string, toUrl = (WAYS[0] as (typeof WAYS)[0])[1]) =>
  admin.call(as, "PATCH", toUrl(id), { admission });

async function read(id: number) {
  const { rows } = await admin.pool.query<{ admission: string; level: number }>(
    "SELECT u.admission, l.level FROM account_user u JOIN access_level l ON l.id = u.access_level_id WHERE u.id = $1",
    [id],
  );
  return rows[0];
}
const logIn = async (person: Person) => (await admin.logIn(person.username)).statusCode;

describe.each(WAYS)("by %s", (_name, toUrl) => {
  test("staff let somebody in, who gets a level, a mail in their language, and may log in", async () => {
    const person = await addWaiting();
    expect(await logIn(person)).toBe(403);
    await admin.takeAudit();
    const answer = await decide(staff, person.id, "admitted", toUrl);
    expect([answer.statusCode, answer.json().admission]).toEqual([200, "admitted"]);
    expect(await read(person.id)).toEqual({ admission: "admitted", level: 1 });
    expect(await admin.takeAudit()).toMatchObject([
      {
        action_type: "UPDATE",
        detail: "registration_approved",
        user_id: staff.id,
        object_id: String(person.id),
        changes: { admission: { before: "waiting", after: "admitted" } },
      },
    ]);
    const { rows } = await admin.pool.query("SELECT kind, recipient, language, vars FROM mail_message");
    expect(rows).toEqual([
      {
        kind: "registration_decided",
        recipient: `${person.username}@example.org`,
        language: "tr",
        vars: expect.objectContaining({ decision: "approved" }),
      },
    ]);
    expect(await logIn(person)).toBe(200);
  });

  test("staff refuse somebody, who gets a mail and stays out; who was refused may be let in after all", async () => {
    const person = await addWaiting();
    await admin.takeAudit();
    expect((await decide(staff, person.id, "refused", toUrl)).statusCode).toBe(200);
    expect(await read(person.id)).toEqual({ admission: "refused", level: 0 });
    expect((await admin.takeAudit()).map(({ detail }) => detail)).toEqual(["registration_refused"]);
    expect(await admin.takeMails()).toEqual([`registration_decided ${person.username}@example.org`]);
    expect(await logIn(person)).toBe(403);
    expect((await decide(staff, person.id, "admitted", toUrl)).statusCode).toBe(200);
    expect(await logIn(person)).toBe(200);
  });

  test.each([
    ["admitted", "refused"],
    ["admitted", "waiting"],
    ["refused", "waiting"],
  ])("who is %s doesn't become %s", async (before, after) => {
    const person = await addWaiting(before);
    const answer = await decide(owner, person.id, after, toUrl);
    expect([answer.statusCode, readFaults(answer)]).toEqual([400, ["admission admission_decided"]]);
    expect(await admin.takeMails()).toEqual([]);
  });

  test("nobody below the console decides", async () => {
    const person = await addWaiting();
    const user = await admin.addPerson(`user_${++count}`, { level: 5 });
    expect((await decide(user, person.id, "admitted", toUrl)).statusCode).toBe(403);
    expect(await read(person.id)).toEqual({ admission: "waiting", level: 0 });
  });
});

test("a level is given to nobody who waits, unless they are let in by it", async () => {
  const person = await addWaiting();
  const access_level_id = await admin.findLevelId(10);
  const change = (body: object) => admin.call(owner, "PATCH", admin.objects("user", `${person.id}/`), body);
  expect(readFaults(await change({ access_level_id }))).toEqual(["access_level_id admit_first"]);
  expect((await change({ access_level_id, admission: "admitted" })).statusCode).toBe(200);
  expect(await read(person.id)).toEqual({ admission: "admitted", level: 10 });
});

test("the console makes nobody who waits", async () => {
  const body = { username: "made", email: "made@example.org", admission: "waiting" };
  const answer = await admin.call(owner, "POST", "/api/users/", body);
  expect(readFaults(answer)).toEqual(["admission admission_decided"]);
});

test("an address that the console proves lets in nobody who waits", async () => {
  const person = await addWaiting();
  await admin.pool.query("UPDATE account_user SET is_email_verified = false WHERE id = $1", [person.id]);
  await admin.call(owner, "PATCH", admin.objects("user", `${person.id}/`), { is_email_verified: true });
  expect(await read(person.id)).toEqual({ admission: "waiting", level: 0 });
  expect(await logIn(person)).toBe(403);
});

test("whose address nobody has proven is let in by their proof, and gets no mail before", async () => {
  const person = await addWaiting();
  await admin.pool.query("UPDATE account_user SET is_email_verified = false WHERE id = $1", [person.id]);
  await decide(staff, person.id, "admitted");
  expect(await read(person.id)).toEqual({ admission: "admitted", level: 0 });
  expect(await admin.takeMails()).toEqual([]);
});

test("many are decided about at once: preview, reasons, a mail and an entry each", async () => {
  const [first, second, third] = [await addWaiting(), await addWaiting(), await addWaiting("refused")];
  const inside = await admin.addPerson(`inside_${++count}`);
  const object_ids = [first, second, third, inside].map(({ id }) => id);
  const body = { operation: "update", object_ids, data: { admission: "refused" } };
  await admin.takeAudit();
  const preview = await admin.call(staff, "POST", admin.objects("user", "bulk/preview/"), body);
  expect(preview.json()).toMatchObject({ count: 2 });
  expect(await admin.takeMails()).toEqual([]);
  const answer = await admin.call(staff, "POST", admin.objects("user", "bulk/"), body);
  const { affected_count, refusals } = answer.json();
  expect(affected_count).toBe(2);
  expect(refusals).toMatchObject([
    { reason: "admission_decided", ids: [inside.id] },
    { reason: "unchanged", ids: [third.id] },
  ]);
  expect(await admin.takeMails()).toHaveLength(2);
  expect((await admin.takeAudit()).filter(({ detail }) => detail === "registration_refused")).toHaveLength(2);
});

test("the list has those who wait, by both endpoints, and the setting says how many, whatever it is", async () => {
  await admin.pool.query("DELETE FROM account_user WHERE username LIKE 'person%'");
  const person = await addWaiting();
  const filter = "filters[0][field]=admission&filters[0][operator]=exact&filters[0][value]=waiting";
  const documented = await admin.call(staff, "GET", `/api/admin/users/?${filter}`);
  expect(documented.json().users).toMatchObject([{ id: person.id, admission: "waiting" }]);
  const objects = await admin.call(staff, "GET", admin.objects("user", `?${filter}`));
  expect(objects.json().objects).toMatchObject([{ id: person.id, admission: "waiting" }]);
  for (const mode of ["approval", "open"]) {
    await admin.pool.query("DELETE FROM account_registration");
    await admin.call(owner, "POST", admin.objects("registration"), { mode });
    const shown = await admin.call(staff, "GET", admin.objects("registration"));
    expect(shown.json().objects).toMatchObject([{ mode, waiting_count: 1 }]);
  }
});
