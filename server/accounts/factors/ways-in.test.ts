import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { LightMyRequestResponse } from "fastify";
import { TOTP } from "otpauth";
import { secondFactorAsked } from "#contract/accounts/second-factor.ts";
import { hashTicket } from "../codes/store.ts";
import { type AccountsFixture, OWNER, openAccounts, SETUP_TOKEN } from "../fixture.ts";
import { getCode, getProof, PASSWORD, requireRegistered, verify } from "../test-registration.ts";

const FORGOT = "/api/users/password/forgot/";
const RESET = "/api/users/password/reset/";
const NEW_PASSWORD = "a creature on the ice";

let accounts: AccountsFixture;
let count = 0;
beforeAll(async () => {
  accounts = await openAccounts();
});
afterAll(() => accounts.close());
beforeEach(() => {
  accounts.clock.now += 60 * 60_000;
  accounts.takeMails();
});

/** Somebody of level 10 who registered by the form, and set an authenticator app up; all their sessions are over. */
async function addProtected() {
  const username = `guarded_${++count}`;
  const email = `${username}@example.org`;
  const { ticket } = await requireRegistered(accounts, username);
  const code = getCode(accounts.takeMails());
  const { tokens } = (await verify(accounts, email, code, { ticket })).json().session;
  const token: string = tokens.access_token;
  const post = (path: string, payload?: object) =>
    accounts.send("POST", `/api/users/second-factor/${path}`, { token, ...(payload && { payload }) });
  const { secret } = (await post("app/")).json() as { secret: string };
  const shown = new TOTP({ secret }).generate({ timestamp: accounts.clock.now });
  expect((await post("app/confirm/", { code: shown })).statusCode).toBe(200);
  await accounts.pool.query(
    `INSERT INTO access_level (level, name) VALUES (10, '{"en":"Staff","tr":"Ekip"}') ON CONFLICT DO NOTHING`,
  );
  const { rows } = await accounts.pool.query<{ id: number }>(
    `UPDATE account_user SET access_level_id = (SELECT id FROM access_level WHERE level = 10)
     WHERE username = $1 RETURNING id`,
    [username],
  );
  const id = rows[0]?.id ?? 0;
  await accounts.pool.query("DELETE FROM account_session WHERE user_id = $1", [id]);
  accounts.deps.sessionAccounts.drop();
  accounts.takeMails();
  return { id, username, email, ticket, token };
}
type Guarded = Awaited<ReturnType<typeof addProtected>>;

async function expectAsked(person: Guarded, answer: LightMyRequestResponse) {
  expect([answer.statusCode, answer.json().code]).toEqual([401, "second_factor_required"]);
  expect(secondFactorAsked.parse(answer.json().second_factor)).toMatchObject({ has_app: true });
  await expectNoSession(person, answer);
}

/** Neither in the answer, nor in a cookie, nor in the database. */
async function expectNoSession({ id }: Guarded, answer: LightMyRequestResponse) {
  expect(answer.body).not.toMatch(/access_token|refresh_token|"access"|"refresh"/);
  expect(answer.cookies).toEqual([]);
  const { rows } = await accounts.pool.query("SELECT id FROM account_session WHERE user_id = $1", [id]);
  expect(rows).toEqual([]);
}

test.each(["/api/users/login/", "/api/auth/token/", "/api/admin/login/", "/voice/auth/login"])(
  "the right password at %s asks for the second factor",
  async (url) => {
    const person = await addProtected();
    await expectAsked(person, await accounts.logIn({ username: person.username, password: PASSWORD, url }));
  },
);

test.each(["code", "link"])("a new password by the %s of the mail asks for it", async (way) => {
  const person = await addProtected();
  const { ticket } = (await accounts.send("POST", FORGOT, { payload: { email: person.email } })).json();
  const mails = accounts.takeMails();
  const shown =
    way === "code"
      ? { otp_code: getCode(mails), ticket }
      : { otp_code: "", proof: getProof(mails), ticket: "x".repeat(43) };
  const payload = { email: person.email, password: NEW_PASSWORD, password_confirm: NEW_PASSWORD, ...shown };
  await expectAsked(person, await accounts.send("POST", RESET, { payload }));
});

/** Staff may have the address proven again. */
async function unprove({ id }: Guarded) {
  await accounts.pool.query("UPDATE account_user SET is_email_verified = false WHERE id = $1", [id]);
  accounts.clock.now += 5 * 60_000;
}

