import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { hash } from "@node-rs/argon2";
import { createTestApp } from "#test/app.ts";
import { createRecoveryCodes } from "../factors/codes.ts";
import { replaceRecoveryCodes } from "../factors/store.ts";
import { type AccountsFixture, openAccounts, toCookieHeader } from "../fixture.ts";
import { createPasswords } from "../passwords/hashing.ts";
import { PASSWORD } from "../test-registration.ts";

const HOUR_MS = 3_600_000;

let accounts: AccountsFixture;
let count = 0;
beforeAll(async () => {
  accounts = await openAccounts({ passwords: createPasswords() });
});
afterAll(() => accounts.close());
beforeEach(async () => {
  accounts.clock.now += HOUR_MS;
  accounts.takeMails();
  await accounts.takeAudit();
});

const addPerson = (level = 1) => accounts.addAccount(`person_${++count}`, level);

describe("the endpoints", () => {
  test.each([
    ["/api/users/login/", 0, 200],
    ["/api/users/login/", 10, 200],
    ["/voice/auth/login", 1, 200],
    ["/voice/auth/login/", 1, 200],
    ["/api/admin/login/", 0, 403],
    ["/api/admin/login/", 1, 403],
    ["/api/admin/login/", 9, 403],
    ["/api/admin/login/", 10, 200],
    ["/api/admin/login/", 999, 200],
  ])("%s answers level %i with %i", async (url, level, status) => {
    const person = await addPerson(level);
    const answer = await accounts.logIn({ ...person, url });
    expect(answer.statusCode).toBe(status);
    const { rowCount } = await accounts.pool.query("SELECT FROM account_session WHERE user_id = $1", [
      person.id,
    ]);
    expect(rowCount).toBe(status === 200 ? 1 : 0);
    if (status === 403) {
      expect(answer.json()).toMatchObject({
        code: "insufficient_permissions",
        message: "Insufficient permissions to access pages panel",
      });
      expect(answer.cookies).toEqual([]);
    }
    expect(await accounts.takeAudit()).toEqual([
      expect.objectContaining({
        action_type: "LOGIN",
        detail: status === 403 ? "insufficient_permissions" : null,
        user_id: person.id,
      }),
    ]);
  });

  test.each([
    "/api/auth/token/refresh/",
    "/api/users/refresh/",
    "/api/admin/refresh/",
    "/voice/auth/refresh",
  ])("%s renews tokens", async (url) => {
    const { tokens } = await accounts.signIn();
    const answer = await accounts.send("POST", url, { payload: { refresh: tokens.refresh_token } });
    expect(answer.statusCode).toBe(200);
    expect((await accounts.getMe(answer.json().access)).statusCode).toBe(200);
  });

  test("/api/admin/logout/ ends the session", async () => {
    const { tokens } = await accounts.signIn();
    const payload = { refresh: tokens.refresh_token };
    expect((await accounts.send("POST", "/api/admin/logout/", { payload })).statusCode).toBe(204);
    expect((await accounts.getMe(tokens.access_token)).statusCode).toBe(401);
  });

  test("the moment of an admin's log-in is kept, and of nobody else's", async () => {
    const admin = await addPerson(10);
    const user = await addPerson(1);
    const moment = new Date(accounts.clock.now).toISOString();
    const answers = [await accounts.logIn(admin), await accounts.logIn(user)];
    const kept = answers.map((answer) => answer.json().user.profile.last_admin_login);
    expect([Date.parse(kept[0]), kept[1]]).toEqual([Date.parse(moment), null]);
  });
});

describe("what an access token says", () => {
  const ask = (token: string) => accounts.send("POST", "/api/auth/token/verify/", { payload: { token } });

  test("is answered with the person's level as it is now and the seconds that remain", async () => {
    const { tokens } = await accounts.signIn();
    accounts.clock.now += 100_000;
    expect((await ask(tokens.access_token)).json()).toEqual({
      valid: true,
      user_id: accounts.owner.id,
      access_level: 999,
      expires_in: 800,
    });
  });

  test("is 401 once it expired, its session ended, or it never was one", async () => {
    const { tokens } = await accounts.signIn();
    await accounts.signOut(tokens.refresh_token);
    const { tokens: others } = await accounts.signIn();
    accounts.clock.now += HOUR_MS / 4;
    for (const token of [tokens.access_token, others.access_token, others.refresh_token, "nonsense"])
      expect((await ask(token)).statusCode).toBe(401);
  });
});

