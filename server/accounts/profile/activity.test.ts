import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { activityAnswer } from "#contract/accounts/own-account.ts";
import { openProfiles, type Person, type ProfilesFixture } from "./fixture.ts";

let profiles: ProfilesFixture;
beforeAll(async () => {
  profiles = await openProfiles();
});
afterAll(() => profiles.close());

const getPage = async (person: Person, query = "") =>
  activityAnswer.parse((await profiles.call("GET", `/api/users/activity/${query}`, person)).json());

test("nobody gets a log without signing in", async () => {
  expect((await profiles.call("GET", "/api/users/activity/")).statusCode).toBe(401);
});

test("people see their own sign-ins and actions, failed ones too, newest first, and nobody else's", async () => {
  const ada = await profiles.addPerson("ada", { level: 0, columns: "is_email_verified = false" });
  const other = await profiles.addPerson("other");
  await profiles.logIn("ADA", "Wrong-Horse-1", "203.0.113.9");
  await profiles.putJson(other, { bio: "not Ada's" });
  const { entries, next_before } = await getPage(ada);
  expect(entries.map(({ action_type, detail }) => `${action_type} ${detail}`)).toEqual([
    "LOGIN failed_sign_in",
    "LOGIN null",
  ]);
  expect(entries[0]?.ip_address).toBe("203.0.113.9");
  expect(next_before).toBeNull();
});

test("pages of 20 follow each other without a gap, also where entries were written in one moment", async () => {
  const person = await profiles.addPerson("busy");
  await profiles.takeAudit();
  await profiles.pool.query(
    `INSERT INTO audit_entry (user_id, username, action_type, detail, timestamp)
     SELECT $1, 'busy', 'VIEW', n::text, '2026-05-01'::timestamptz + n / 10 * interval '1 hour'
     FROM generate_series(1, 45) AS n`,
    [person.id],
  );
  const seen: (string | null)[] = [];
  let query = "";
  for (let pages = 0; pages < 3; pages++) {
    const { entries, next_before } = await getPage(person, query);
    seen.push(...entries.map(({ detail }) => detail));
    query = `?before=${next_before}`;
  }
  expect(query).toBe("?before=null");
  expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => String(45 - index)));
});

test("a page begins nowhere else than at an own entry", async () => {
  const person = await profiles.addPerson("curious");
  const { rows } = await profiles.pool.query("SELECT max(id) AS id FROM audit_entry WHERE username = 'busy'");
  expect((await getPage(person, `?before=${rows[0]?.id}`)).entries).toEqual([]);
  for (const wrong of ["0", "-1", "x", "1e5", "9".repeat(30)])
    expect((await profiles.call("GET", `/api/users/activity/?before=${wrong}`, person)).statusCode).toBe(400);
});
