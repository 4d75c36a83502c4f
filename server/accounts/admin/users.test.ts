import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { meetAtLock } from "#test/meet-at-lock.ts";
import { lockLevelsOfPeople } from "../owners.ts";
import { type Person, readFaults } from "../profile/fixture.ts";
import { type AdminFixture, openAdmin } from "./fixture.ts";

let site: AdminFixture;
const people = new Map<number, Person>();
const as = (level: number) => people.get(level);
let made = 0;

/** A new account of a level, with a proven address. */
async function addPerson(level = 1): Promise<Person> {
  return site.addPerson(`person_${++made}`, { level });
}

const toUrl = ({ id }: Pick<Person, "id">) => `/api/users/${id}/`;

/** In turns the level and the log-in. */
const toLess = (round: number) => (round % 2 === 0 ? { access_level: 1 } : { is_active: false });

const reinstateAll = () => site.pool.query("UPDATE account_user SET is_active = true");

/** Statuses, lowest first, of two who take from each other what they have; both were let in before either of them writes. */
async function takeFromEachOther(first: Person, second: Person, fromFirst: object): Promise<number[]> {
  const { answers, waited } = await meetAtLock(site.pool, lockLevelsOfPeople, [
    () => site.call(first, "PUT", toUrl(second), { access_level: 1 }),
    () => site.call(second, "PUT", toUrl(first), fromFirst),
  ]);
  expect(waited).toBe(2);
  return answers.map(({ statusCode }) => statusCode).sort();
}

beforeAll(async () => {
  site = await openAdmin();
  for (const level of [0, 1, 5, 10, 500, 999])
    people.set(level, await site.addPerson(`level_${level}`, { level }));
});
afterAll(() => site.close());

describe("who may", () => {
  test.each([
    ["GET", "/api/users/"],
    ["GET", "/api/admin/users/"],
    ["POST", "/api/users/"],
    ["GET", "/api/users/1/"],
    ["PUT", "/api/users/1/"],
    ["PATCH", "/api/users/1/"],
    ["DELETE", "/api/users/1/"],
    ["GET", "/api/users/access-levels/"],
    ["POST", "/api/users/access-levels/"],
    ["PUT", "/api/users/access-levels/1/"],
    ["DELETE", "/api/users/access-levels/1/"],
  ] as const)("%s %s is closed to visitors and below level 10", async (method, url) => {
    const body = method === "GET" || method === "DELETE" ? undefined : {};
    expect((await site.call(undefined, method, url, body)).statusCode).toBe(401);
    for (const level of [0, 1, 5])
      expect((await site.call(as(level), method, url, body)).statusCode).toBe(403);
  });

  /** Writer, the person's level, the level to give, and what comes of it. */
  const WRITES: [number, number, number, number][] = [
    [10, 1, 5, 200],
    [10, 1, 10, 200],
    [10, 1, 500, 403],
    [10, 1, 999, 403],
    [10, 10, 1, 403],
    [10, 500, 500, 403],
    [10, 999, 1, 403],
    [500, 10, 500, 200],
    [500, 500, 1, 403],
    [500, 10, 999, 403],
    [500, 999, 10, 403],
    [999, 500, 999, 200],
    [999, 999, 10, 200],
  ];
  describe.each([["user endpoint"], ["generic endpoint"]])("%s", (endpoint) => {
    test.each(WRITES)("level %d turns a %d into a %d: %d", async (writer, before, level, status) => {
      const person = await addPerson(before);
      const levelId = await site.findLevelId(level);
      const answer =
        endpoint === "user endpoint"
          ? await site.call(as(writer), "PUT", toUrl(person), { access_level: level, first_name: "X" })
          : await site.call(as(writer), "PATCH", site.objects("user", `${person.id}/`), {
              access_level_id: levelId,
              first_name: "X",
            });
      expect(answer.statusCode).toBe(status);
      const row = await site.readUser(person.id);
      expect(row?.access_level_id).toBe(status === 200 ? levelId : await site.findLevelId(before));
      expect(row?.first_name).toBe(status === 200 ? "X" : "");
    });

    test.each([
      [10, 1, 403, "permission_denied"],
      [500, 1, 403, "permission_denied"],
      [999, 1, 204, ""],
      [999, 500, 204, ""],
      [999, 999, 409, "superuser_protected"],
    ])("level %d deletes a %d: %d %s", async (writer, level, status, code) => {
      const person = await addPerson(level);
      const url = endpoint === "user endpoint" ? toUrl(person) : site.objects("user", `${person.id}/`);
      const answer = await site.call(as(writer), "DELETE", url);
      expect(answer.statusCode).toBe(status);
      if (code) expect(answer.json()).toMatchObject({ code });
      expect((await site.readUser(person.id)) === undefined).toBe(status === 204);
    });
  });

  test("a level above one's own is refused at its field, under the name that the endpoint gives it", async () => {
    const person = await addPerson();
    const documented = await site.call(as(10), "PUT", toUrl(person), { access_level: 500 });
    expect(readFaults(documented)).toEqual(["access_level level_above_own"]);
    const generic = await site.call(as(10), "PATCH", site.objects("user", `${person.id}/`), {
      access_level_id: await site.findLevelId(500),
    });
    expect(readFaults(generic)).toEqual(["access_level_id level_above_own"]);
  });

  test("nobody suspends or deletes themselves here", async () => {
    for (const level of [10, 999]) {
      const me = as(level);
      const answer = await site.call(me, "PUT", toUrl(me as Person), { is_active: false });
      expect(answer.json()).toMatchObject({ code: "own_account_protected" });
    }
    const owner = as(999) as Person;
    const answer = await site.call(owner, "DELETE", toUrl(owner));
    expect(answer.json()).toMatchObject({ code: "own_account_protected" });
  });

  test("a level that is off, or that does not exist, is not given, and stays with who has it", async () => {
    const person = await addPerson(7);
    await site.pool.query("UPDATE access_level SET is_active = false WHERE level = 7");
    const other = await addPerson();
    const refused = await site.call(as(10), "PUT", toUrl(other), { access_level: 7 });
    expect(readFaults(refused)).toEqual(["access_level level_inactive"]);
    const unknown = await site.call(as(10), "PUT", toUrl(other), { access_level: 8 });
    expect(readFaults(unknown)).toEqual(["access_level related_not_found"]);
    const kept = await site.call(as(10), "PUT", toUrl(person), { access_level: 7, last_name: "Y" });
    expect(kept.statusCode).toBe(200);
  });
});

