import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type AccountsFixture, openAccounts, SETUP_TOKEN } from "../fixture.ts";
import { getCode, PASSWORD, register, requireRegistered, verify } from "../test-registration.ts";
import { createWaitingWatch } from "./waiting.ts";

const HOUR_MS = 3_600_000;
const NEW = "Another-horse-2";

let accounts: AccountsFixture;
beforeAll(async () => {
  accounts = await openAccounts();
  await accounts.addAccount("staff", 10);
  await accounts.addAccount("mod", 5); // and with it the level
});
afterAll(() => accounts.close());
beforeEach(async () => {
  accounts.clock.now += 24 * HOUR_MS; // limits and claims of one test are over in the next
  await accounts.pool.query(
    `DELETE FROM account_invitation; DELETE FROM account_registration; DELETE FROM account_code;
     DELETE FROM account_user WHERE username NOT IN ('Owner_1', 'staff', 'mod');
     INSERT INTO account_registration (mode) VALUES ('approval')`,
  );
  accounts.takeMails();
  await accounts.takeAudit();
});

const setMode = (mode: string) => accounts.pool.query("UPDATE account_registration SET mode = $1", [mode]);
const decide = (username: string, admission: string) =>
  accounts.pool.query("UPDATE account_user SET admission = $2 WHERE username = $1", [username, admission]);

interface Row {
  admission: string;
  is_email_verified: boolean;
  level: number;
  sessions: number;
}
async function readRow(username: string): Promise<Row | undefined> {
  const { rows } = await accounts.pool.query<Row>(
    `SELECT u.admission, u.is_email_verified, l.level,
       (SELECT count(*)::integer FROM account_session s WHERE s.user_id = u.id AND s.ended_at IS NULL) AS sessions
     FROM account_user u JOIN access_level l ON l.id = u.access_level_id WHERE u.username = $1`,
    [username],
  );
  return rows[0];
}
const WAITS = { admission: "waiting", is_email_verified: true, level: 0, sessions: 0 };

/** Registers and proves the address. */
async function join(username: string, more: { invitation?: string; withTicket?: boolean } = {}) {
  const { invitation, withTicket = true } = more;
  const { email, ticket } = await requireRegistered(accounts, username, invitation ? { invitation } : {});
  return verify(accounts, email, getCode(accounts.takeMails()), withTicket ? { ticket } : {});
}

const refusal = (answer: { statusCode: number; json(): { code: string } }) => [
  answer.statusCode,
  answer.json().code,
];
const WAITING = [403, "account_waiting"];
const REFUSED = [403, "account_refused"];
const LOGIN_URLS = ["/api/users/login/", "/api/auth/token/", "/api/admin/login/", "/voice/auth/login"];

