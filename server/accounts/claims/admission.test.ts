import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type AccountsFixture, OWNER, openAccounts, SETUP_TOKEN } from "../fixture.ts";
import { getCode, PASSWORD, register, requireRegistered, verify } from "../test-registration.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let accounts: AccountsFixture;
beforeAll(async () => {
  accounts = await openAccounts();
  await accounts.addAccount("staff", 10);
  await accounts.addAccount("mod", 5); // and with it the level
});
afterAll(() => accounts.close());
beforeEach(async () => {
  accounts.clock.now += DAY_MS; // limits and claims of one test are over in the next
  accounts.takeMails();
  await accounts.pool.query(
    `DELETE FROM account_invitation; DELETE FROM account_registration; DELETE FROM account_code;
     DELETE FROM account_user WHERE username NOT IN ('Owner_1', 'staff', 'mod')`,
  );
});

const setMode = (mode: string) =>
  accounts.pool.query("INSERT INTO account_registration (mode) VALUES ($1)", [mode]);

interface Invited {
  level?: number;
  uses?: number;
  lifetimeMs?: number;
  by?: string;
}
/** An invitation as the console writes it. */
async function invite(
  token: string,
  { level = 5, uses = 1, lifetimeMs = DAY_MS, by = OWNER.username }: Invited = {},
) {
  await accounts.pool.query(
    `INSERT INTO account_invitation (token, link, access_level_id, uses_max, expires_at, created_by_id)
     SELECT $1, '/register?invitation=' || $1, l.id, $3, $4, u.id FROM access_level l, account_user u
     WHERE l.level = $2 AND u.username = $5`,
    [token, level, uses, new Date(accounts.clock.now + lifetimeMs).toISOString(), by],
  );
}

/** Registers and proves the address. @returns the level that the account has then. */
async function join(username: string, invitation?: string): Promise<number> {
  const { email, ticket } = await requireRegistered(accounts, username, invitation ? { invitation } : {});
  const answer = await verify(accounts, email, getCode(accounts.takeMails()), { ticket });
  return answer.json().session.user.access_level;
}

const refusal = async (username: string, invitation?: string) => {
  const answer = await register(accounts, username, invitation ? { invitation } : {});
  return [answer.statusCode, answer.json().code];
};

const isGood = async (invitation: string) =>
  (await accounts.send("POST", "/api/users/invitation/", { payload: { invitation } })).json().is_good;

const CLOSED = [403, "registration_closed"];
const REQUIRED = [403, "invitation_required"];
const INVALID = [403, "invitation_invalid"];

test.each(["\u0000", "a\u0000b", "\ud800"])(
  "%j, which no invitation can be, is answered as one that isn't there",
  async (text) => {
    const payload = { invitation: text };
    const answer = await accounts.send("POST", "/api/users/invitation/", { payload });
    expect([answer.statusCode, answer.json()]).toEqual([200, { is_good: false }]);
    expect(await refusal("ada", text)).toEqual(INVALID);
  },
);

test("without a choice everybody may register, as a user", async () => {
  expect(await join("ada")).toBe(1);
});

describe("closed", () => {
  beforeEach(() => setMode("closed"));

  test.each(["/api/users/register/", "/voice/auth/register"])(
    "%s refuses all in the same words, whoever has the name and the address, and sends nothing",
    async (url) => {
      const answers = await Promise.all(
        [OWNER, { username: "nobody", email: "nobody@example.org" }].map(({ username, email }) =>
          accounts.send("POST", url, {
            payload: { username, email, password: PASSWORD, password_confirm: PASSWORD },
            lang: "tr",
          }),
        ),
      );
      const told = answers.map((answer) => ({ ...answer.json(), request_id: null }));
      expect(told[0]).toEqual(told[1]);
      expect(told[0]).toMatchObject({ status: 403, message: "Bu site şu anda yeni hesap kabul etmiyor." });
      expect(accounts.takeMails()).toEqual([]);
    },
  );

  test("an invitation opens nothing", async () => {
    await invite("good");
    expect(await refusal("ada", "good")).toEqual(CLOSED);
    expect(await isGood("good")).toBe(false);
  });

  test("who has an account logs in", async () => {
    expect((await accounts.logIn()).statusCode).toBe(200);
  });
});