describe("the last superuser", () => {
  afterEach(reinstateAll);

  test("two who demote each other at once: one of them stays", async () => {
    for (let round = 0; round < 5; round++) {
      const [first, second] = [await addPerson(999), await addPerson(999)];
      // No others are left meanwhile.
      await site.pool.query(
        `UPDATE account_user SET is_active = false WHERE id <> ALL($1)
         AND access_level_id = (SELECT id FROM access_level WHERE level = 999)`,
        [[first.id, second.id]],
      );
      const statuses = await takeFromEachOther(first, second, toLess(round));
      expect(statuses[0]).toBe(200);
      expect([403, 409]).toContain(statuses[1]);
      const { rows } = await site.pool.query(
        `SELECT u.id FROM account_user u JOIN access_level l ON l.id = u.access_level_id WHERE l.level = 999 AND u.is_active`,
      );
      expect(rows).toHaveLength(1);
    }
  });

  test("is not demoted, by themselves either; with another one they may go down", async () => {
    const owner = as(999) as Person;
    await site.pool.query(
      `UPDATE account_user SET is_active = false WHERE id <> $1
       AND access_level_id = (SELECT id FROM access_level WHERE level = 999)`,
      [owner.id],
    );
    const alone = await site.call(owner, "PUT", toUrl(owner), { access_level: 10 });
    expect(alone.json()).toMatchObject({
      code: "last_superuser",
      errors: [{ field: "access_level", code: "last_superuser" }],
    });
    await reinstateAll();
    const second = await addPerson(999);
    expect((await site.call(second, "PUT", toUrl(second), { access_level: 10 })).statusCode).toBe(200);
  });
});

describe("two of one level", () => {
  test("of 999 who demote each other at once: only one of them is demoted", async () => {
    for (let round = 0; round < 5; round++) {
      const [first, second] = [await addPerson(999), await addPerson(999)];
      expect(await takeFromEachOther(first, second, toLess(round))).toEqual([200, 403]);
    }
  });
});

