import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type AccountsFixture, openAccounts, toCookieHeader } from "../fixture.ts";
import { getCode, PASSWORD, toWrong } from "../test-registration.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NEW = "Another-horse-2";

let accounts: AccountsFixture;
let count = 0;
beforeAll(async () => {
  accounts = await openAccounts();
});
afterAll(() => accounts.close());
beforeEach(async () => {
  accounts.clock.now += HOUR_MS;
  accounts.takeMails();
  await accounts.takeAudit();
});

const addPerson = () => accounts.addAccount(`person_${++count}`);
const forgot = (email: string) =>
  accounts.send("POST", "/api/users/password/forgot/", { payload: { email } });
const reset = (email: string, code: string, password = NEW) =>
  accounts.send("POST", "/api/users/password/reset/", {
    payload: { email, otp_code: code, password, password_confirm: password },
  });
const change = (token: string | undefined, payload: object, url = "/api/users/password/") =>
  accounts.send("POST", url, { payload, ...(token && { token }) });
const CHANGE = { current_password: PASSWORD, new_password: NEW, new_password_confirm: NEW };

describe("a forgotten password", () => {
  test("is replaced with the code from the mail: all sessions end, and one opens here", async () => {
    const person = await addPerson();
    const before = await accounts.signIn(person.username);
    await accounts.takeAudit();
    const asked = await forgot(person.email.toUpperCase());
    expect(asked.json()).toEqual({
      success: true,
      message: "If there is an account with this address, a code is on its way.",
      ticket: expect.stringMatching(/^[\w-]{43}$/),
      retry_after: 60,
    });
    const mails = accounts.takeMails();
    expect(mails).toMatchObject([{ kind: "password_reset", recipient: person.email, userId: person.id }]);
    const answer = await reset(person.email, getCode(mails));
    expect(answer.statusCode).toBe(200);
    expect(answer.json().session.user).toMatchObject({ username: person.username });
    expect(answer.cookies).toHaveLength(1);
    expect((await accounts.getMe(answer.json().session.tokens.access_token)).statusCode).toBe(200);
    expect((await accounts.getMe(before.tokens.access_token)).statusCode).toBe(401);
    expect((await accounts.refresh(before.tokens.refresh_token)).statusCode).toBe(401);
    expect((await accounts.logIn(person)).statusCode).toBe(401);
    expect((await accounts.logIn({ username: person.username, password: NEW })).statusCode).toBe(200);
    expect(accounts.takeMails()).toContainEqual(
      expect.objectContaining({ kind: "password_changed", recipient: person.email }),
    );
    expect((await accounts.takeAudit()).slice(0, 2)).toEqual([
      expect.objectContaining({ action_type: "UPDATE", detail: "password_reset", user_id: person.id }),
      expect.objectContaining({ action_type: "LOGIN", detail: "password_reset", user_id: person.id }),
    ]);
  });

  test("a code that went to the mailbox before the account moved is good for nothing", async () => {
    const person = await addPerson();
    await forgot(person.email);
    const code = getCode(accounts.takeMails());
    const email = `moved.${person.email}`;
    await accounts.pool.query("UPDATE account_user SET email = $1 WHERE id = $2", [email, person.id]);
    const answer = await reset(person.email, code);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: "invalid_verification_code" });
    expect((await accounts.logIn(person)).statusCode).toBe(200);
  });

  test("a code is good for nothing once the password was changed", async () => {
    const person = await addPerson();
    const { tokens } = await accounts.signIn(person.username);
    await forgot(person.email);
    const code = getCode(accounts.takeMails());
    expect((await change(tokens.access_token, CHANGE)).statusCode).toBe(200);
    expect((await reset(person.email, code, "Third-horse-3")).statusCode).toBe(400);
    expect((await accounts.logIn({ username: person.username, password: NEW })).statusCode).toBe(200);
  });

  test("a code that guesses used up is logged once", async () => {
    const person = await addPerson();
    await forgot(person.email);
    const code = getCode(accounts.takeMails());
    for (let tries = 0; tries < 7; tries++) await reset(person.email, toWrong(code));
    expect(await accounts.takeAudit()).toEqual([
      expect.objectContaining({
        action_type: "LOGIN",
        detail: "failed_code",
        user_id: person.id,
        username: person.username,
        ip_address: expect.stringMatching(/^198\.51\./),
      }),
    ]);
  });

  test("requests that send nothing use up no mails of the address", async () => {
    const person = await addPerson();
    for (let asked = 0; asked < 12; asked++) {
      await accounts.send("POST", "/api/users/request-verification/", { payload: { email: person.email } });
      accounts.clock.now += MINUTE_MS;
    }
    expect(accounts.takeMails()).toEqual([]);
    await forgot(person.email);
    expect(accounts.takeMails()).toHaveLength(1);
  });

  test("ten mails an hour are sent, and the last code stays good while more are asked for", async () => {
    const person = await addPerson();
    for (let asked = 0; asked < 10; asked++) {
      await forgot(person.email);
      accounts.clock.now += MINUTE_MS;
    }
    const mails = accounts.takeMails();
    expect(mails).toHaveLength(10);
    expect((await forgot(person.email)).json()).toMatchObject({ retry_after: 60 });
    accounts.clock.now += MINUTE_MS / 2;
    expect((await forgot(person.email)).json()).toMatchObject({ retry_after: 30 });
    expect(accounts.takeMails()).toEqual([]);
    expect((await reset(person.email, getCode(mails.slice(-1)))).statusCode).toBe(200);
  });

  test("asked for ten times at once, one code is sent", async () => {
    const person = await addPerson();
    await Promise.all(Array.from({ length: 10 }, () => forgot(person.email)));
    expect(accounts.takeMails()).toHaveLength(1);
  });

  test("a code works once, has five tries, and guesses cost no hash", async () => {
    const person = await addPerson();
    await forgot(person.email);
    const code = getCode(accounts.takeMails());
    const { hashed } = accounts.counts;
    for (let tries = 0; tries < 5; tries++)
      expect((await reset(person.email, toWrong(code))).statusCode).toBe(400);
    const late = await reset(person.email, code);
    expect(late.statusCode).toBe(400);
    expect(late.json()).toMatchObject({ code: "invalid_verification_code" });
    expect(accounts.counts.hashed).toBe(hashed);
    expect((await accounts.logIn(person)).statusCode).toBe(200);
  });

  test("an unproven address or a suspended account is sent nothing", async () => {
    const person = await addPerson();
    await accounts.pool.query("UPDATE account_user SET is_active = false WHERE id = $1", [person.id]);
    const other = await addPerson();
    await accounts.pool.query(
      "UPDATE account_user SET is_email_verified = false, registration_ticket_hash = 'held' WHERE id = $1",
      [other.id],
    );
    for (const { email } of [person, other]) expect((await forgot(email)).statusCode).toBe(200);
    expect(accounts.takeMails()).toEqual([]);
  });

  test("an account that the console made gets its first password by mail, which proves its address", async () => {
    const made = await addPerson();
    await accounts.pool.query("UPDATE account_user SET is_email_verified = false WHERE id = $1", [made.id]);
    const claim = await addPerson();
    await accounts.pool.query(
      `UPDATE account_user SET email = $2, is_email_verified = false, registration_ticket_hash = 'other',
         access_level_id = (SELECT id FROM access_level WHERE level = 0) WHERE id = $1`,
      [claim.id, made.email],
    );
    await forgot(made.email);
    expect((await reset(made.email, getCode(accounts.takeMails()))).statusCode).toBe(200);
    const { rows } = await accounts.pool.query(
      "SELECT id, is_email_verified FROM account_user WHERE email = $1",
      [made.email],
    );
    expect(rows).toEqual([{ id: made.id, is_email_verified: true }]);
    const details = (await accounts.takeAudit()).map(({ detail }) => detail);
    expect(details).toEqual(expect.arrayContaining(["verify_email", "password_reset"]));
  });

  test("an account that was suspended after the mail stays closed", async () => {
    const person = await addPerson();
    await forgot(person.email);
    const code = getCode(accounts.takeMails());
    await accounts.pool.query("UPDATE account_user SET is_active = false WHERE id = $1", [person.id]);
    expect((await reset(person.email, code)).json()).toMatchObject({ code: "invalid_verification_code" });
    await accounts.pool.query("UPDATE account_user SET is_active = true WHERE id = $1", [person.id]);
    expect((await accounts.logIn(person)).statusCode).toBe(200);
  });

  test.each([
    [{}, ["email", "otp_code", "password", "password_confirm"]],
    [{ email: "a@b.co", otp_code: "123456", password: "weak", password_confirm: "weak" }, ["password"]],
    [{ email: "a@b.co", otp_code: "123456", password: NEW, password_confirm: "x" }, ["password_confirm"]],
  ])("%j is refused by field", async (payload, fields) => {
    const answer = await accounts.send("POST", "/api/users/password/reset/", { payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors.map((fault: { field: string }) => fault.field)).toEqual(fields);
  });
});

