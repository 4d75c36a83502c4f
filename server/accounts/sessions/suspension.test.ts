import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { notifyChange } from "#server/db/change-notices.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { type AccountsFixture, openAccounts } from "../fixture.ts";

let accounts: AccountsFixture;
beforeAll(async () => {
  accounts = await openAccounts();
});
afterAll(() => accounts.close());

/** Resolves when the notice is here. Everybody in this process has been notified before the test. */
async function change(statement: string): Promise<void> {
  const received = new Promise<void>((resolve) =>
    accounts.feed.subscribe((modelKey) => modelKey === "accounts.user" && resolve()),
  );
  await withTransaction(accounts.pool, async (db) => {
    await db.query(statement);
    await notifyChange(db, "accounts.user");
  });
  await received;
}

test("a suspended person is out with the notice, a changed level counts with it, both without a new token", async () => {
  const { tokens } = await accounts.signIn();
  const getMe = () => accounts.getMe(tokens.access_token);
  expect((await getMe()).statusCode).toBe(200);

  await change("UPDATE account_user SET access_level_id = (SELECT id FROM access_level WHERE level = 1)");
  expect((await getMe()).json().access_level).toBe(1);

  await change("UPDATE account_user SET is_active = false");
  expect((await getMe()).statusCode).toBe(401);

  await change("UPDATE account_user SET is_active = true");
  expect((await getMe()).statusCode).toBe(200);
});
