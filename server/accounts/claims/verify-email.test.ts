import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type AccountsFixture, OWNER, openAccounts } from "../fixture.ts";
import { getCode, register, requireRegistered, toWrong, verify } from "../test-registration.ts";

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

let accounts: AccountsFixture;
beforeAll(async () => {
  accounts = await openAccounts();
});
afterAll(() => accounts.close());
beforeEach(async () => {
  accounts.clock.now += HOUR_MS;
  accounts.takeMails();
  await accounts.pool.query("DELETE FROM account_user WHERE id <> $1", [accounts.owner.id]);
  await accounts.pool.query("DELETE FROM account_code; DELETE FROM account_code_guess");
  await accounts.takeAudit();
});

const EMAIL = "ada@example.org";
const INVALID = {
  code: "invalid_verification_code",
  message: "Invalid verification code. Please try again.",
};

async function readUsers() {
  const { rows } = await accounts.pool.query(
    `SELECT username, is_email_verified, level, registration_ticket_hash FROM account_user u
     JOIN access_level l ON l.id = u.access_level_id WHERE u.id <> $1 ORDER BY u.id`,
    [accounts.owner.id],
  );
  return rows;
}

function ask(email: string, more: { token?: string; address?: string } = {}) {
  return accounts.send("POST", "/api/users/request-verification/", { payload: { email }, ...more });
}

