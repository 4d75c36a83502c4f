import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { BulkAnswer } from "#contract/content/bulk.ts";
import type { Person } from "../profile/fixture.ts";
import { type AdminFixture, openAdmin } from "./fixture.ts";

let site: AdminFixture;
let staff: Person;
let owner: Person;
let made = 0;

beforeAll(async () => {
  site = await openAdmin();
  owner = await site.addPerson("owner", { level: 999 });
  staff = await site.addPerson("staff", { level: 10 });
});
afterAll(() => site.close());

const addPerson = (level: number) => site.addPerson(`person_${++made}`, { level });

/** The number of written rows, and the refusals by reason. */
async function run(as: Person, operation: "update" | "delete", people: Person[], data: object = {}) {
  const object_ids = people.map(({ id }) => id);
  const answer = await site.call(as, "POST", site.objects("user", "bulk/"), { operation, object_ids, data });
  expect(answer.statusCode).toBe(200);
  const { affected_count, refusals } = answer.json() as BulkAnswer;
  const reasons = Object.fromEntries(refusals.map(({ reason, ids }) => [reason, ids]));
  return { affected_count, reasons, refusals };
}

test("a bulk suspension leaves alone whom the writer may not write, and ends the sessions of the others", async () => {
  const [person, above, other] = [await addPerson(1), await addPerson(500), await addPerson(5)];
  const { affected_count, reasons } = await run(staff, "update", [person, above, owner, staff, other], {
    is_active: false,
  });
  expect(affected_count).toBe(2);
  expect(reasons).toEqual({ permission_denied: [owner.id, above.id], own_account_protected: [staff.id] });
  for (const gone of [person, other])
    expect((await site.call(gone, "GET", "/api/users/me/")).statusCode).toBe(401);
  expect((await site.call(above, "GET", "/api/users/me/")).statusCode).toBe(200);
});

test("a level above one's own is given to nobody", async () => {
  const people = [await addPerson(1), await addPerson(10)];
  const data = { access_level_id: await site.findLevelId(500) };
  const { affected_count, reasons, refusals } = await run(staff, "update", people, data);
  expect(affected_count).toBe(0);
  expect(reasons).toEqual({ level_above_own: people.map(({ id }) => id) });
  expect(refusals[0]?.message).toBe("You can't give a level above your own.");
});

test("of all superusers one stays, whatever the order", async () => {
  const second = await addPerson(999);
  const data = { access_level_id: await site.findLevelId(1) };
  const { affected_count, reasons } = await run(owner, "update", [owner, second], data);
  expect(affected_count).toBe(1);
  // The first demotion takes away the right to the second.
  expect(Object.values(reasons).flat()).toEqual([second.id]);
  const { rows } = await site.pool.query(
    "SELECT u.id FROM account_user u JOIN access_level l ON l.id = u.access_level_id WHERE l.level = 999",
  );
  expect(rows).toEqual([{ id: second.id }]);
  await site.call(second, "PUT", `/api/users/${owner.id}/`, { access_level: 999 });
});

test("a bulk deletion forgets the people and keeps superusers and oneself", async () => {
  const [person, superuser] = [await addPerson(5), await addPerson(999)];
  const url = site.objects("user", "bulk/");
  const refused = await site.call(staff, "POST", url, { operation: "delete", object_ids: [person.id] });
  expect(refused.statusCode).toBe(403);
  await site.takeAudit();
  const { affected_count, reasons } = await run(owner, "delete", [person, superuser, owner]);
  expect(affected_count).toBe(1);
  expect(reasons).toEqual({ superuser_protected: [superuser.id], own_account_protected: [owner.id] });
  expect(await site.takeAudit()).toEqual([
    expect.objectContaining({
      action_type: "DELETE",
      object_id: String(person.id),
      object_repr: `deleted account ${person.id}`,
    }),
  ]);
});

test("a preview of a deletion deletes nobody and sends nothing", async () => {
  const person = await addPerson(1);
  await site.takeMails();
  const answer = await site.call(owner, "POST", site.objects("user", "bulk/preview/"), {
    operation: "delete",
    object_ids: [person.id, owner.id],
  });
  expect(answer.json()).toMatchObject({
    count: 1,
    refusals: [{ reason: "own_account_protected", count: 1 }],
  });
  expect(await site.readUser(person.id)).toBeDefined();
  expect((await site.call(person, "GET", "/api/users/me/")).statusCode).toBe(200);
});

test("writers of the same people in any order wait for each other without a deadlock", async () => {
  const people = [await addPerson(1), await addPerson(999), await addPerson(1), await addPerson(999)];
  const [first, second, third, fourth] = people as [Person, Person, Person, Person];
  for (let round = 0; round < 6; round++) {
    const bulk = (ids: number[], data: object) =>
      site.call(owner, "POST", site.objects("user", "bulk/"), { operation: "update", object_ids: ids, data });
    const answers = await Promise.all([
      bulk([first.id, second.id, third.id, fourth.id], { is_active: round % 2 === 0 }),
      bulk([third.id, fourth.id, first.id], { first_name: `Name ${round}` }),
      bulk([fourth.id, first.id], { is_active: round % 2 === 1 }),
      site.call(owner, "PUT", `/api/users/${second.id}/`, { is_active: true, last_name: `Name ${round}` }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  }
});