describe("by approval", () => {
  test.each([true, false])(
    "a proof opens no session, and the person waits (with the ticket: %s)",
    async (withTicket) => {
      const answer = await join("ada", { withTicket });
      expect(answer.json()).toMatchObject({ session: null, is_waiting: true, username: "ada" });
      expect(answer.cookies).toEqual([]);
      expect(await readRow("ada")).toEqual(WAITS);
    },
  );

  test("a session that was opened without a proof ends with it, and its tokens are worth nothing", async () => {
    const { email, ticket } = await requireRegistered(accounts, "ada");
    const { tokens } = await accounts.signIn("ada");
    await verify(accounts, email, getCode(accounts.takeMails()), { ticket });
    expect((await accounts.getMe(tokens.access_token)).statusCode).toBe(401);
    expect((await accounts.refresh(tokens.refresh_token)).statusCode).toBe(401);
    expect(await readRow("ada")).toEqual(WAITS);
  });

  test.each(LOGIN_URLS)("%s says so after the right password alone", async (url) => {
    await join("ada");
    expect(refusal(await accounts.logIn({ username: "ada", url }))).toEqual(WAITING);
    expect(refusal(await accounts.logIn({ username: "ada@example.org", url }))).toEqual(WAITING);
    expect(refusal(await accounts.logIn({ username: "ada", password: NEW, url }))).toEqual([
      401,
      "invalid_credentials",
    ]);
    await decide("ada", "refused");
    expect(refusal(await accounts.logIn({ username: "ada", url }))).toEqual(REFUSED);
    expect(await readRow("ada")).toEqual({ ...WAITS, admission: "refused" });
  });

  test("a log-in costs as many comparisons as a wrong one, leaves no trace in the account, and is in the log", async () => {
    await join("ada");
    await accounts.takeAudit();
    const before = { ...accounts.counts };
    const answer = await accounts.logIn({ username: "ada" });
    expect(answer.cookies).toEqual([]);
    expect(accounts.counts).toEqual({ ...before, known: before.known + 1 });
    const { rows } = await accounts.pool.query(
      "SELECT last_login_at FROM account_user WHERE username = 'ada'",
    );
    expect(rows).toEqual([{ last_login_at: null }]);
    expect(await accounts.takeAudit()).toMatchObject([{ action_type: "LOGIN", detail: "account_waiting" }]);
  });

  test("who is suspended besides is told nothing", async () => {
    await join("ada");
    await accounts.pool.query("UPDATE account_user SET is_active = false WHERE username = 'ada'");
    expect(refusal(await accounts.logIn({ username: "ada" }))).toEqual([401, "invalid_credentials"]);
  });

  test("a new password by mail is set, and lets nobody in", async () => {
    await join("ada");
    accounts.takeMails();
    const email = "ada@example.org";
    await accounts.send("POST", "/api/users/password/forgot/", { payload: { email } });
    const payload = { email, otp_code: getCode(accounts.takeMails()), password: NEW, password_confirm: NEW };
    const answer = await accounts.send("POST", "/api/users/password/reset/", { payload });
    expect(refusal(answer)).toEqual(WAITING);
    expect(answer.cookies).toEqual([]);
    expect(await readRow("ada")).toEqual(WAITS);
    expect(refusal(await accounts.logIn({ username: "ada", password: NEW }))).toEqual(WAITING);
  });

  test("moving to another address before the first proof is no way round", async () => {
    await requireRegistered(accounts, "ada");
    accounts.takeMails();
    const { tokens } = await accounts.signIn("ada");
    await accounts.pool.query(
      "UPDATE account_user SET pending_email = 'new@example.org' WHERE username = 'ada'",
    );
    const token = tokens.access_token;
    accounts.deps.sessionAccounts.drop();
    await accounts.send("POST", "/api/users/request-verification/", {
      payload: { email: "new@example.org" },
      token,
    });
    const answer = await verify(accounts, "new@example.org", getCode(accounts.takeMails()), { token });
    expect(answer.json()).toMatchObject({ session: null, is_waiting: true });
    expect((await accounts.getMe(token)).statusCode).toBe(401);
    expect(await readRow("ada")).toEqual(WAITS);
  });

  test("who waits gets no other code, and registering again with the address makes nobody else wait", async () => {
    await join("ada");
    accounts.takeMails();
    accounts.clock.now += HOUR_MS;
    const email = "ada@example.org";
    await accounts.send("POST", "/api/users/request-verification/", { payload: { email } });
    expect(accounts.takeMails()).toEqual([]);
    for (const admission of ["waiting", "refused"]) {
      await decide("ada", admission);
      accounts.clock.now += HOUR_MS;
      expect((await register(accounts, `ada_${admission}`, { email })).statusCode).toBe(201);
      expect(accounts.takeMails().map(({ kind }) => kind)).toEqual(["account_exists"]);
    }
  });

  test("the set-up link makes nobody an owner who waits", async () => {
    const fresh = await openAccounts({ hasOwner: false });
    await fresh.pool.query("INSERT INTO account_registration (mode) VALUES ('approval')");
    const { email, ticket } = await requireRegistered(fresh, "ada");
    await verify(fresh, email, getCode(fresh.takeMails()), { ticket });
    const payload = {
      username: "ada",
      email,
      password: PASSWORD,
      password_confirm: PASSWORD,
      token: SETUP_TOKEN,
    };
    expect((await fresh.send("POST", "/api/users/setup/", { payload })).statusCode).toBe(400);
    expect((await fresh.logIn({ username: "ada" })).statusCode).toBe(403);
    await fresh.close();
  });

  test("an invitation lets in at once, with its level; one that was withdrawn meanwhile doesn't", async () => {
    await accounts.pool.query(
      `INSERT INTO account_invitation (token, link, access_level_id, uses_max, expires_at, created_by_id)
       SELECT 'good', '', l.id, 2, $1, u.id FROM access_level l, account_user u WHERE l.level = 5 AND u.username = 'staff'`,
      [new Date(accounts.clock.now + HOUR_MS).toISOString()],
    );
    const answer = await join("ada", { invitation: "good" });
    expect(answer.json()).toMatchObject({ is_waiting: false, session: { user: { access_level: 5 } } });
    const { email, ticket } = await requireRegistered(accounts, "eve", { invitation: "good" });
    await accounts.pool.query("UPDATE account_invitation SET is_revoked = true");
    await verify(accounts, email, getCode(accounts.takeMails()), { ticket });
    expect(await readRow("eve")).toEqual(WAITS);
  });

  test("who waits stays so when the setting changes, and proves nothing that would change it", async () => {
    await join("ada");
    await setMode("open");
    expect(refusal(await accounts.logIn({ username: "ada" }))).toEqual(WAITING);
    await accounts.pool.query("UPDATE account_user SET is_email_verified = false WHERE username = 'ada'");
    accounts.takeMails();
    accounts.clock.now += HOUR_MS;
    const email = "ada@example.org";
    await accounts.send("POST", "/api/users/request-verification/", { payload: { email } });
    await verify(accounts, email, getCode(accounts.takeMails()));
    expect(await readRow("ada")).toEqual(WAITS);
  });
});