describe("a changed password", () => {
  test("by the voice endpoint is refused under another person's number", async () => {
    const person = await addPerson();
    const { tokens } = await accounts.signIn(person.username);
    const as = (named: string) =>
      accounts.call({
        method: "POST",
        url: "/voice/auth/change-password",
        headers: { authorization: `Bearer ${tokens.access_token}`, "x-user-id": named },
        payload: CHANGE,
      });
    expect((await as(String(accounts.owner.id))).json()).toMatchObject({ code: "permission_denied" });
    expect((await as(String(person.id))).statusCode).toBe(200);
  });

  test.each(["/api/users/password/", "/voice/auth/change-password"])(
    "by %s ends all other sessions and known devices, and this one goes on",
    async (url) => {
      const person = await addPerson();
      const elsewhere = await accounts.logIn(person);
      const { tokens } = await accounts.signIn(person.username);
      accounts.takeMails();
      await accounts.takeAudit();
      const answer = await change(tokens.access_token, CHANGE, url);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({
        success: true,
        message: "Your password was changed, and all other sessions were ended.",
      });
      expect((await accounts.getMe(tokens.access_token)).statusCode).toBe(200);
      expect((await accounts.getMe(elsewhere.json().tokens.access_token)).statusCode).toBe(401);
      expect(accounts.takeMails()).toEqual([
        expect.objectContaining({ kind: "password_changed", recipient: person.email }),
      ]);
      expect(await accounts.takeAudit()).toEqual([
        expect.objectContaining({ action_type: "UPDATE", detail: "change_password", user_id: person.id }),
      ]);
      await accounts.logIn({ username: person.username, password: NEW, cookie: toCookieHeader(answer) });
      expect(accounts.takeMails()).toEqual([]);
      await accounts.logIn({ username: person.username, password: NEW, cookie: toCookieHeader(elsewhere) });
      expect(accounts.takeMails()).toMatchObject([{ kind: "new_sign_in" }]);
    },
  );

  test("needs the current one; five wrong ones make the session wait, and the owner logs in all the same", async () => {
    const person = await addPerson();
    const { tokens } = await accounts.signIn(person.username);
    await accounts.takeAudit();
    const wrong = { ...CHANGE, current_password: "Wrong-horse-1" };
    for (let tries = 0; tries < 5; tries++) {
      const answer = await change(tokens.access_token, wrong);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().errors).toEqual([
        { field: "current_password", code: "wrong_password", message: "This is not your current password." },
      ]);
    }
    expect((await accounts.takeAudit()).map((entry) => entry.detail)).toEqual(
      Array(5).fill("failed_confirmation"),
    );
    expect((await change(tokens.access_token, CHANGE)).statusCode).toBe(429);
    expect((await accounts.logIn(person)).statusCode).toBe(200);
  });

  test("a stranger is not shown which fields are wrong", async () => {
    const answer = await change(undefined, {});
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ code: "not_authenticated", errors: [] });
  });

  test.each([
    [
      {},
      [
        "current_password:password_required",
        "new_password:password_required",
        "new_password_confirm:password_confirm_required",
      ],
    ],
    [{ ...CHANGE, new_password: "weak", new_password_confirm: "weak" }, ["new_password:too_short"]],
    [{ ...CHANGE, new_password_confirm: "x" }, ["new_password_confirm:passwords_differ"]],
  ])("%j is refused by field", async (payload, faults) => {
    const person = await addPerson();
    const { tokens } = await accounts.signIn(person.username);
    const answer = await change(tokens.access_token, payload);
    expect(answer.statusCode).toBe(400);
    const errors: { field: string; code: string }[] = answer.json().errors;
    expect(errors.map(({ field, code }) => `${field}:${code}`)).toEqual(faults);
  });

  test("of two changes at once with one old password, one counts", async () => {
    const person = await addPerson();
    const { tokens } = await accounts.signIn(person.username);
    const answers = await Promise.all([
      change(tokens.access_token, CHANGE),
      change(tokens.access_token, {
        ...CHANGE,
        new_password: "Third-horse-3",
        new_password_confirm: "Third-horse-3",
      }),
    ]);
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
  });
});