test("who registered with somebody else's address adds no factor that would keep its owner out", async () => {
  const username = `claimant_${++count}`;
  await requireRegistered(accounts, username);
  const { tokens } = (await accounts.logIn({ username, password: PASSWORD })).json();
  for (const path of ["app/", "passkeys/options/"]) {
    const url = `/api/users/second-factor/${path}`;
    const answer = await accounts.send("POST", url, { token: tokens.access_token });
    expect([answer.statusCode, answer.json().code]).toEqual([403, "address_unproven"]);
  }
});

test("a secret that was asked for while the address was proven makes no factor once it isn't", async () => {
  const username = `half_${++count}`;
  const { ticket } = await requireRegistered(accounts, username);
  const proven = await verify(accounts, `${username}@example.org`, getCode(accounts.takeMails()), { ticket });
  const token: string = proven.json().session.tokens.access_token;
  const path = "/api/users/second-factor/app/";
  const { secret } = (await accounts.send("POST", path, { token })).json();
  await accounts.pool.query("UPDATE account_user SET is_email_verified = false WHERE username = $1", [
    username,
  ]);
  accounts.deps.sessionAccounts.drop();
  const code = new TOTP({ secret }).generate({ timestamp: accounts.clock.now });
  const answer = await accounts.send("POST", `${path}confirm/`, { token, payload: { code } });
  expect([answer.statusCode, answer.json().code]).toEqual([403, "address_unproven"]);
});

test("a registration's ticket opens nothing by a new code once there is a factor", async () => {
  const person = await addProtected();
  await unprove(person);
  const { id, email, ticket } = person;
  // A proof takes the ticket's rights; were they there again, they would open nothing either.
  const sql = "UPDATE account_user SET registration_ticket_hash = $2 WHERE id = $1";
  await accounts.pool.query(sql, [id, hashTicket(ticket)]);
  await accounts.send("POST", "/api/users/request-verification/", { payload: { email, ticket } });
  const answer = await verify(accounts, email, getCode(accounts.takeMails()), { ticket });
  expect([answer.statusCode, answer.json().session]).toEqual([200, null]);
  await expectNoSession(person, answer);
  await expectAsked(person, await accounts.logIn({ username: person.username, password: PASSWORD }));
});

test("an address that is proven again opens nothing, and the password that is set then asks", async () => {
  const person = await addProtected();
  await unprove(person);
  await accounts.send("POST", "/api/users/request-verification/", { payload: { email: person.email } });
  const answer = await verify(accounts, person.email, getCode(accounts.takeMails()));
  expect([answer.statusCode, answer.json().session]).toEqual([200, null]);
  await expectNoSession(person, answer);
  const payload = {
    ...answer.json().reset,
    otp_code: "",
    password: NEW_PASSWORD,
    password_confirm: NEW_PASSWORD,
  };
  await expectAsked(person, await accounts.send("POST", RESET, { payload }));
});

test("the link of the set-up makes nobody an owner beside the one there is", async () => {
  const person = await addProtected();
  const payload = {
    token: SETUP_TOKEN,
    username: person.username,
    email: person.email,
    password: OWNER.password,
    password_confirm: OWNER.password,
  };
  const answer = await accounts.send("POST", "/api/users/setup/", { payload });
  expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  await expectNoSession(person, answer);
});

test("a registration with the address of such an account, by invitation or not, opens nothing", async () => {
  const person = await addProtected();
  const payload = {
    username: `${person.username}_2`,
    email: person.email,
    password: PASSWORD,
    password_confirm: PASSWORD,
    ticket: person.ticket,
  };
  for (const more of [{}, { invitation: "x".repeat(43) }]) {
    const answer = await accounts.send("POST", "/api/users/register/", { payload: { ...payload, ...more } });
    await expectNoSession(person, answer);
  }
});

test("tokens of an ended session are no way in either", async () => {
  const person = await addProtected();
  for (const [url, payload] of [
    ["/api/users/confirm/", { password: PASSWORD }],
    ["/api/users/confirm/options/", {}],
  ] as const) {
    const answer = await accounts.send("POST", url, { token: person.token, payload });
    expect(answer.statusCode).toBe(401);
    await expectNoSession(person, answer);
  }
});
