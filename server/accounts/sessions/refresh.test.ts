import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { type LoginAnswer, refreshAnswer } from "#contract/accounts/accounts.ts";
import { asLogOwner } from "#test/database.ts";
import { meetAtLock } from "#test/meet-at-lock.ts";
import { type AccountsFixture, openAccounts } from "../fixture.ts";
import { createRefreshTokens } from "../tokens/refresh-token.ts";

let accounts: AccountsFixture;
beforeAll(async () => {
  accounts = await openAccounts();
});
afterAll(() => accounts.close());
beforeEach(async () => {
  await accounts.takeAudit();
});

type Tokens = LoginAnswer["tokens"];

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;

async function requireRefresh(token: string): Promise<{ access: string; refresh: string }> {
  const answer = await accounts.refresh(token);
  expect(answer.statusCode).toBe(200);
  const { access, refresh = "" } = refreshAnswer.parse(answer.json());
  return { access, refresh };
}

async function readSession(token: string) {
  const { rows } = await accounts.pool.query("SELECT * FROM account_session WHERE id = $1", [
    token.slice(0, 36),
  ]);
  return rows[0];
}

test("a refresh answers a new pair, and both are good", async () => {
  const { tokens } = await accounts.signIn();
  await accounts.takeAudit();
  const answer = await accounts.refresh(tokens.refresh_token);
  expect(answer.headers["cache-control"]).toBe("no-store");
  const next = await requireRefresh(tokens.refresh_token);
  expect(next.refresh).not.toBe(tokens.refresh_token);
  expect((await accounts.getMe(next.access)).statusCode).toBe(200);
  accounts.clock.now += 31 * SECOND_MS;
  const third = await requireRefresh(next.refresh);
  expect(new Set([tokens.refresh_token, next.refresh, third.refresh]).size).toBe(3);
  expect(await accounts.takeAudit()).toEqual([]);
});

test("ten refreshes at once with one token all answer the same successor, which is good", async () => {
  const { tokens } = await accounts.signIn();
  const answers = await Promise.all(Array.from({ length: 10 }, () => requireRefresh(tokens.refresh_token)));
  const successors = new Set(answers.map((answer) => answer.refresh));
  expect(successors.size).toBe(1);
  accounts.clock.now += 15 * 60 * SECOND_MS;
  for (const token of successors) await requireRefresh(token);
  expect((await readSession(tokens.refresh_token)).ended_at).toBeNull();
});

test("a page that lost the answer is given it again for 30 s", async () => {
  const { tokens } = await accounts.signIn();
  const lost = await requireRefresh(tokens.refresh_token);
  accounts.clock.now += 29 * SECOND_MS;
  expect((await requireRefresh(tokens.refresh_token)).refresh).toBe(lost.refresh);
});

test("reloads in quick succession rotate once in 30 s, so that a late one is no theft", async () => {
  const { tokens } = await accounts.signIn();
  const first = await requireRefresh(tokens.refresh_token);
  accounts.clock.now += 5 * SECOND_MS;
  expect((await requireRefresh(first.refresh)).refresh).toBe(first.refresh);
  accounts.clock.now += 5 * SECOND_MS;
  expect((await requireRefresh(tokens.refresh_token)).refresh).toBe(first.refresh);
});

test.each([
  ["the one before", 1],
  ["one from long ago", 4],
])("reuse of %s after 30 s ends the session for everybody", async (_what, generations) => {
  const { tokens } = await accounts.signIn();
  let current = { access: tokens.access_token, refresh: tokens.refresh_token };
  for (let count = 0; count < generations; count++) {
    current = await requireRefresh(current.refresh);
    accounts.clock.now += 31 * SECOND_MS;
  }
  expect((await accounts.getMe(current.access)).statusCode).toBe(200);
  await accounts.takeAudit();
  const replay = await accounts.refresh(tokens.refresh_token);
  expect(replay.statusCode).toBe(401);
  expect(replay.json()).toMatchObject({
    code: "invalid_refresh_token",
    message: "Your session has expired. Please log in again.",
  });
  expect(await accounts.takeAudit()).toEqual([
    expect.objectContaining({ action_type: "LOGOUT", detail: "token_reuse", user_id: accounts.owner.id }),
  ]);
  expect(accounts.warnings.at(-1)).toMatchObject({ userId: accounts.owner.id });
  expect(JSON.stringify(accounts.warnings)).not.toContain(tokens.refresh_token.slice(0, 36));
  expect((await accounts.refresh(current.refresh)).statusCode).toBe(401);
  expect((await accounts.getMe(current.access)).statusCode).toBe(401);
  expect(await readSession(tokens.refresh_token)).toMatchObject({ end_reason: "token_reuse" });
  expect(await accounts.takeAudit()).toEqual([]);
});