describe("an owner", () => {
  afterEach(reinstateAll);

  test("is who can sign in: an invitation that nobody has taken up keeps the last one from going", async () => {
    const owner = as(999) as Person;
    await site.pool.query(
      `UPDATE account_user SET is_active = false WHERE id <> $1
       AND access_level_id = (SELECT id FROM access_level WHERE level = 999)`,
      [owner.id],
    );
    const invited = await site.call(owner, "POST", "/api/users/", {
      username: `person_${++made}`,
      email: `person_${made}@example.org`,
      access_level: 999,
    });
    expect(invited.statusCode).toBe(201);
    for (const body of [
      { access_level: 10 },
      { is_email_verified: false },
      { email: "elsewhere@example.org" },
    ]) {
      const answer = await site.call(owner, "PUT", toUrl(owner), body);
      expect(answer.json()).toMatchObject({ code: "last_superuser" });
    }
    expect((await site.call(owner, "PUT", toUrl(invited.json()), { access_level: 1 })).statusCode).toBe(200);
  });
});

describe("a claim that the console raises", () => {
  const register = (username: string, email: string) =>
    site.call(undefined, "POST", "/api/users/register/", {
      username,
      email,
      password: "Correct-Horse-1",
      password_confirm: "Correct-Horse-1",
    });
  const raise = async (username: string) => {
    const email = `${username}@example.org`;
    const registered = await register(username, email);
    const { rows } = await site.pool.query("SELECT id FROM account_user WHERE username = $1", [username]);
    const raised = await site.call(as(999), "PUT", toUrl(rows[0]), { access_level: 5 });
    expect(raised.json()).toMatchObject({ access_level: 5, is_email_verified: false });
    return { id: Number(rows[0].id), email, ticket: registered.json().ticket as string };
  };

  test("is no claim any more: nobody below takes its address, its name or its place", async () => {
    const { id, email, ticket } = await raise("raised_1");
    const taken = await site.call(as(10), "POST", "/api/users/", {
      username: "taker_1",
      email,
      is_email_verified: true,
    });
    expect(readFaults(taken)).toEqual(["email email_taken"]);
    await site.pool.query("UPDATE account_user SET created_at = '2020-01-01' WHERE id = $1", [id]);
    const renamed = await register("raised_1", "other_1@example.org");
    expect(readFaults(renamed)).toEqual(["username username_taken"]);
    await site.call(undefined, "POST", "/api/users/register/", {
      username: "taker_2",
      email: "other_2@example.org",
      password: "Correct-Horse-1",
      password_confirm: "Correct-Horse-1",
      ticket,
    });
    expect(await site.readUser(id)).toMatchObject({
      username: "raised_1",
      email,
      registration_ticket_hash: null,
    });
  });

  test("even where it kept its ticket", async () => {
    const { id, email } = await raise("raised_2");
    await site.pool.query(
      "UPDATE account_user SET registration_ticket_hash = 'kept', created_at = '2020-01-01' WHERE id = $1",
      [id],
    );
    const taken = await site.call(as(10), "POST", "/api/users/", {
      username: "taker_3",
      email,
      is_email_verified: true,
    });
    expect(readFaults(taken)).toEqual(["email email_taken"]);
    await register("raised_2", "other_3@example.org");
    expect(await site.readUser(id)).toMatchObject({ username: "raised_2" });
  });

  test("is not raised where an account was made for its address", async () => {
    const invited = await site.call(as(999), "POST", "/api/users/", {
      username: "invited_1",
      email: "invited_1@example.org",
      access_level: 999,
    });
    expect(invited.statusCode).toBe(201);
    expect((await register("twin_1", "invited_1@example.org")).statusCode).toBe(201);
    const { rows } = await site.pool.query("SELECT id FROM account_user WHERE username = 'twin_1'");
    const raised = await site.call(as(10), "PUT", toUrl(rows[0]), { access_level: 5 });
    expect(readFaults(raised)).toEqual(["email email_taken"]);
    for (const body of [{ username: "twin_2" }, { username: "twin_3", is_email_verified: true }]) {
      const made = await site.call(as(10), "POST", "/api/users/", {
        email: "Invited_1@example.org",
        ...body,
      });
      expect(readFaults(made)).toEqual(["email email_taken"]);
    }
  });
});