describe("a device", () => {
  test("is known by a cookie that scripts can't read", async () => {
    const person = await addPerson();
    const answer = await accounts.logIn(person);
    expect(answer.cookies).toEqual([
      {
        name: `foyer_device_${person.id}`,
        value: expect.stringMatching(/^[\w-]{22}\.[\w-]{43}$/),
        path: "/",
        httpOnly: true,
        sameSite: "Lax",
        maxAge: 31_536_000,
      },
    ]);
  });

  test("is known over HTTPS by a cookie that no other host can set; one from before counts, and goes then", async () => {
    const site = await createTestApp();
    const { username, password } = await site.signInAs(1);
    const logIn = (cookie = "") =>
      site.app.inject({
        method: "POST",
        url: "/api/users/login/",
        headers: cookie ? { cookie } : {},
        payload: { username, password },
      });
    const [first] = (await logIn()).cookies;
    expect(first).toMatchObject({
      name: expect.stringMatching(/^__Host-foyer_device_\d+$/),
      path: "/",
      secure: true,
    });
    expect(first).not.toHaveProperty("domain");
    const former = `${first?.name.replace("__Host-", "")}=${first?.value}`;
    const renewed = (await logIn(former)).cookies;
    expect(renewed.find(({ name }) => name === first?.name)?.value).toBe(first?.value);
    expect(renewed.find(({ name }) => name === former.split("=")[0])?.expires).toEqual(new Date(0));
    const { rows } = await site.database.pool.query(
      "SELECT count(*)::int FROM mail_message WHERE kind = 'new_sign_in'",
    );
    await site.close();
    // Of the second log-in alone, which brought no cookie; the third one's was known.
    expect(rows[0].count).toBe(1);
  });

  test("that is new is notified by mail, the first one and a known one are not", async () => {
    const person = await addPerson();
    const cookie = toCookieHeader(await accounts.logIn(person));
    await accounts.logIn({ ...person, cookie });
    expect(accounts.takeMails()).toEqual([]);
    const answer = await accounts.call({
      method: "POST",
      url: "/api/users/login/",
      headers: {
        "x-forwarded-for": "203.0.113.9",
        "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      },
      payload: { username: person.username, password: PASSWORD },
    });
    expect(answer.statusCode).toBe(200);
    expect(accounts.takeMails()).toEqual([
      {
        kind: "new_sign_in",
        recipient: person.email,
        language: "en",
        userId: person.id,
        username: person.username,
        device: "Firefox · Linux",
        ipAddress: "203.0.113.9",
        at: new Date(accounts.clock.now).toISOString(),
      },
    ]);
  });

  test.each([
    ["the person does without such mails", `notification_preferences = '{"new_sign_in": false}'`],
    ["the address is not proven", "is_email_verified = false"],
  ])("that is new is not notified where %s", async (_why, change) => {
    const person = await addPerson();
    await accounts.pool.query(`UPDATE account_user SET ${change} WHERE id = $1`, [person.id]);
    await accounts.logIn(person);
    await accounts.logIn(person);
    expect(accounts.takeMails()).toEqual([]);
  });

  test("mark of another account, or one that was changed, is none", async () => {
    const person = await addPerson();
    const [, others] = toCookieHeader(await accounts.logIn(await addPerson())).split("=");
    const [, own] = toCookieHeader(await accounts.logIn(person)).split("=");
    const changed = own?.replace(/^./, (first) => (first === "A" ? "B" : "A"));
    for (const value of [others, changed]) {
      await accounts.logIn({ ...person, cookie: `foyer_device_${person.id}=${value}` });
      expect(accounts.takeMails()).toMatchObject([{ kind: "new_sign_in" }]);
    }
  });

  test("has its own five wrong passwords, which lock nobody else out", async () => {
    const person = await addPerson();
    const cookie = toCookieHeader(await accounts.logIn(person));
    const address = accounts.takeAddress();
    const wrong = { ...person, cookie, address, password: "Wrong-horse-1" };
    const statuses = [];
    for (let tries = 0; tries < 6; tries++) statuses.push((await accounts.logIn(wrong)).statusCode);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await accounts.logIn({ ...person, address })).statusCode).toBe(200);
  });

  test("that is new is notified five times an hour, and signs in all the same after that", async () => {
    const person = await addPerson();
    await accounts.logIn(person);
    const statuses = [];
    for (let count = 0; count < 7; count++) statuses.push((await accounts.logIn(person)).statusCode);
    expect(statuses).toEqual(Array(7).fill(200));
    expect(accounts.takeMails()).toHaveLength(5);
    accounts.clock.now += HOUR_MS;
    await accounts.logIn(person);
    expect(accounts.takeMails()).toHaveLength(1);
  });

  test("is known at the endpoint of the voice API too", async () => {
    const person = await addPerson();
    const answer = await accounts.logIn(person);
    const [cookie] = answer.cookies;
    expect("/voice/auth/login".startsWith(cookie?.path ?? "none")).toBe(true);
    await accounts.logIn({ ...person, url: "/voice/auth/login", cookie: toCookieHeader(answer) });
    expect(accounts.takeMails()).toEqual([]);
  });

  test("sent for another username doesn't count for it", async () => {
    const cookie = toCookieHeader(await accounts.logIn(await addPerson()));
    const victim = await addPerson();
    const wrong = { ...victim, cookie, password: "Wrong-horse-1" };
    for (let tries = 0; tries < 5; tries++) await accounts.logIn(wrong);
    expect((await accounts.logIn(victim)).statusCode).toBe(429);
  });
});