describe("a code", () => {
  test("from the browser that registered proves the address and signs in", async () => {
    const { ticket } = await requireRegistered(accounts, "ada");
    const code = getCode(accounts.takeMails());
    await accounts.takeAudit();
    const answer = await verify(accounts, " ADA@example.org ", ` ${code} `, { ticket });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      success: true,
      message: "Email verified successfully! Redirecting to profile...",
      session: { user: { username: "ada", access_level: 1, is_email_verified: true } },
    });
    expect(answer.cookies).toEqual([expect.objectContaining({ httpOnly: true, sameSite: "Lax", path: "/" })]);
    const me = await accounts.getMe(answer.json().session.tokens.access_token);
    expect(me.json()).toMatchObject({ username: "ada", access_level: 1 });
    expect(await readUsers()).toEqual([
      { username: "ada", is_email_verified: true, level: 1, registration_ticket_hash: null },
    ]);
    expect(await accounts.takeAudit()).toEqual([
      expect.objectContaining({ action_type: "UPDATE", detail: "verify_email" }),
      expect.objectContaining({ action_type: "LOGIN", detail: "verify_email" }),
    ]);
    expect(accounts.takeMails()).toEqual([]);
  });

  test("from another browser proves the address and opens no session", async () => {
    await register(accounts, "ada");
    const answer = await verify(accounts, EMAIL, getCode(accounts.takeMails()), { ticket: "x".repeat(43) });
    expect(answer.json()).toMatchObject({ success: true, username: "ada", session: null });
    expect(answer.cookies).toEqual([]);
    expect(await readUsers()).toMatchObject([{ is_email_verified: true, level: 1 }]);
  });

  test("from a browser that is signed in to the account counts for its session", async () => {
    await register(accounts, "ada");
    const { tokens } = await accounts.signIn("ada");
    const token = tokens.access_token;
    const answer = await verify(accounts, EMAIL, getCode(accounts.takeMails()), { token });
    expect(answer.json()).toMatchObject({ session: null, reset: null });
    expect((await accounts.getMe(token)).json()).toMatchObject({ access_level: 1 });
  });

  test("works once", async () => {
    await register(accounts, "ada");
    const code = getCode(accounts.takeMails());
    expect((await verify(accounts, EMAIL, code)).statusCode).toBe(200);
    const again = await verify(accounts, EMAIL, code);
    expect(again.statusCode).toBe(400);
    expect(again.json()).toMatchObject(INVALID);
  });

  test("is good for ten minutes", async () => {
    await register(accounts, "ada");
    const early = getCode(accounts.takeMails());
    accounts.clock.now += 600 * SECOND_MS;
    expect((await verify(accounts, EMAIL, early)).json()).toMatchObject(INVALID);
    await ask(EMAIL);
    const late = getCode(accounts.takeMails());
    accounts.clock.now += 600 * SECOND_MS - 1;
    expect((await verify(accounts, EMAIL, late)).statusCode).toBe(200);
  });

  test("sent by a clock that went back since is good for no longer than others", async () => {
    accounts.clock.now += 45 * 24 * HOUR_MS;
    await requireRegistered(accounts, "ada");
    const code = getCode(accounts.takeMails());
    accounts.clock.now -= 45 * 24 * HOUR_MS;
    expect((await verify(accounts, EMAIL, code)).json()).toMatchObject(INVALID);
  });

  test("has five tries, right or wrong after that", async () => {
    await register(accounts, "ada");
    const code = getCode(accounts.takeMails());
    for (let count = 0; count < 5; count++)
      expect((await verify(accounts, EMAIL, toWrong(code))).json()).toMatchObject(INVALID);
    expect((await verify(accounts, EMAIL, code)).json()).toMatchObject(INVALID);
    expect(await readUsers()).toMatchObject([{ is_email_verified: false }]);
  });

  test("after four wrong ones the right one is taken", async () => {
    await register(accounts, "ada");
    const code = getCode(accounts.takeMails());
    for (let count = 0; count < 4; count++) await verify(accounts, EMAIL, toWrong(code));
    expect((await verify(accounts, EMAIL, code)).statusCode).toBe(200);
  });

  test("sent with fifty others at once is tried five times at the most", async () => {
    await register(accounts, "ada");
    const code = getCode(accounts.takeMails());
    await Promise.all(Array.from({ length: 50 }, () => verify(accounts, EMAIL, toWrong(code))));
    const { rows } = await accounts.pool.query("SELECT tries FROM account_code");
    expect(rows).toEqual([{ tries: 5 }]);
  });

  test("of another purpose or address is none", async () => {
    await register(accounts, "ada");
    await register(accounts, "bob");
    const [ada] = accounts.takeMails();
    expect((await verify(accounts, "bob@example.org", getCode(ada ? [ada] : []))).statusCode).toBe(400);
    await accounts.send("POST", "/api/users/password/forgot/", { payload: { email: OWNER.email } });
    const reset = getCode(accounts.takeMails());
    expect((await verify(accounts, OWNER.email, reset)).json()).toMatchObject(INVALID);
  });

  test.each([
    [{}, ["email:email_required", "otp_code:code_length"]],
    [{ email: "ada", otp_code: "123456" }, ["email:invalid_email"]],
    [{ email: EMAIL, otp_code: "12345" }, ["otp_code:code_length"]],
    [{ email: EMAIL, otp_code: "12345x" }, ["otp_code:code_digits"]],
    [{ email: EMAIL, otp_code: 123456 }, ["otp_code:invalid_type"]],
  ])("%j is refused by field", async (payload, faults) => {
    const answer = await accounts.send("POST", "/api/users/verify-email/", { payload });
    expect(answer.statusCode).toBe(400);
    const errors: { field: string; code: string }[] = answer.json().errors;
    expect(errors.map(({ field, code }) => `${field}:${code}`)).toEqual(faults);
  });

  test("a suspended account's is proven, but opens no session", async () => {
    const { ticket } = await requireRegistered(accounts, "ada");
    await accounts.pool.query("UPDATE account_user SET is_active = false WHERE username = 'ada'");
    const answer = await verify(accounts, EMAIL, getCode(accounts.takeMails()), { ticket });
    expect(answer.json()).toMatchObject({ session: null });
  });

  test("an address block has thirty wrong ones in 15 minutes", async () => {
    const address = accounts.takeAddress();
    const statuses = [];
    for (let count = 0; count < 31; count++)
      statuses.push((await verify(accounts, `user${count}@example.org`, "123456", { address })).statusCode);
    expect(statuses).toEqual([...Array(30).fill(400), 429]);
  });

  test("a token that is sent along must be good", async () => {
    const answer = await verify(accounts, EMAIL, "123456", { token: "nonsense" });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ code: "session_expired" });
  });
});