test("a code for a new password goes to the first account that was made for an address, not to a later one", async () => {
  const email = "two_invited@example.org";
  for (const username of ["first_invited", "second_invited"])
    await site.pool.query(
      `INSERT INTO account_user (username, email, password_hash, access_level_id, created_at)
       SELECT $1, $2, 'x', id, CASE WHEN $1 = 'first_invited' THEN now() - interval '1 day' ELSE now() END
       FROM access_level WHERE level = 1`,
      [username, email],
    );
  await site.call(undefined, "POST", "/api/users/password/forgot/", { email });
  const { rows } = await site.pool.query(
    "SELECT u.username FROM account_code c JOIN account_user u ON u.id = c.user_id WHERE c.email = $1",
    [email],
  );
  expect(rows).toEqual([{ username: "first_invited" }]);
});

describe("at once", () => {
  test("a suspended person's next call is 401, and their sessions say why they ended", async () => {
    const person = await addPerson();
    expect((await site.call(person, "GET", "/api/users/me/")).statusCode).toBe(200);
    await site.takeAudit();
    const answer = await site.call(as(10), "PUT", toUrl(person), { is_active: false });
    expect(answer.json()).toMatchObject({ is_active: false });
    expect((await site.call(person, "GET", "/api/users/me/")).statusCode).toBe(401);
    const { rows } = await site.pool.query("SELECT end_reason FROM account_session WHERE user_id = $1", [
      person.id,
    ]);
    expect(rows).toEqual([{ end_reason: "suspended" }]);
    expect(await site.takeAudit()).toEqual([
      expect.objectContaining({
        action_type: "UPDATE",
        detail: "permission_change",
        username: "level_10",
        object_id: String(person.id),
        changes: { is_active: { before: true, after: false } },
      }),
    ]);
    expect((await site.logIn(person.username)).statusCode).toBe(401);
  });

  test("a person who is raised may open the console, and one who is lowered may not, with the token they have", async () => {
    const person = await addPerson();
    expect((await site.call(person, "GET", "/api/users/")).statusCode).toBe(403);
    await site.call(as(999), "PUT", toUrl(person), { access_level: 10 });
    expect((await site.call(person, "GET", "/api/users/")).statusCode).toBe(200);
    await site.call(as(999), "PUT", toUrl(person), { access_level: 5 });
    expect((await site.call(person, "GET", "/api/users/")).statusCode).toBe(403);
  });
});

