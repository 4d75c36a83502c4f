import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { InjectOptions } from "fastify";
import { toLiveTopic } from "#contract/content/objects.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";
import { HandshakeRefused, openSocketClient, type SocketClient } from "#test/socket-client.ts";
import { createCodes } from "../codes/store.ts";
import { loadSigningKeys } from "../tokens/key-ring.ts";

const NEW_PASSWORD = "Another-Horse-2";

let site: TestApp;
let admin: TestPerson;
let url: string;
let count = 0;

beforeAll(async () => {
  site = await createTestApp();
  admin = await site.signInAs(999, "the_admin");
  url = `${(await site.listen()).replace("http", "ws")}/socket/websocket?vsn=2.0.0`;
});
afterAll(() => site.close());

const connect = (person: Pick<TestPerson, "accessToken">) =>
  openSocketClient(`${url}&token=${person.accessToken}`);

async function call(as: TestPerson, options: InjectOptions): Promise<void> {
  const { statusCode, body } = await site.app.inject({
    ...options,
    headers: { authorization: as.authorization },
  });
  expect([statusCode, statusCode < 300 ? "" : body]).toEqual([statusCode, ""]);
}

async function signInAgain({
  username,
  password,
}: TestPerson): Promise<{ accessToken: string; sessionId: string }> {
  const answer = await site.app.inject({
    method: "POST",
    url: "/api/users/login/",
    payload: { username, password },
  });
  const { access_token, refresh_token } = answer.json().tokens;
  return { accessToken: access_token, sessionId: refresh_token.slice(0, 36) };
}

async function resetPassword({ email }: TestPerson): Promise<void> {
  const code = "123456";
  const subject = { purpose: "reset_password", email } as const;
  await site.app.inject({ method: "POST", url: "/api/users/password/forgot/", payload: { email } });
  const { rowCount } = await site.database.pool.query(
    "UPDATE account_code SET code_hash = $2 WHERE email = $1 AND purpose = 'reset_password'",
    [email, createCodes(await loadSigningKeys(site.dataDir)).hash(subject, code)],
  );
  expect(rowCount).toBe(1);
  const { statusCode } = await site.app.inject({
    method: "POST",
    url: "/api/users/password/reset/",
    payload: { email, otp_code: code, password: NEW_PASSWORD, password_confirm: NEW_PASSWORD },
  });
  expect(statusCode).toBe(200);
}

const ways: [string, (person: TestPerson) => Promise<void>][] = [
  [
    "signing out",
    (person) =>
      call(person, { method: "POST", url: "/api/users/logout/", payload: { refresh: person.refreshToken } }),
  ],
  [
    "an admin who ends all their sessions",
    ({ userId }) => call(admin, { method: "DELETE", url: `/api/users/${userId}/sessions/` }),
  ],
  ["signing out everywhere", (person) => call(person, { method: "DELETE", url: "/api/users/sessions/" })],
  [
    "a session that is ended in the list of sessions",
    (person) =>
      call(person, { method: "DELETE", url: `/api/users/sessions/${person.refreshToken.slice(0, 36)}/` }),
  ],
  [
    "suspension",
    ({ userId }) =>
      call(admin, { method: "PATCH", url: `/api/users/${userId}/`, payload: { is_active: false } }),
  ],
  ["a password reset by mail", resetPassword],
  [
    "deleting the account",
    (person) =>
      call(person, { method: "DELETE", url: "/api/users/me/", payload: { password: person.password } }),
  ],
  [
    "being deleted by an admin",
    ({ userId }) => call(admin, { method: "DELETE", url: `/api/users/${userId}/` }),
  ],
  [
    "a suspension that another process wrote",
    async ({ userId }) => {
      await site.database.pool.query("UPDATE account_user SET is_active = false WHERE id = $1", [userId]);
      await site.database.pool.query("SELECT pg_notify('foyer_changed', 'accounts.user')");
    },
  ],
];

test.each(ways)("%s closes the open sockets with 1001, and the token opens no other", async (_way, end) => {
  const person = await site.signInAs(10, `person_${++count}`);
  const other = await site.signInAs(10, `other_${count}`);
  const [first, second, others] = await Promise.all([connect(person), connect(person), connect(other)]);
  expect(await first.join(toLiveTopic("accounts.user"))).toBe("ok");
  await end(person);
  expect(await first.waitForClose()).toBe(1001);
  expect(await second.waitForClose()).toBe(1001);
  await expect(connect(person)).rejects.toEqual(new HandshakeRefused(403));
  expect(others.closeCode).toBeUndefined();
  expect(await others.join(toLiveTopic("accounts.user"))).toBe("ok");
  others.close();
});

test("who is suspended and reinstated comes back with a new log-in, and the old session stays ended", async () => {
  const person = await site.signInAs(10, "back_again");
  const first = await connect(person);
  const change = (is_active: boolean) =>
    call(admin, { method: "PATCH", url: `/api/users/${person.userId}/`, payload: { is_active } });
  await change(false);
  expect(await first.waitForClose()).toBe(1001);
  await change(true);
  await expect(connect(person)).rejects.toEqual(new HandshakeRefused(403));
  const again = await connect(await signInAgain(person));
  expect(await again.join(toLiveTopic("accounts.user"))).toBe("ok");
  again.close();
});

test("a changed password closes the sockets of all sessions but the one that changed it", async () => {
  const person = await site.signInAs(10, "changer");
  const elsewhere = await signInAgain(person);
  const [here, there] = await Promise.all([connect(person), connect(elsewhere)]);
  const payload = {
    current_password: person.password,
    new_password: NEW_PASSWORD,
    new_password_confirm: NEW_PASSWORD,
  };
  await call(person, { method: "POST", url: "/api/users/password/", payload });
  expect(await there.waitForClose()).toBe(1001);
  expect(await here.join(toLiveTopic("accounts.user"))).toBe("ok");
  here.close();
});

test("signing out in one browser leaves the sockets of the other open", async () => {
  const person = await site.signInAs(10, "two_browsers");
  const [here, there] = await Promise.all([connect(person), connect(await signInAgain(person))]);
  await call(person, {
    method: "POST",
    url: "/api/users/logout/",
    payload: { refresh: person.refreshToken },
  });
  expect(await here.waitForClose()).toBe(1001);
  expect(await there.join(toLiveTopic("accounts.user"))).toBe("ok");
  there.close();
});

test("many who are suspended at once are all out", async () => {
  const people: TestPerson[] = [];
  for (let i = 0; i < 10; i++) people.push(await site.signInAs(1, `many_${i}`));
  const clients: SocketClient[] = await Promise.all(people.map(connect));
  const { rows } = await site.database.pool.query<{ id: number }>(
    "SELECT id FROM content_type WHERE app_label = 'accounts' AND model_name = 'user'",
  );
  const object_ids = people.map(({ userId }) => userId);
  await call(admin, {
    method: "POST",
    url: `/api/admin/models/${rows[0]?.id}/objects/bulk/`,
    payload: { operation: "update", object_ids, data: { is_active: false } },
  });
  expect(await Promise.all(clients.map((client) => client.waitForClose()))).toEqual(people.map(() => 1001));
});