test("an invented token for a living session is refused and ends nothing", async () => {
  const { tokens } = await accounts.signIn();
  const sessionId = tokens.refresh_token.slice(0, 36);
  const stranger = createRefreshTokens([{ kid: "x", secret: Buffer.alloc(32, 7) }]);
  const flipped = tokens.refresh_token.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  for (const token of [
    stranger.issue(sessionId).text,
    flipped,
    `${sessionId}.`,
    "",
    "nonsense",
    "x".repeat(512),
  ]) {
    expect([400, 401]).toContain((await accounts.refresh(token)).statusCode);
  }
  expect((await accounts.getMe(tokens.access_token)).statusCode).toBe(200);
  expect(await accounts.takeAudit()).toEqual([expect.objectContaining({ action_type: "LOGIN" })]);
});

test("a suspended account gets no new tokens", async () => {
  const { tokens } = await accounts.signIn();
  await accounts.pool.query("UPDATE account_user SET is_active = false");
  const answer = await accounts.refresh(tokens.refresh_token);
  await accounts.pool.query("UPDATE account_user SET is_active = true");
  expect(answer.statusCode).toBe(401);
});

test("a rotation and its audit entry are undone together with a transaction that fails", async () => {
  const { tokens } = await accounts.signIn();
  await requireRefresh(tokens.refresh_token);
  accounts.clock.now += 31 * SECOND_MS;
  await asLogOwner(accounts.pool, "ALTER TABLE audit_entry RENAME TO audit_entry_away");
  const failed = await accounts.refresh(tokens.refresh_token);
  await asLogOwner(accounts.pool, "ALTER TABLE audit_entry_away RENAME TO audit_entry");
  expect(failed.statusCode).toBe(500);
  expect((await readSession(tokens.refresh_token)).ended_at).toBeNull();
});

const HOUR_MS = 3_600_000;

test("a session is over 30 days after its log-in, however often it was renewed, and says why", async () => {
  const person = await accounts.addAccount("aged");
  let { access, refresh } = await signInTo(person.username);
  for (let day = 1; day < 30; day++) {
    accounts.clock.now += DAY_MS;
    ({ access, refresh } = await requireRefresh(refresh));
  }
  accounts.clock.now += DAY_MS - 1;
  expect((await accounts.refresh(refresh)).statusCode).toBe(200);
  ({ access, refresh } = await requireRefresh(refresh));
  accounts.clock.now += 1;
  expect((await accounts.getMe(access)).statusCode).toBe(401);
  const late = await accounts.refresh(refresh);
  expect(late.json()).toMatchObject({
    status: 401,
    code: "session_aged",
    message: "This session ended because your last log-in is 30 days ago. Please log in again.",
  });
});

test("one of before is held to it too", async () => {
  const person = await accounts.addAccount("older");
  const { refresh } = await signInTo(person.username);
  await accounts.pool.query(
    "UPDATE account_session SET created_at = created_at - interval '40 days' WHERE user_id = $1",
    [person.id],
  );
  expect((await accounts.refresh(refresh)).json()).toMatchObject({ code: "session_aged" });
});

test.each([
  [10, 12 * HOUR_MS - 1, 200],
  [10, 12 * HOUR_MS, 401],
  [999, 12 * HOUR_MS, 401],
  [9, 29 * DAY_MS, 200],
])("of level %d it is good without use after %d ms: %d", async (level, unusedMs, status) => {
  const person = await accounts.addAccount(`idle_${level}_${unusedMs}`, level);
  const { access, refresh } = await signInTo(person.username);
  accounts.clock.now += unusedMs;
  const answer = await accounts.refresh(refresh);
  expect(answer.statusCode).toBe(status);
  if (status === 200) return;
  expect(answer.json()).toMatchObject({ code: "session_unused" });
  expect(answer.json().message).toContain("12 hours");
  expect((await accounts.getMe(access)).statusCode).toBe(401);
});

async function signInTo(username: string) {
  const { tokens } = await accounts.signIn(username);
  return { access: tokens.access_token, refresh: tokens.refresh_token };
}

test.each([
  ["shows a spent token", 401, (tokens: Tokens) => accounts.refresh(tokens.refresh_token)],
  ["signs out", 204, (tokens: Tokens) => accounts.signOut(tokens.refresh_token)],
  [
    "ends a session",
    204,
    ({ access_token: token, refresh_token }: Tokens) =>
      accounts.send("DELETE", `/api/users/sessions/${refresh_token.slice(0, 36)}/`, { token }),
  ],
])("who %s holds nothing that whoever changes the account takes next", async (what, status, call) => {
  const person = await accounts.addAccount(`waiting_${what.replaceAll(" ", "_")}`);
  const { tokens } = await accounts.signIn(person.username);
  await requireRefresh(tokens.refresh_token);
  accounts.clock.now += 31 * SECOND_MS;
  const { answers, waited } = await meetAtLock(
    accounts.pool,
    (db) => db.query("SELECT FROM account_user WHERE id = $1 FOR UPDATE", [person.id]),
    [() => call(tokens)],
    (db) => db.query("SELECT FROM account_session WHERE user_id = $1 FOR UPDATE NOWAIT", [person.id]),
  );
  expect(waited).toBe(1);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([status]);
});
