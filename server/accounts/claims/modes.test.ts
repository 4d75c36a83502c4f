import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { type AccountsFixture, openAccounts } from "../fixture.ts";
import { getCode, PASSWORD, requireRegistered, verify } from "../test-registration.ts";

// Who may register is one question, and who comes in another one: the mode at the moment of the proof answers it.

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
     INSERT INTO account_registration (mode) VALUES ('open')`,
  );
  accounts.takeMails();
});

const setMode = (mode: string) => accounts.pool.query("UPDATE account_registration SET mode = $1", [mode]);

async function readRow(username: string) {
  const { rows } = await accounts.pool.query<{
    admission: string;
    is_email_verified: boolean;
    level: number;
  }>(
    `SELECT u.admission, u.is_email_verified, l.level
     FROM account_user u JOIN access_level l ON l.id = u.access_level_id WHERE u.username = $1`,
    [username],
  );
  return rows[0];
}
const WAITS = { admission: "waiting", is_email_verified: true, level: 0 };
const toRefusal = (answer: { statusCode: number; json(): { code: string } }) => [
  answer.statusCode,
  answer.json().code,
];

const MODES = ["open", "approval", "invitation", "closed"];
const IN = { admission: "admitted", level: 1 };

/** Somebody who registered while everybody might, and has typed no code yet. */
async function registerOpen(username: string, invitation?: string) {
  await setMode("open");
  const { email, ticket } = await requireRegistered(accounts, username, invitation ? { invitation } : {});
  return { email, ticket, code: getCode(accounts.takeMails()) };
}

/** The ways to prove an address; each gives the answer to the code. */
const WAYS: [string, (mode: string) => Promise<{ json(): unknown }>][] = [
  [
    "in the browser that registered",
    async (mode) => {
      const { email, ticket, code } = await registerOpen("ada");
      await setMode(mode);
      return verify(accounts, email, code, { ticket });
    },
  ],
  [
    "in another browser",
    async (mode) => {
      const { email, code } = await registerOpen("ada");
      await setMode(mode);
      return verify(accounts, email, code);
    },
  ],
  [
    "by a code that was asked for again",
    async (mode) => {
      const { email, ticket } = await registerOpen("ada");
      await setMode(mode);
      accounts.clock.now += HOUR_MS;
      await accounts.send("POST", "/api/users/request-verification/", { payload: { email } });
      return verify(accounts, email, getCode(accounts.takeMails()), { ticket });
    },
  ],
  [
    "by moving to another address before the proof",
    async (mode) => {
      await registerOpen("ada");
      const { tokens } = await accounts.signIn("ada");
      await setMode(mode);
      await accounts.pool.query(
        "UPDATE account_user SET pending_email = 'new@example.org' WHERE username = 'ada'",
      );
      accounts.deps.sessionAccounts.drop();
      const token = tokens.access_token;
      const payload = { email: "new@example.org" };
      await accounts.send("POST", "/api/users/request-verification/", { payload, token });
      return verify(accounts, payload.email, getCode(accounts.takeMails()), { token });
    },
  ],
];

test.each(WAYS.flatMap(([name, prove]) => MODES.map((mode) => [mode, name, prove] as const)))(
  "%s: who registered before it and proves the address %s is let in where everybody may register alone",
  async (mode, name, prove) => {
    const answer = await prove(mode);
    const isOpen = mode === "open";
    expect(answer.json()).toMatchObject({ is_waiting: !isOpen });
    expect(await readRow("ada")).toMatchObject(isOpen ? IN : WAITS);
    expect(accounts.takeMails().map(({ kind }) => kind)).toEqual(
      isOpen ? [] : ["registrations_waiting", "registrations_waiting"],
    );
    // Elsewhere than where it was registered, the way in is a new password.
    const { reset } = answer.json() as { reset: { email: string; proof: string } | null };
    const logIn = reset
      ? await accounts.send("POST", "/api/users/password/reset/", {
          payload: { ...reset, password: PASSWORD, password_confirm: PASSWORD },
        })
      : await accounts.logIn({ username: "ada" });
    expect(reset !== null).toBe(name === "in another browser");
    expect(isOpen ? logIn.statusCode : toRefusal(logIn)).toEqual(isOpen ? 200 : [403, "account_waiting"]);
  },
);

test.each(MODES)(
  "%s: without a proof a log-in gives the level of guests, and the proof ends it",
  async (mode) => {
    const { email, code, ticket } = await registerOpen("ada");
    await setMode(mode);
    const { tokens, user } = await accounts.signIn("ada");
    expect(user.access_level).toBe(0);
    await verify(accounts, email, code, { ticket });
    expect((await accounts.getMe(tokens.access_token)).statusCode).toBe(mode === "open" ? 200 : 401);
  },
);

test.each(MODES)("%s: a forgotten password is no way in before the proof", async (mode) => {
  const { email } = await registerOpen("ada");
  await setMode(mode);
  await accounts.send("POST", "/api/users/password/forgot/", { payload: { email } });
  expect(accounts.takeMails()).toEqual([]);
  expect(await readRow("ada")).toMatchObject({ is_email_verified: false, level: 0 });
});

test.each([
  ["open", { admission: "admitted", level: 5 }],
  ["approval", { admission: "admitted", level: 5 }],
  ["invitation", { admission: "admitted", level: 5 }],
  ["closed", WAITS],
])("%s: what an invitation does that somebody has registered with before", async (mode, row) => {
  await accounts.pool.query(
    `INSERT INTO account_invitation (token, link, access_level_id, uses_max, expires_at, created_by_id)
     SELECT 'good', '', l.id, 2, $1, u.id FROM access_level l, account_user u WHERE l.level = 5 AND u.username = 'staff'`,
    [new Date(accounts.clock.now + HOUR_MS).toISOString()],
  );
  const { email, ticket, code } = await registerOpen("ada", "good");
  await setMode(mode);
  await verify(accounts, email, code, { ticket });
  expect(await readRow("ada")).toMatchObject(row);
});

test("the owners are alerted of staff that an invitation makes, and of nobody else", async () => {
  for (const [level, name] of [
    [5, "ada"],
    [10, "bob"],
  ] as const) {
    await accounts.pool.query(
      `INSERT INTO account_invitation (token, link, access_level_id, uses_max, expires_at, created_by_id)
       SELECT $2, '', l.id, 1, $3, u.id FROM access_level l, account_user u WHERE l.level = $1 AND u.username = 'Owner_1'`,
      [level, `good-${level}`, new Date(accounts.clock.now + HOUR_MS).toISOString()],
    );
    const { email, ticket, code } = await registerOpen(name, `good-${level}`);
    await verify(accounts, email, code, { ticket });
  }
  const { rows } = await accounts.pool.query(
    `SELECT a.kind, u.username, a.about ->> 'en' AS level FROM audit_alert a JOIN account_user u ON u.id = a.user_id`,
  );
  expect(rows).toEqual([{ kind: "new_staff", username: "bob", level: "10" }]);
});

test.each(MODES)("%s: an account that the console made is let in by its proof", async (mode) => {
  await setMode(mode);
  const { id } = await accounts.addAccount("made", 0);
  await accounts.pool.query("UPDATE account_user SET is_email_verified = false WHERE id = $1", [id]);
  const email = "made@example.org";
  await accounts.send("POST", "/api/users/password/forgot/", { payload: { email } });
  const payload = { email, otp_code: getCode(accounts.takeMails()), password: NEW, password_confirm: NEW };
  const answer = await accounts.send("POST", "/api/users/password/reset/", { payload });
  expect(answer.json().session.user.access_level).toBe(1);
});
