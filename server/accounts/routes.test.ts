import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { errorEnvelope } from "#contract/errors.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { until } from "#test/until.ts";
import { notifyChange } from "../db/change-notices.ts";
import { type AccountsFixture, OWNER, openAccounts, toCookieHeader } from "./fixture.ts";

let accounts: AccountsFixture;
beforeAll(async () => {
  accounts = await openAccounts();
});
afterAll(() => accounts.close());
const HOUR_MS = 3_600_000;
beforeEach(async () => {
  accounts.clock.now += HOUR_MS / 4; // wrong passwords of one test don't count in the next
  await accounts.takeAudit();
});

describe("log-in", () => {
  test.each(["/api/users/login/", "/api/users/login", "/api/auth/token/"])(
    "%s answers tokens and the person",
    async (url) => {
      const address = accounts.takeAddress();
      const answer = await accounts.call({
        method: "POST",
        url,
        headers: { "x-forwarded-for": address },
        payload: { username: "  owner_1 ", password: OWNER.password },
      });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(answer.json()).toEqual({
        tokens: {
          access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
          refresh_token: expect.stringMatching(/^[0-9a-f-]{36}\.[\w-]{64}$/),
        },
        user: {
          id: accounts.owner.id,
          username: "Owner_1",
          email: "owner@example.org",
          display_name: "Owner_1",
          access_level: 999,
          access_level_name: "Superuser",
          is_email_verified: true,
          is_staff: true,
          second_factor_due_at: null,
          profile: expect.objectContaining({
            first_name: "",
            last_name: "",
            can_access_admin: true,
            is_superuser: true,
            admin_theme: "auto",
            admin_language: null,
          }),
        },
      });
      expect(await accounts.takeAudit()).toEqual([
        expect.objectContaining({
          action_type: "LOGIN",
          detail: null,
          user_id: accounts.owner.id,
          username: "Owner_1",
          ip_address: address,
          request_id: expect.any(String),
        }),
      ]);
    },
  );

  test("keeps only hashes of tokens, and where the session was opened", async () => {
    const { tokens } = await accounts.signIn();
    const { rows } = await accounts.pool.query(
      "SELECT * FROM account_session ORDER BY created_at DESC, last_used_at LIMIT 100",
    );
    const kept = rows.find((row) => row.id === tokens.refresh_token.slice(0, 36));
    expect(kept).toMatchObject({ user_id: accounts.owner.id, user_agent: "Test/1", ended_at: null });
    expect(JSON.stringify(rows)).not.toContain(tokens.refresh_token.slice(37));
  });

  test.each([
    [{ username: "", password: "x" }, [["username", "Username is required"]]],
    [{ username: " \t", password: "x" }, [["username", "Username is required"]]],
    [{ username: "owner_1", password: "   " }, [["password", "Password is required"]]],
    [{ username: "owner_1" }, [["password", "Password is required"]]],
    [
      { username: null },
      [
        ["username", "Username is required"],
        ["password", "Password is required"],
      ],
    ],
    [
      {},
      [
        ["username", "Username is required"],
        ["password", "Password is required"],
      ],
    ],
    [{ username: 5, password: "x" }, [["username", "This value has the wrong type."]]],
    [{ username: "owner_1", password: "x".repeat(257) }, [["password", "At most 256 characters."]]],
  ])("%j is refused field by field", async (payload, faults) => {
    const before = { ...accounts.counts };
    const answer = await accounts.call({ method: "POST", url: "/api/users/login/", payload });
    expect(answer.statusCode).toBe(400);
    const envelope = errorEnvelope.parse(answer.json());
    expect(envelope).toMatchObject({ code: "validation_failed", message: "Validation failed", status: 400 });
    expect(envelope.errors.map(({ field, message }) => [field, message])).toEqual(faults);
    expect(accounts.counts).toEqual(before);
    expect(await accounts.takeAudit()).toEqual([]);
  });

  test("blank fields are named in Turkish for a Turkish request", async () => {
    const answer = await accounts.call({
      method: "POST",
      url: "/api/users/login/",
      headers: { "accept-language": "tr" },
      payload: {},
    });
    expect(errorEnvelope.parse(answer.json()).errors.map((fault) => fault.message)).toEqual([
      "Kullanıcı adı zorunludur",
      "Parola zorunludur",
    ]);
  });

  test("an unknown username and a wrong password can't be told apart", async () => {
    const before = { ...accounts.counts };
    const wrong = await accounts.logIn({ password: "Wrong-horse-1" });
    const unknown = await accounts.logIn({ username: "nobody_here", password: "Wrong-horse-1" });
    expect(accounts.counts).toEqual({ ...before, known: before.known + 1, unknown: before.unknown + 1 });
    expect(wrong.statusCode).toBe(401);
    expect(unknown.statusCode).toBe(401);
    const strip = (text: string) => ({ ...JSON.parse(text), request_id: "" });
    expect(strip(wrong.body)).toEqual(strip(unknown.body));
    expect(wrong.json()).toMatchObject({
      message: "Invalid username or password",
      code: "invalid_credentials",
    });
    const names = (headers: object) => Object.keys(headers).sort();
    expect(names(wrong.headers)).toEqual(names(unknown.headers));
    expect(await accounts.takeAudit()).toEqual([
      expect.objectContaining({ action_type: "LOGIN", detail: "failed_sign_in", user_id: accounts.owner.id }),
      expect.objectContaining({
        action_type: "LOGIN",
        detail: "failed_sign_in",
        user_id: null,
        username: null,
      }),
    ]);
  });

  test.each([
    ["NUL and half an emoji", "a\u0000b\ud83d", null],
    ["a long name", "y".repeat(254), null],
    ["SQL", "' OR 1=1 --", null],
    ["a password", "Hunter2!", null],
    ["a password with an @", "P@ssw0rd", null],
    ["an address", "ada@typed.example", "…@typed.example"],
  ])(
    "%s as a username is a plain wrong log-in, of which the log has no more than a domain",
    async (_what, username, audited) => {
      expect((await accounts.logIn({ username })).statusCode).toBe(401);
      expect(await accounts.takeAudit()).toEqual([
        expect.objectContaining({ detail: "failed_sign_in", username: audited, user_id: null }),
      ]);
    },
  );

  test("a suspended account can't sign in, and the answer doesn't say why", async () => {
    await accounts.pool.query("UPDATE account_user SET is_active = false");
    const answer = await accounts.logIn();
    await accounts.pool.query("UPDATE account_user SET is_active = true");
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ code: "invalid_credentials" });
    expect(await accounts.takeAudit()).toEqual([
      expect.objectContaining({ detail: "failed_sign_in", user_id: accounts.owner.id }),
    ]);
  });

  test("the sixth wrong password of an account waits wherever it comes from; the owner's browser goes on", async () => {
    const cookie = toCookieHeader(await accounts.logIn());
    const wrong = await Promise.all(
      Array.from({ length: 40 }, () => accounts.logIn({ password: "Wrong-horse-1" })),
    );
    const statuses = wrong.map((answer) => answer.statusCode).sort();
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(35).fill(429)]);
    const refused = await accounts.logIn();
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({
      code: "too_many_logins",
      message: "Too many login attempts. Please try again later.",
    });
    const waitS = Number(refused.headers["retry-after"]);
    expect(waitS).toBeGreaterThan(880);
    expect(waitS).toBeLessThanOrEqual(900);
    expect((await accounts.logIn({ cookie })).statusCode).toBe(200);
    const entries = await accounts.takeAudit();
    expect(entries.filter((entry) => entry.detail === "failed_sign_in")).toHaveLength(5);
    expect(entries.filter((entry) => entry.detail === "too_many_sign_ins")).toEqual([
      expect.objectContaining({ action_type: "LOGIN", user_id: accounts.owner.id }),
    ]);
    accounts.clock.now += HOUR_MS / 4;
    expect((await accounts.logIn()).statusCode).toBe(200);
  });

  test("thirty right log-ins at once from one address all pass", async () => {
    const address = accounts.takeAddress();
    const answers = await Promise.all(Array.from({ length: 30 }, () => accounts.logIn({ address })));
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(30).fill(200));
  });
});