describe("several accounts that claim one address", () => {
  test("a stranger who registered it first gets nothing of the owner's code, and is gone after it", async () => {
    const stranger = await requireRegistered(accounts, "stranger", { email: EMAIL });
    const mailed = getCode(accounts.takeMails());
    const before = await accounts.signIn("stranger");
    const owner = await requireRegistered(accounts, "ada", { email: EMAIL });
    expect(owner.retry_after).toBe(60);
    expect(accounts.takeMails()).toEqual([]);
    const answer = await verify(accounts, EMAIL, mailed, { ticket: owner.ticket });
    expect(answer.json()).toMatchObject({ session: { user: { username: "ada" } } });
    expect(await readUsers()).toMatchObject([{ username: "ada", is_email_verified: true }]);
    expect((await accounts.getMe(before.tokens.access_token)).statusCode).toBe(401);
    const late = await verify(accounts, EMAIL, mailed, { ticket: stranger.ticket });
    expect(late.json()).toMatchObject(INVALID);
  });

  test("the same a minute later, when the owner's own code is under way", async () => {
    await register(accounts, "stranger", { email: EMAIL });
    const first = getCode(accounts.takeMails());
    accounts.clock.now += 60 * SECOND_MS;
    const owner = await requireRegistered(accounts, "ada", { email: EMAIL });
    const [mail] = accounts.takeMails();
    expect(mail).toMatchObject({ username: "ada" });
    const code = getCode(mail ? [mail] : []);
    if (first !== code) expect((await verify(accounts, EMAIL, first)).statusCode).toBe(400);
    expect((await verify(accounts, EMAIL, code, { ticket: owner.ticket })).statusCode).toBe(200);
    expect(await readUsers()).toMatchObject([{ username: "ada" }]);
  });

  test("without a ticket it is the account that the mail named", async () => {
    await register(accounts, "ada", { email: EMAIL });
    const code = getCode(accounts.takeMails());
    await register(accounts, "other", { email: EMAIL });
    await verify(accounts, EMAIL, code);
    expect(await readUsers()).toMatchObject([{ username: "ada", is_email_verified: true }]);
  });

  test("a code that named an account which is gone is good with a ticket, and with nothing else", async () => {
    await register(accounts, "stranger", { email: EMAIL });
    const code = getCode(accounts.takeMails());
    const { ticket } = await requireRegistered(accounts, "ada", { email: EMAIL });
    await accounts.pool.query("DELETE FROM account_user WHERE username = 'stranger'");
    expect((await verify(accounts, EMAIL, code)).json()).toMatchObject(INVALID);
    const answer = await verify(accounts, EMAIL, code, { ticket });
    expect(answer.json()).toMatchObject({ username: "ada", session: { user: { username: "ada" } } });
  });

  test("of two proofs at once one counts", async () => {
    const { ticket } = await requireRegistered(accounts, "ada", { email: EMAIL });
    const code = getCode(accounts.takeMails());
    const answers = await Promise.all([
      verify(accounts, EMAIL, code, { ticket }),
      verify(accounts, EMAIL, code, { ticket }),
    ]);
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 400]);
  });
});

describe("asking for a code", () => {
  test("within 60 s of the last sends nothing and says how long it takes", async () => {
    await register(accounts, "ada");
    accounts.takeMails();
    accounts.clock.now += 20 * SECOND_MS;
    const early = await ask(EMAIL);
    expect(early.json()).toEqual({
      success: true,
      message: "Verification code sent!",
      ticket: expect.any(String),
      retry_after: 40,
    });
    expect(accounts.takeMails()).toEqual([]);
    accounts.clock.now += 40 * SECOND_MS;
    expect((await ask(EMAIL)).json()).toMatchObject({ retry_after: 60 });
    expect(accounts.takeMails()).toMatchObject([{ kind: "verification_code", username: "ada" }]);
  });

  test("after the clock went back by 45 days is free after 60 s", async () => {
    accounts.clock.now += 45 * 24 * HOUR_MS;
    await requireRegistered(accounts, "ada");
    accounts.clock.now -= 45 * 24 * HOUR_MS;
    accounts.takeMails();
    expect((await ask(EMAIL)).json()).toMatchObject({ retry_after: 60 });
    expect(accounts.takeMails()).toEqual([]);
    accounts.clock.now += 60 * SECOND_MS;
    await ask(EMAIL);
    expect(accounts.takeMails()).toMatchObject([{ kind: "verification_code" }]);
  });

  test("the new code replaces the one before", async () => {
    await register(accounts, "ada");
    const first = getCode(accounts.takeMails());
    accounts.clock.now += 61 * SECOND_MS;
    await ask(EMAIL);
    const second = getCode(accounts.takeMails());
    if (first !== second) expect((await verify(accounts, EMAIL, first)).statusCode).toBe(400);
    expect((await verify(accounts, EMAIL, second)).statusCode).toBe(200);
  });

  test.each([
    ["nobody@example.org", "an address without an account"],
    [OWNER.email, "an address that is proven already"],
  ])("for %s (%s) sends nothing", async (email) => {
    expect((await ask(email)).json()).toEqual({
      success: true,
      message: "Verification code sent!",
      ticket: expect.any(String),
      retry_after: 60,
    });
    expect(accounts.takeMails()).toEqual([]);
  });

  test("more than thirty times in 15 minutes from one place is refused", async () => {
    const address = accounts.takeAddress();
    const others = [];
    for (let count = 0; count < 31; count++)
      others.push((await ask(`user${count}@example.org`, { address })).statusCode);
    expect(others).toEqual([...Array(30).fill(200), 429]);
  });

  test.each([
    [{}, "email:email_required"],
    [{ email: "ada" }, "email:invalid_email"],
  ])("%j is refused", async (payload, fault) => {
    const answer = await accounts.send("POST", "/api/users/request-verification/", { payload });
    expect(answer.statusCode).toBe(400);
    const [error] = answer.json().errors;
    expect(`${error.field}:${error.code}`).toBe(fault);
  });
});
