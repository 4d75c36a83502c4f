import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { errorEnvelope } from "#contract/errors.ts";
import { type AccountsFixture, OWNER, openAccounts } from "../fixture.ts";
import { getCode, PASSWORD, register, requireRegistered, verify } from "../test-registration.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let accounts: AccountsFixture;
beforeAll(async () => {
  accounts = await openAccounts();
});
afterAll(() => accounts.close());
beforeEach(async () => {
  accounts.clock.now += HOUR_MS; // limits and cooldowns of one test are over in the next
  accounts.takeMails();
  await accounts.pool.query("DELETE FROM account_user WHERE id <> $1", [accounts.owner.id]);
  await accounts.pool.query("DELETE FROM account_code");
  await accounts.takeAudit();
});

async function readUser(username: string) {
  const { rows } = await accounts.pool.query(
    `SELECT u.*, l.level FROM account_user u JOIN access_level l ON l.id = u.access_level_id WHERE username = $1`,
    [username],
  );
  return rows[0];
}

test.each(["/api/users/register/", "/api/users/register", "/voice/auth/register", "/voice/auth/register/"])(
  "%s makes an account of level 0 and mails its code, all in the request's language",
  async (url) => {
    const payload = {
      username: " ada ",
      email: " Ada@example.org ",
      password: PASSWORD,
      password_confirm: PASSWORD,
    };
    const answer = await accounts.send("POST", url, { payload, lang: "tr" });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.json()).toEqual({
      success: true,
      message: "Kayıt başarılı! Lütfen e-postanızı kontrol edin.",
      email: "Ada@example.org",
      ticket: expect.stringMatching(/^[\w-]{43}$/),
      retry_after: 60,
    });
    const user = await readUser("ada");
    expect(user).toMatchObject({
      email: "Ada@example.org",
      level: 0,
      is_active: true,
      is_email_verified: false,
      admin_language: "tr",
      password_hash: expect.stringMatching(/^\$argon2id\$/),
    });
    const ticket: string = answer.json().ticket;
    expect(JSON.stringify(user)).not.toContain(ticket);
    expect(accounts.takeMails()).toEqual([
      {
        kind: "verification_code",
        recipient: "Ada@example.org",
        language: "tr",
        userId: user.id,
        username: "ada",
        code: expect.stringMatching(/^\d{6}$/),
        proof: expect.stringMatching(/^[\w-]{43}$/),
        expiresAt: new Date(accounts.clock.now + 10 * MINUTE_MS).toISOString(),
      },
    ]);
    expect(await accounts.takeAudit()).toEqual([
      expect.objectContaining({ action_type: "CREATE", detail: "register", user_id: user.id }),
    ]);
  },
);

const GOOD = { username: "ada", email: "ada@example.org", password: PASSWORD, password_confirm: PASSWORD };
test.each([
  [
    {},
    [
      "username:username_required",
      "email:email_required",
      "password:password_required",
      "password_confirm:password_confirm_required",
    ],
  ],
  [{ ...GOOD, username: "ab" }, ["username:too_short"]],
  [{ ...GOOD, username: "x".repeat(31) }, ["username:too_long"]],
  [{ ...GOOD, username: "a b c" }, ["username:username_invalid"]],
  [{ ...GOOD, username: 5 }, ["username:invalid_type"]],
  [{ ...GOOD, email: "ada@" }, ["email:invalid_email"]],
  [{ ...GOOD, password: "short", password_confirm: "short" }, ["password:too_short"]],
  [{ ...GOOD, password: "password1", password_confirm: "password1" }, ["password:password_common"]],
  [{ ...GOOD, password_confirm: "Other-horse-1" }, ["password_confirm:passwords_differ"]],
  [{ ...GOOD, username: OWNER.username.toUpperCase() }, ["username:username_taken"]],
])("%j is refused and leaves nothing behind", async (payload, faults) => {
  const answer = await accounts.send("POST", "/api/users/register/", { payload });
  expect(answer.statusCode).toBe(400);
  const envelope = errorEnvelope.parse(answer.json());
  expect(envelope.code).toBe("validation_failed");
  expect(envelope.errors.map(({ field, code }) => `${field}:${code}`)).toEqual(faults);
  for (const { message } of envelope.errors) expect(message).not.toBe("This value is not valid.");
  expect((await accounts.pool.query("SELECT FROM account_user")).rowCount).toBe(1);
  expect((await accounts.pool.query("SELECT FROM account_code")).rowCount).toBe(0);
  expect(accounts.takeMails()).toEqual([]);
  expect(await accounts.takeAudit()).toEqual([]);
});

test("the address of an account makes a row like any other, and its owner is notified in place of a code", async () => {
  const answer = await register(accounts, "impostor", { email: OWNER.email.toUpperCase() });
  expect(answer.statusCode).toBe(201);
  expect(await readUser("impostor")).toMatchObject({ level: 0, is_email_verified: false });
  expect(accounts.takeMails()).toEqual([
    {
      kind: "account_exists",
      recipient: OWNER.email,
      language: "en",
      userId: accounts.owner.id,
      username: OWNER.username,
    },
  ]);
  const { rows } = await accounts.pool.query("SELECT user_id, code_hash FROM account_code");
  expect(rows).toEqual([{ user_id: null, code_hash: null }]);
});