test("a password that was hashed with other parameters is hashed anew by the log-in", async () => {
  const person = await addPerson();
  const old = await hash(PASSWORD, { algorithm: 2, memoryCost: 8192, timeCost: 1, parallelism: 1 });
  await accounts.pool.query("UPDATE account_user SET password_hash = $1 WHERE id = $2", [old, person.id]);
  const cookie = toCookieHeader(await accounts.logIn(person));
  const { rows } = await accounts.pool.query("SELECT password_hash FROM account_user WHERE id = $1", [
    person.id,
  ]);
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const { hashed } = accounts.counts;
  expect((await accounts.logIn({ ...person, cookie })).statusCode).toBe(200);
  expect(accounts.counts.hashed).toBe(hashed);
  expect(accounts.takeMails()).toEqual([]);
});

test("and also where the log-in stops at a second factor, which goes on with the new hash", async () => {
  const person = await addPerson();
  const { codes, hashes } = createRecoveryCodes();
  await replaceRecoveryCodes(accounts.pool, person.id, hashes);
  await accounts.pool.query(
    `INSERT INTO account_app_factor (user_id, sealed_secret, confirmed_at, created_at) VALUES ($1, 'none', now(), now())`,
    [person.id],
  );
  const old = await hash(PASSWORD, { algorithm: 2, memoryCost: 8192, timeCost: 1, parallelism: 1 });
  await accounts.pool.query("UPDATE account_user SET password_hash = $1 WHERE id = $2", [old, person.id]);
  const asked = await accounts.logIn(person);
  expect(asked.json().code).toBe("second_factor_required");
  const { rows } = await accounts.pool.query("SELECT password_hash FROM account_user WHERE id = $1", [
    person.id,
  ]);
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const { ticket } = asked.json().second_factor;
  const url = "/api/users/login/second-factor/";
  const entered = await accounts.send("POST", url, { payload: { ticket, code: codes[0] } });
  expect(entered.statusCode).toBe(200);
});

test("a username in letters that only the database takes for the same is no way round the limit", async () => {
  const { username } = await accounts.addAccount(`simit_${++count}`);
  const before = { ...accounts.counts };
  for (const typed of [username.replace("i", "İ"), username.replace("i", "ı")])
    expect((await accounts.logIn({ username: typed })).statusCode).toBe(401);
  expect(accounts.counts.known).toBe(before.known);
  expect(accounts.counts.unknown).toBe(before.unknown + 2);
  expect((await accounts.logIn({ username: username.toUpperCase() })).statusCode).toBe(200);
});

describe("the e-mail address in place of the username", () => {
  test("opens the session of who proved it, in any case", async () => {
    const person = await addPerson();
    for (const username of [person.email, ` ${person.email.toUpperCase()} `]) {
      const answer = await accounts.logIn({ ...person, username });
      expect([answer.statusCode, answer.json().user?.id]).toEqual([200, person.id]);
    }
  });

  test("stands for nobody as long as it is only claimed", async () => {
    const person = await addPerson();
    await accounts.pool.query("UPDATE account_user SET is_email_verified = false WHERE id = $1", [person.id]);
    const before = { ...accounts.counts };
    const answer = await accounts.logIn({ ...person, username: person.email });
    expect(answer.statusCode).toBe(401);
    expect(accounts.counts.unknown).toBe(before.unknown + 1);
  });

  test("is answered like an unknown one where the password is wrong: one comparison, one text, one limit", async () => {
    const person = await addPerson();
    const seen = [];
    for (const username of [person.email, "nobody@example.net"]) {
      const before = accounts.counts.known + accounts.counts.unknown;
      const answers = [];
      for (let guess = 0; guess < 6; guess++)
        answers.push(await accounts.logIn({ username, password: `Wrong-Horse-${guess}` }));
      seen.push({
        answers: answers.map((answer) => [answer.statusCode, answer.json().message]),
        compared: accounts.counts.known + accounts.counts.unknown - before,
      });
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]?.compared).toBe(5);
    expect(seen[0]?.answers[5]?.[0]).toBe(429);
  });

  test("is in no entry of the log: a known person is named, of an unknown address the domain", async () => {
    const person = await addPerson();
    await accounts.logIn({ username: person.email, password: "Wrong-Horse-1" });
    await accounts.logIn({ username: "nobody@example.net", password: "Wrong-Horse-1" });
    const { rows } = await accounts.pool.query<{ username: string }>(
      "SELECT username FROM audit_entry ORDER BY id DESC LIMIT 2",
    );
    expect(rows.map(({ username }) => username)).toEqual(["…@example.net", person.username]);
  });
});
