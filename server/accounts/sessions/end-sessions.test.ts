import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { sessionsAnswer } from "#contract/accounts/own-account.ts";
import { type AccountsFixture, openAccounts, toCookieHeader } from "../fixture.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let accounts: AccountsFixture;
let count = 0;
beforeAll(async () => {
  accounts = await openAccounts();
});
afterAll(() => accounts.close());
beforeEach(async () => {
  await accounts.takeAudit();
});

const URL = "/api/users/sessions/";
const addPerson = () => accounts.addAccount(`person_${++count}`);

async function list(token: string) {
  return sessionsAnswer.parse((await accounts.send("GET", URL, { token })).json()).sessions;
}

const idOf = (refreshToken: string) => refreshToken.slice(0, 36);

test("lists where the person is signed in, this session first, and nobody else's", async () => {
  const person = await addPerson();
  const other = await accounts.signIn((await addPerson()).username);
  const first = await accounts.signIn(person.username);
  accounts.clock.now += MINUTE_MS;
  const second = await accounts.signIn(person.username);
  const sessions = await list(first.tokens.access_token);
  expect(sessions).toEqual([
    {
      id: idOf(first.tokens.refresh_token),
      device: expect.any(String),
      ip_address: expect.stringMatching(/^198\.51\./),
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      is_current: true,
    },
    expect.objectContaining({ id: idOf(second.tokens.refresh_token), is_current: false }),
  ]);
  expect(JSON.stringify(sessions)).not.toContain(idOf(other.tokens.refresh_token));
  expect(JSON.stringify(sessions)).not.toContain("token");
});

test("lists none that are over by themselves: unused ones of the console, and old ones", async () => {
  const person = await accounts.addAccount(`person_${++count}`, 10);
  await accounts.signIn(person.username);
  accounts.clock.now += 12 * 60 * MINUTE_MS + 1;
  const mine = await accounts.signIn(person.username);
  const listed = await list(mine.tokens.access_token);
  expect(listed.map(({ id }) => id)).toEqual([idOf(mine.tokens.refresh_token)]);

  const user = await addPerson();
  const old = await accounts.signIn(user.username);
  // The owner made sessions shorter since.
  await accounts.pool.query("UPDATE account_session SET created_at = $2 WHERE id = $1", [
    idOf(old.tokens.refresh_token),
    new Date(accounts.clock.now - 31 * DAY_MS).toISOString(),
  ]);
  const now = await accounts.signIn(user.username);
  expect((await list(now.tokens.access_token)).map(({ id }) => id)).toEqual([idOf(now.tokens.refresh_token)]);
});

test("shows where a session was renewed last, which may be where its token was taken to", async () => {
  const person = await addPerson();
  const { tokens } = await accounts.signIn(person.username);
  const renew = (refresh: string, headers: Record<string, string>) => {
    accounts.clock.now += MINUTE_MS;
    const url = "/api/auth/token/refresh/";
    return accounts.call({ method: "POST", url, payload: { refresh }, headers });
  };
  const first = await renew(tokens.refresh_token, {
    "x-forwarded-for": "203.0.113.66",
    "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  });
  const [session] = await list(first.json().access);
  expect(session).toMatchObject({ ip_address: "203.0.113.66", device: "Firefox · Linux" });
});

test("a session that ended or expired is not listed", async () => {
  const person = await addPerson();
  const ended = await accounts.signIn(person.username);
  await accounts.signOut(ended.tokens.refresh_token);
  await accounts.signIn(person.username);
  accounts.clock.now += 30 * DAY_MS;
  const { tokens } = await accounts.signIn(person.username);
  expect(await list(tokens.access_token)).toHaveLength(1);
});

test("one of the own sessions can be ended, at once and for both of its tokens", async () => {
  const person = await addPerson();
  const lost = await accounts.signIn(person.username);
  const { tokens } = await accounts.signIn(person.username);
  await accounts.takeAudit();
  const url = `${URL}${idOf(lost.tokens.refresh_token)}/`;
  expect((await accounts.send("DELETE", url, { token: tokens.access_token })).statusCode).toBe(204);
  expect((await accounts.getMe(lost.tokens.access_token)).statusCode).toBe(401);
  expect((await accounts.refresh(lost.tokens.refresh_token)).statusCode).toBe(401);
  expect((await accounts.getMe(tokens.access_token)).statusCode).toBe(200);
  expect(await accounts.takeAudit()).toEqual([
    expect.objectContaining({ action_type: "LOGOUT", detail: "session_revoked", user_id: person.id }),
  ]);
  expect((await accounts.send("DELETE", url, { token: tokens.access_token })).statusCode).toBe(404);
});

test("another person's session stays, whoever asks", async () => {
  const victim = await accounts.signIn((await addPerson()).username);
  const url = `${URL}${idOf(victim.tokens.refresh_token)}/`;
  for (const level of [1, 10, 999]) {
    const { username } = await accounts.addAccount(`level_${level}`, level);
    const { tokens } = await accounts.signIn(username);
    const answer = await accounts.send("DELETE", url, { token: tokens.access_token });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ code: "object_not_found" });
  }
  expect((await accounts.getMe(victim.tokens.access_token)).statusCode).toBe(200);
});