test("a code that somebody types who waits already writes no second beginning into the log", async () => {
  await join("ada");
  await accounts.pool.query("UPDATE account_user SET is_email_verified = false WHERE username = 'ada'");
  accounts.takeMails();
  accounts.clock.now += HOUR_MS;
  await accounts.takeAudit();
  const email = "ada@example.org";
  await accounts.send("POST", "/api/users/request-verification/", { payload: { email } });
  await verify(accounts, email, getCode(accounts.takeMails()));
  const { rows } = await accounts.pool.query("SELECT detail, changes FROM audit_entry");
  expect(rows).toEqual([
    { detail: "verify_email", changes: { is_email_verified: { before: false, after: true } } },
  ]);
});

describe("staff are written to", () => {
  const told = () =>
    accounts
      .takeMails()
      .flatMap((mail) =>
        mail.kind === "registrations_waiting" ? [`${mail.recipient} ${mail.count} ${mail.language}`] : [],
      );
  const look = () => createWaitingWatch(accounts.deps).look();

  test("once for the first who waits, and no more within the hour; then of the others together", async () => {
    await join("a_1");
    expect(told()).toEqual(["owner@example.org 1 en", "staff@example.org 1 en"]);
    for (const name of ["a_2", "a_3", "a_4"]) await join(name);
    await look();
    expect(told()).toEqual([]);
    accounts.clock.now += HOUR_MS;
    await look();
    expect(told()).toEqual(["owner@example.org 4 en", "staff@example.org 4 en"]);
    accounts.clock.now += 2 * HOUR_MS;
    await look();
    expect(told()).toEqual([]);
  });

  test("of many who come at once by one mail", async () => {
    const names = ["a_1", "a_2", "a_3", "a_4"];
    const registered = [];
    for (const name of names) {
      const { email, ticket } = await requireRegistered(accounts, name);
      registered.push({ email, ticket, code: getCode(accounts.takeMails()) });
    }
    await Promise.all(registered.map(({ email, ticket, code }) => verify(accounts, email, code, { ticket })));
    expect(told()).toHaveLength(2);
  });

  test("by one mail of two whose proofs meet, though the later one to write came first", async () => {
    await join("a_1");
    expect(told()).toHaveLength(2);
    accounts.clock.now -= 5; // began before the other one, and waited for it
    await join("a_2");
    expect(told()).toEqual([]);
    accounts.clock.now += HOUR_MS + 5;
    await look();
    expect(told()).toHaveLength(2);
  });

  test("not of those about whom somebody has decided meanwhile", async () => {
    await join("a_1");
    told();
    await join("a_2");
    await decide("a_2", "refused");
    accounts.clock.now += HOUR_MS;
    await look();
    expect(told()).toEqual([]);
  });

  test("after a clock that went back too", async () => {
    await join("a_1");
    told();
    accounts.clock.now -= 5 * HOUR_MS;
    await join("a_2");
    expect(told()).toHaveLength(2);
    accounts.clock.now += 5 * HOUR_MS;
  });
});
