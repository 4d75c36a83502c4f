import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { notifyChange } from "#server/db/changes.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { type AccountsFixture, openAccounts } from "./fixture.ts";

let accounts: AccountsFixture;
beforeAll(async () => {
  accounts = await openAccounts();
});
afterAll(() => accounts.close());

async function change(statement: string): Promise<void> {
  await withTransaction(accounts.pool, async (db) => {
    await db.query(statement);
    await notifyChange(db, "accounts.user");
  });
}

/** Milliseconds until the token's answers fit. */
async function measureUntil(
  accessToken: string,
  fits: (status: number, level: unknown) => boolean,
): Promise<number> {
  const start = performance.now();
  for (;;) {
    const answer = await accounts.getMe(accessToken);
    if (fits(answer.statusCode, answer.json().access_level)) return performance.now() - start;
    if (performance.now() - start > 5000) throw new Error("the change never arrived");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("a suspended person is out within a second, a changed level counts as fast, both without a new token", async () => {
  const { tokens } = await accounts.signIn();
  expect((await accounts.getMe(tokens.access_token)).statusCode).toBe(200);

  await change("UPDATE account_user SET access_level_id = (SELECT id FROM access_level WHERE level = 1)");
  expect(await measureUntil(tokens.access_token, (_status, level) => level === 1)).toBeLessThan(1000);

  await change("UPDATE account_user SET is_active = false");
  expect(await measureUntil(tokens.access_token, (status) => status === 401)).toBeLessThan(1000);

  await change("UPDATE account_user SET is_active = true");
  expect(await measureUntil(tokens.access_token, (status) => status === 200)).toBeLessThan(1000);
});