test("the owner's set-up link works whatever the mode is", async () => {
  const fresh = await openAccounts({ hasOwner: false });
  await fresh.pool.query("INSERT INTO account_registration (mode) VALUES ('closed')");
  const { username, email, password } = OWNER;
  const payload = { username, email, password, password_confirm: password, token: SETUP_TOKEN };
  expect((await fresh.send("POST", "/api/users/setup/", { payload })).statusCode).toBe(200);
  await fresh.close();
});

describe("by invitation", () => {
  beforeEach(() => setMode("invitation"));

  test("who has none is told so, and who has a wrong one", async () => {
    expect(await refusal("ada")).toEqual(REQUIRED);
    expect(await refusal("ada", "made-up")).toEqual(INVALID);
    expect(await isGood("made-up")).toBe(false);
  });

  test("its level is given with the proof of the address, not before", async () => {
    await invite("good", { level: 5 });
    expect(await isGood("good")).toBe(true);
    const { email, ticket } = await requireRegistered(accounts, "ada", { invitation: "good" });
    const { rows } = await accounts.pool.query(
      "SELECT level FROM account_user u JOIN access_level l ON l.id = access_level_id WHERE username = 'ada'",
    );
    expect(rows).toEqual([{ level: 0 }]);
    const answer = await verify(accounts, email, getCode(accounts.takeMails()), { ticket });
    expect(answer.json().session.user.access_level).toBe(5);
  });

  test("as many come as it says; one who deletes their account gives no use back", async () => {
    await invite("good", { uses: 2 });
    await join("ada", "good");
    await join("eve", "good");
    expect(await refusal("bob", "good")).toEqual(INVALID);
    await accounts.pool.query("DELETE FROM account_user WHERE username = 'ada'");
    expect(await refusal("bob", "good")).toEqual(INVALID);
  });

  test("a registration that waits holds a use; registering again from the same browser takes no second one", async () => {
    await invite("good");
    const { ticket } = await requireRegistered(accounts, "ada", { invitation: "good" });
    expect(await refusal("bob", "good")).toEqual(INVALID);
    expect(await isGood("good")).toBe(false);
    expect((await register(accounts, "ada2", { invitation: "good", ticket })).statusCode).toBe(201);
  });

  test("of many who come at once with its last use one comes in", async () => {
    await invite("good");
    const names = ["a_1", "a_2", "a_3", "a_4", "a_5"];
    const answers = await Promise.all(names.map((name) => register(accounts, name, { invitation: "good" })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 403, 403, 403, 403]);
  });

  test("a name that is taken costs no use", async () => {
    await invite("good");
    expect((await register(accounts, "staff", { invitation: "good" })).statusCode).toBe(400);
    expect(await join("ada", "good")).toBe(5);
  });

  test.each([
    ["it is over", "UPDATE account_invitation SET expires_at = '2020-01-01'"],
    ["it was withdrawn", "UPDATE account_invitation SET is_revoked = true"],
    ["whoever made it is gone", "UPDATE account_invitation SET created_by_id = NULL"],
    [
      "whoever made it may not give its level any more",
      "UPDATE account_invitation SET created_by_id = (SELECT id FROM account_user WHERE username = 'staff'), access_level_id = (SELECT id FROM access_level WHERE level = 999)",
    ],
  ])("lets nobody in when %s", async (_why, sql) => {
    await invite("good");
    await accounts.pool.query(sql);
    expect(await isGood("good")).toBe(false);
    expect(await refusal("ada", "good")).toEqual(INVALID);
  });

  test("withdrawn between registration and proof, it lets in nobody: they wait", async () => {
    await invite("good", { level: 10 });
    const { email, ticket } = await requireRegistered(accounts, "ada", { invitation: "good" });
    await accounts.pool.query("UPDATE account_invitation SET is_revoked = true");
    const answer = await verify(accounts, email, getCode(accounts.takeMails()), { ticket });
    expect(answer.json()).toMatchObject({ session: null, is_waiting: true });
  });
});

test("where everybody may register an invitation gives its level, and one that is over is told", async () => {
  await invite("good", { level: 5 });
  expect(await join("ada", "good")).toBe(5);
  expect(await refusal("eve", "good")).toEqual(INVALID);
});