test("who registered may log in before the address is proven, as a guest", async () => {
  await register(accounts, "ada");
  const { user } = await accounts.signIn("ada");
  expect(user).toMatchObject({ access_level: 0, is_email_verified: false });
});

test("the holder of the ticket registers anew at once: the row is the same, the old address proves nothing", async () => {
  const first = await requireRegistered(accounts, "ada", { email: "typo@example.org" });
  const oldCode = getCode(accounts.takeMails());
  const { tokens } = await accounts.signIn("ada");
  const { id } = await readUser("ada");
  const answer = await register(accounts, "ada", { email: "ada@example.org", ticket: first.ticket });
  expect(answer.statusCode).toBe(201);
  expect(await readUser("ada")).toMatchObject({ id, email: "ada@example.org" });
  expect((await accounts.getMe(tokens.access_token)).statusCode).toBe(401);
  expect((await verify(accounts, "typo@example.org", oldCode)).statusCode).toBe(400);
  const code = getCode(accounts.takeMails());
  expect((await verify(accounts, "ada@example.org", code)).statusCode).toBe(200);
});

test("the ticket frees the username, and a code that is under way counts for the new registration", async () => {
  const first = await requireRegistered(accounts, "ada", { email: "ada@example.org" });
  const code = getCode(accounts.takeMails());
  const second = await requireRegistered(accounts, "lovelace", {
    email: "ada@example.org",
    ticket: first.ticket,
  });
  expect(second.retry_after).toBe(60);
  expect(accounts.takeMails()).toEqual([]);
  expect(await readUser("ada")).toBeUndefined();
  const verified = await verify(accounts, "ada@example.org", code, { ticket: second.ticket });
  expect(verified.json().session.user.username).toBe("lovelace");
  expect((await register(accounts, "ada")).statusCode).toBe(201);
});

test("sending again with the browser's own ticket, after a lost answer, is the same registration", async () => {
  const ticket = "b".repeat(43);
  const first = await requireRegistered(accounts, "ada", { ticket });
  const code = getCode(accounts.takeMails());
  const second = await requireRegistered(accounts, "ada", { ticket });
  expect([first.ticket, second.ticket]).toEqual([ticket, ticket]);
  expect((await accounts.pool.query("SELECT FROM account_user")).rowCount).toBe(2);
  const verified = await verify(accounts, "ada@example.org", code, { ticket });
  expect(verified.json().session.user.username).toBe("ada");
});

test("a ticket that could be guessed is replaced", async () => {
  const { ticket } = await requireRegistered(accounts, "ada", { ticket: "c".repeat(31) });
  expect(ticket).toMatch(/^[\w-]{43}$/);
});

test("an invented ticket changes nothing of others", async () => {
  await register(accounts, "ada");
  const answer = await register(accounts, "bob", { ticket: "x".repeat(43) });
  expect(answer.statusCode).toBe(201);
  expect(await readUser("ada")).toBeDefined();
  expect((await register(accounts, "ada", { ticket: "y".repeat(43) })).statusCode).toBe(400);
});

test("a ticket is worth nothing once its address is proven", async () => {
  const { ticket } = await requireRegistered(accounts, "ada");
  const code = getCode(accounts.takeMails());
  await verify(accounts, "ada@example.org", code);
  await register(accounts, "thief", { email: "thief@example.org", ticket });
  expect(await readUser("ada")).toMatchObject({ email: "ada@example.org", is_email_verified: true });
});

test("an unproven registration holds its username for 24 hours", async () => {
  await register(accounts, "ada");
  accounts.clock.now += 24 * HOUR_MS - 1;
  expect((await register(accounts, "ada", { email: "other@example.org" })).statusCode).toBe(400);
  accounts.clock.now += 1;
  expect((await register(accounts, "ada", { email: "other@example.org" })).statusCode).toBe(201);
});

test("of two registrations of one username at once, one is made", async () => {
  const answers = await Promise.all([
    register(accounts, "ada", { email: "one@example.org" }),
    register(accounts, "ADA", { email: "two@example.org" }),
  ]);
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 400]);
});

test("one address block registers 20 times in an hour, then waits", async () => {
  const address = accounts.takeAddress();
  const statuses = [];
  for (let count = 0; count < 21; count++)
    statuses.push((await register(accounts, `user_${count}`, { address })).statusCode);
  expect(statuses).toEqual([...Array(20).fill(201), 429]);
  const refused = await register(accounts, "one_more", { address });
  expect(refused.json()).toMatchObject({ code: "too_many_requests" });
  expect(Number(refused.headers["retry-after"])).toBe(3600);
  expect((await register(accounts, "one_more")).statusCode).toBe(201);
});

test("whoever registers is neither found nor listed nor shown until they say otherwise", async () => {
  await requireRegistered(accounts, "ada");
  const hidden = { is_searchable: false, show_online: false, show_profile: false, shown_name: "" };
  expect((await readUser("ada"))?.privacy_settings).toEqual(hidden);
  // The owner of the fixture was made as at set-up.
  expect((await readUser(OWNER.username))?.privacy_settings).toEqual(hidden);
});