describe("the signed-in person", () => {
  test("is answered in the request's language, with first and last name", async () => {
    const { tokens } = await accounts.signIn();
    await withTransaction(accounts.pool, async (db) => {
      await db.query("UPDATE account_user SET first_name = 'Işık', last_name = 'Şen'");
      await notifyChange(db, "accounts.user");
    });
    const answer = await waitFor(
      () => accounts.getMe(tokens.access_token, { "accept-language": "tr" }),
      (found) => found.json().display_name === "Işık Şen",
    );
    expect(answer.json()).toMatchObject({ access_level_name: "Süper kullanıcı", display_name: "Işık Şen" });
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  test.each([
    ["no header", {}, "not_authenticated"],
    ["another scheme", { authorization: "Basic b3duZXI6eA==" }, "not_authenticated"],
    ["nonsense", { authorization: "Bearer abc" }, "session_expired"],
  ])("%s is 401", async (_what, headers, code) => {
    const answer = await accounts.call({ url: "/api/users/me/", headers });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ code });
  });

  test("an access token expires after 15 minutes", async () => {
    const { tokens } = await accounts.signIn();
    accounts.clock.now += HOUR_MS / 4 - 1000;
    expect((await accounts.getMe(tokens.access_token)).statusCode).toBe(200);
    accounts.clock.now += 1000;
    expect((await accounts.getMe(tokens.access_token)).statusCode).toBe(401);
  });

  test("a refresh token is no access token, nor the other way round", async () => {
    const { tokens } = await accounts.signIn();
    expect((await accounts.getMe(tokens.refresh_token)).statusCode).toBe(401);
    expect((await accounts.refresh(tokens.access_token)).statusCode).toBe(401);
  });
});