describe("an address", () => {
  const change = (person: Person, body: object) => site.call(as(10), "PUT", toUrl(person), body);

  test("that an admin changes is not proven unless they vouch for it; the old one is notified, and codes for it die", async () => {
    const person = await addPerson();
    await site.call(undefined, "POST", "/api/users/password/forgot/", {
      email: `${person.username}@example.org`,
    });
    await site.takeMails();
    const answer = await change(person, { email: "Moved_To@example.org" });
    expect(answer.json()).toMatchObject({ email: "Moved_To@example.org", is_email_verified: false });
    expect(await site.takeMails()).toEqual([`address_changed ${person.username}@example.org`]);
    const { rows } = await site.pool.query("SELECT code_hash FROM account_code WHERE email = $1", [
      `${person.username}@example.org`,
    ]);
    expect(rows).toEqual([{ code_hash: null }]);
    const vouched = await change(person, { is_email_verified: true });
    expect(vouched.json()).toMatchObject({ is_email_verified: true });
  });

  test("of an account that is sent back whole is vouched for by nobody", async () => {
    const person = await addPerson();
    const { body } = await site.call(as(10), "GET", toUrl(person));
    const answer = await change(person, {
      ...JSON.parse(body),
      email: `typo_${person.username}@example.org`,
    });
    expect(answer.json()).toMatchObject({
      email: `typo_${person.username}@example.org`,
      is_email_verified: false,
    });
    expect(await site.takeMails()).toEqual([`address_changed ${person.username}@example.org`]);
  });

  test("in other letters is the same address", async () => {
    const person = await addPerson();
    const answer = await change(person, { email: `${person.username.toUpperCase()}@example.org` });
    expect(answer.json()).toMatchObject({ is_email_verified: true });
    expect(await site.takeMails()).toEqual([]);
  });

  test("that is vouched for loses its other claims, and a guest becomes a user", async () => {
    const claim = (username: string) =>
      site.call(undefined, "POST", "/api/users/register/", {
        username,
        email: "claimed@example.org",
        password: "Correct-Horse-1",
        password_confirm: "Correct-Horse-1",
      });
    for (const name of ["claimant_1", "claimant_2"]) expect((await claim(name)).statusCode).toBe(201);
    const { rows } = await site.pool.query("SELECT id FROM account_user WHERE username = 'claimant_1'");
    const answer = await site.call(as(10), "PUT", toUrl(rows[0]), { is_email_verified: true });
    expect(answer.json()).toMatchObject({ is_email_verified: true, access_level: 1 });
    const left = await site.pool.query(
      "SELECT username, registration_ticket_hash FROM account_user WHERE email = 'claimed@example.org'",
    );
    expect(left.rows).toEqual([{ username: "claimant_1", registration_ticket_hash: null }]);
  });

  test.each([
    [{ email: "level_10@example.org" }, "email email_taken"],
    [{ email: "no address" }, "email invalid_email"],
    [{ email: "" }, "email required"],
    [{ username: "LEVEL_10" }, "username username_taken"],
    [{ username: "ab" }, "username too_short"],
    [{ username: "çiğdem" }, "username username_invalid"],
    [{ username: "x y", email: "no address" }, "email invalid_email, username username_invalid"],
    [{ username: "LEVEL_10", email: "level_10@example.org" }, "email email_taken, username username_taken"],
  ])("%j is refused: %s", async (body, fault) => {
    const person = await addPerson();
    const answer = await change(person, body);
    expect(answer.statusCode).toBe(400);
    expect(readFaults(answer).join(", ")).toBe(fault);
  });

  test("a code that is typed and an admin who changes the address meet without a deadlock", async () => {
    for (let round = 0; round < 5; round++) {
      const person = await addPerson();
      const email = `${person.username}@example.org`;
      await site.pool.query("UPDATE account_user SET is_email_verified = false WHERE id = $1", [person.id]);
      await site.call(undefined, "POST", "/api/users/send-otp/", { email });
      const answers = await Promise.all([
        site.call(undefined, "POST", "/api/users/verify-email/", { email, otp_code: "000000" }),
        change(person, { email: `other_${email}`, is_email_verified: true }),
      ]);
      for (const { statusCode } of answers) expect(statusCode).toBeLessThan(500);
    }
  });
});

describe("a new account", () => {
  test("gets no password but a mail, and the person chooses one with a code", async () => {
    await site.takeMails();
    await site.takeAudit();
    const answer = await site.call(as(10), "POST", "/api/users/", {
      username: "Yeni_Kisi",
      email: "yeni@example.org",
      first_name: "Işıl",
      last_name: "Çağlar",
      access_level: 5,
    });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      username: "Yeni_Kisi",
      first_name: "Işıl",
      access_level: 5,
      is_staff: false,
      is_superuser: false,
      is_active: true,
      is_email_verified: false,
      last_login: null,
    });
    expect(JSON.stringify(answer.json())).not.toMatch(/argon|hash|ticket|password/i);
    expect(await site.takeMails()).toEqual(["account_made yeni@example.org"]);
    const [entry] = await site.takeAudit();
    expect(entry).toMatchObject({ action_type: "CREATE", username: "level_10", object_repr: "Yeni_Kisi" });
    expect(JSON.stringify(entry)).not.toMatch(/argon/);
    await site.call(undefined, "POST", "/api/users/password/forgot/", { email: "yeni@example.org" });
    expect(await site.takeMails()).toEqual(["password_reset yeni@example.org"]);
  });

  test.each([
    [{}, ["email required", "username required"]],
    [{ username: "x y", email: "free@example.org" }, ["username username_invalid"]],
    [{ username: "x y", email: "no address" }, ["email invalid_email", "username username_invalid"]],
    [
      { username: "LEVEL_10", email: "level_10@example.org" },
      ["email email_taken", "username username_taken"],
    ],
    [{ username: "free_name", email: "level_10@example.org" }, ["email email_taken"]],
    [
      { username: "free_name", email: "free@example.org", access_level: 500 },
      ["access_level level_above_own"],
    ],
  ])("%j is refused: %j", async (body, faults) => {
    expect(readFaults(await site.call(as(10), "POST", "/api/users/", body))).toEqual(faults);
  });

  test("without a level is a user's", async () => {
    const body = { username: "plain_user", email: "plain@example.org", is_email_verified: true };
    const answer = await site.call(as(10), "POST", "/api/users/", body);
    expect(answer.json()).toMatchObject({ access_level: 1, is_email_verified: true });
  });

  test("of a guest who is vouched for is a user's, as with a later vouching", async () => {
    const body = { username: "guest_1", email: "guest_1@example.org", access_level: 0 };
    const guest = await site.call(as(10), "POST", "/api/users/", body);
    expect(guest.json()).toMatchObject({ access_level: 0, is_email_verified: false });
    const other = { username: "guest_2", email: "guest_2@example.org", access_level: 0 };
    const vouched = await site.call(as(10), "POST", "/api/users/", { ...other, is_email_verified: true });
    expect(vouched.json()).toMatchObject({ access_level: 1, is_email_verified: true });
  });
});

