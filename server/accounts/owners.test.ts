import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type AccountsFixture, openAccounts, PLAIN_PASSWORDS, SETUP_TOKEN } from "./fixture.ts";
import { PASSWORD, register } from "./test-registration.ts";

let accounts: AccountsFixture;
beforeEach(async () => {
  accounts = await openAccounts({ hasOwner: false });
});
afterEach(() => accounts.close());

const DAY_MS = 86_400_000;
const URL = "/api/users/setup/";
const GOOD = {
  token: SETUP_TOKEN,
  username: "owner",
  email: "owner@example.org",
  password: PASSWORD,
  password_confirm: PASSWORD,
};
const post = (payload: object) => accounts.send("POST", URL, { payload, lang: "tr" });
const isOpen = async () => (await accounts.send("GET", URL)).json();

test("until the link was used there is no account at all, also none that a name could be guessed for", async () => {
  expect((await accounts.pool.query("SELECT count(*)::int AS count FROM account_user")).rows).toEqual([
    { count: 0 },
  ]);
  for (const name of ["admin", "root", "owner", "foyer"])
    expect((await accounts.logIn({ username: name, password: name })).statusCode).toBe(401);
});

test("the link makes the owner, proven and signed in, and is dead after that", async () => {
  expect(await isOpen()).toEqual({ is_open: true });
  const answer = await post(GOOD);
  expect(answer.statusCode).toBe(200);
  expect(answer.json().user).toMatchObject({
    username: "owner",
    access_level: 999,
    is_email_verified: true,
    profile: { admin_language: "tr" },
  });
  expect(answer.cookies).toHaveLength(1);
  expect((await accounts.getMe(answer.json().tokens.access_token)).statusCode).toBe(200);
  expect(await isOpen()).toEqual({ is_open: false });
  expect(accounts.takeMails()).toEqual([]);
  expect(await accounts.takeAudit()).toEqual([
    expect.objectContaining({ action_type: "CREATE", detail: "setup", user_id: null }),
    expect.objectContaining({ action_type: "LOGIN", detail: "setup", username: "owner" }),
  ]);
  const again = await post({ ...GOOD, username: "second", email: "second@example.org" });
  expect(again.statusCode).toBe(409);
  expect(again.json()).toMatchObject({ code: "setup_closed" });
});

test("it stays dead when the owner's account is gone, until the next start", async () => {
  await post(GOOD);
  await accounts.pool.query("DELETE FROM account_user");
  const answer = await post(GOOD);
  expect(answer.statusCode).toBe(403);
  expect(answer.json()).toMatchObject({ code: "setup_link_invalid" });
});

test.each(["", "guess", `${SETUP_TOKEN} `, SETUP_TOKEN.slice(1)])(
  "the token %j makes nobody",
  async (token) => {
    const { hashed } = accounts.counts;
    const answer = await post({ ...GOOD, token });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: "setup_link_invalid" });
    expect(accounts.counts.hashed).toBe(hashed);
    expect(await isOpen()).toEqual({ is_open: true });
  },
);

test("no token at all makes nobody", async () => {
  const { token: _token, ...others } = GOOD;
  expect((await post(others)).statusCode).toBe(400);
});

test("faults are named by field, and the link is good afterwards", async () => {
  const answer = await post({ ...GOOD, username: "a", password_confirm: "x" });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().errors.map((fault: { field: string }) => fault.field)).toEqual([
    "username",
    "password_confirm",
  ]);
  expect((await post(GOOD)).statusCode).toBe(200);
});

test("a stranger who registered the owner's username or address first is no hindrance that can't be seen", async () => {
  await register(accounts, "owner", { email: "stranger@example.org" });
  const taken = await post(GOOD);
  expect(taken.statusCode).toBe(400);
  expect(taken.json().errors).toEqual([
    expect.objectContaining({ field: "username", code: "username_taken" }),
  ]);
  await register(accounts, "stranger", { email: GOOD.email });
  expect((await post({ ...GOOD, username: "the_owner" })).statusCode).toBe(200);
  const { rows } = await accounts.pool.query("SELECT username FROM account_user ORDER BY username");
  expect(rows.map((row) => row.username)).toEqual(["owner", "the_owner"]);
});

test("a username that was held for a day without proving an address is free for the owner", async () => {
  await register(accounts, GOOD.username, { email: "stranger@example.org" });
  accounts.clock.now += DAY_MS;
  expect((await post(GOOD)).statusCode).toBe(200);
});

test("of ten people with the link at once, one becomes the owner", async () => {
  await accounts.close();
  // With hashes that take their time they would come one after the other.
  accounts = await openAccounts({ hasOwner: false, passwords: PLAIN_PASSWORDS });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      post({ ...GOOD, username: `owner_${index}`, email: `owner${index}@example.org` }),
    ),
  );
  expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
  expect(answers.every((answer) => [200, 403, 409].includes(answer.statusCode))).toBe(true);
  expect((await accounts.pool.query("SELECT FROM account_user")).rowCount).toBe(1);
});