test("signing out everywhere ends this session too", async () => {
  const person = await addPerson();
  const elsewhere = await accounts.signIn(person.username);
  const { tokens } = await accounts.signIn(person.username);
  await accounts.takeAudit();
  expect((await accounts.send("DELETE", URL, { token: tokens.access_token })).statusCode).toBe(204);
  for (const token of [tokens.access_token, elsewhere.tokens.access_token])
    expect((await accounts.getMe(token)).statusCode).toBe(401);
  expect((await accounts.refresh(elsewhere.tokens.refresh_token)).statusCode).toBe(401);
  expect(await accounts.takeAudit()).toEqual([
    expect.objectContaining({ action_type: "LOGOUT", detail: "signed_out_everywhere", user_id: person.id }),
  ]);
});

test.each([
  ["GET", URL, 401],
  ["DELETE", URL, 401],
  ["DELETE", `${URL}0b0f1d8e-1111-4222-8333-123456789abc/`, 401],
] as const)("%s %s without a token is %i", async (method, url, status) => {
  expect((await accounts.send(method, url)).statusCode).toBe(status);
});

test("a suspended person's sessions answer nothing more", async () => {
  const person = await addPerson();
  const { tokens } = await accounts.signIn(person.username);
  await accounts.pool.query("UPDATE account_user SET is_active = false WHERE id = $1", [person.id]);
  accounts.deps.sessionAccounts.drop();
  expect((await accounts.send("GET", URL, { token: tokens.access_token })).statusCode).toBe(401);
});

test("what is no session's number is a bad request", async () => {
  const { tokens } = await accounts.signIn((await addPerson()).username);
  const answer = await accounts.send("DELETE", `${URL}1/`, { token: tokens.access_token });
  expect(answer.statusCode).toBe(400);
});

test("signing out everywhere forgets the browsers that signed in: they are strangers again", async () => {
  const person = await addPerson();
  const first = await accounts.logIn(person);
  const cookie = toCookieHeader(first);
  const elsewhere = toCookieHeader(await accounts.logIn(person));
  accounts.takeMails();
  await accounts.logIn({ ...person, cookie });
  expect(accounts.takeMails()).toEqual([]);
  await accounts.send("DELETE", URL, { token: first.json().tokens.access_token });
  for (const old of [cookie, elsewhere]) {
    const again = await accounts.logIn({ ...person, cookie: old });
    expect(accounts.takeMails()).toMatchObject([{ kind: "new_sign_in", userId: person.id }]);
    // The new mark is good.
    await accounts.logIn({ ...person, cookie: toCookieHeader(again) });
    expect(accounts.takeMails()).toEqual([]);
  }
});

test("and such a browser has no tries of its own any more", async () => {
  const person = await addPerson();
  const first = await accounts.logIn(person);
  const cookie = toCookieHeader(first);
  await accounts.send("DELETE", URL, { token: first.json().tokens.access_token });
  for (let tries = 0; tries < 5; tries++) await accounts.logIn({ ...person, password: "Wrong-horse-1" });
  expect((await accounts.logIn({ ...person, cookie })).statusCode).toBe(429);
});