describe("a body", () => {
  test.each(["nope", "password", "registration_ticket_hash"])(
    "with %s is refused, naming it",
    async (name) => {
      const person = await addPerson();
      const answers = [
        await site.call(as(10), "PUT", toUrl(person), { first_name: "X", [name]: "x" }),
        await site.call(as(10), "POST", "/api/users/", {
          username: "some_name",
          email: "s@example.org",
          [name]: "x",
        }),
        await site.call(as(10), "POST", "/api/users/access-levels/", { level: 6, name: "Six", [name]: "x" }),
      ];
      for (const answer of answers) {
        expect(answer.statusCode).toBe(400);
        expect(readFaults(answer)).toEqual([`${name} unknown_field`]);
      }
      expect((await site.readUser(person.id))?.first_name).toBe("");
    },
  );

  test("that was read may be sent back, and changes nothing that only the server writes", async () => {
    const person = await addPerson();
    const user = (await site.call(as(10), "GET", toUrl(person))).json();
    const answer = await site.call(as(10), "PUT", toUrl(person), {
      ...user,
      is_superuser: true,
      date_joined: "x",
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual(user);
    const url = "/api/users/access-levels/";
    const [level] = (await site.call(as(999), "GET", url)).json().access_levels;
    const kept = await site.call(as(999), "PUT", `${url}${level.id}/`, { ...level, is_core: false });
    expect(kept.statusCode).toBe(200);
    expect(kept.json()).toMatchObject({ is_core: level.is_core, created_at: level.created_at });
  });
});

describe("a deletion", () => {
  test("leaves nothing behind that says who it was", async () => {
    const person = await site.addPerson("Zuleyha_Kaya", { columns: "first_name = 'Züleyha'" });
    await site.call(as(10), "PUT", toUrl(person), { email: "zuleyha_new@example.org" });
    await site.call(as(10), "PUT", toUrl(person), { username: "zkaya" });
    for (const name of ["zuleyha_kaya", "zuleyha_kaya@example.org"]) await site.logIn(name, "Wrong-Horse-1");
    expect((await site.call(as(999), "DELETE", toUrl(person))).statusCode).toBe(204);
    const { rows } = await site.pool.query(
      `SELECT 'audit' AS place FROM audit_entry e WHERE e::text ~* 'z[uü]leyha|zkaya'
       UNION ALL SELECT 'mail' FROM mail_message m WHERE m::text ~* 'z[uü]leyha|zkaya'
       UNION ALL SELECT 'code' FROM account_code c WHERE c::text ~* 'z[uü]leyha|zkaya'`,
    );
    expect(rows).toEqual([]);
    const last = (await site.takeAudit()).at(-1);
    expect(last).toMatchObject({
      action_type: "DELETE",
      username: "level_999",
      object_id: String(person.id),
      object_repr: `deleted account ${person.id}`,
      changes: null,
    });
    expect((await site.call(person, "GET", "/api/users/me/")).statusCode).toBe(401);
  });
});