describe("log-out", () => {
  test("ends the session for both of its tokens at once, and says so in the audit", async () => {
    const { tokens } = await accounts.signIn();
    const other = await accounts.signIn();
    expect((await accounts.getMe(tokens.access_token)).statusCode).toBe(200);
    await accounts.takeAudit();
    const answer = await accounts.signOut(tokens.refresh_token);
    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBe("");
    expect((await accounts.getMe(tokens.access_token)).statusCode).toBe(401);
    expect((await accounts.refresh(tokens.refresh_token)).statusCode).toBe(401);
    expect((await accounts.getMe(other.tokens.access_token)).statusCode).toBe(200);
    expect((await accounts.signOut(tokens.refresh_token)).statusCode).toBe(204);
    expect(await accounts.takeAudit()).toEqual([
      expect.objectContaining({ action_type: "LOGOUT", detail: null, user_id: accounts.owner.id }),
    ]);
  });

  test("an invented token ends nothing and is no fault", async () => {
    const { tokens } = await accounts.signIn();
    const invented = `${tokens.refresh_token.slice(0, 37)}${"A".repeat(64)}`;
    expect((await accounts.signOut(invented)).statusCode).toBe(204);
    expect((await accounts.getMe(tokens.access_token)).statusCode).toBe(200);
  });

  test("a body without a token is refused", async () => {
    const answer = await accounts.call({ method: "POST", url: "/api/users/logout/", payload: {} });
    expect(answer.statusCode).toBe(400);
  });
});

/** Asks again until the answer fits: a notice takes a moment from commit to this process. */
async function waitFor<Answer>(
  ask: () => Promise<Answer>,
  fits: (answer: Answer) => boolean,
): Promise<Answer> {
  let answer = await ask();
  await until(async () => {
    if (!fits(answer)) answer = await ask();
    return fits(answer);
  });
  return answer;
}
