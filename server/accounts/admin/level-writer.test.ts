import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { type AccountsFixture, openAccounts } from "../fixture.ts";
import { createLevelWriter } from "./level-writer.ts";

let accounts: AccountsFixture;
let actor: { userId: number; username: string; level: number; ipAddress: null; requestId: null };

beforeAll(async () => {
  accounts = await openAccounts();
  const { id, username } = await accounts.addAccount("staff", 50);
  await accounts.addAccount("above", 500);
  actor = { userId: id, username, level: 50, ipAddress: null, requestId: null };
});
afterAll(() => accounts.close());

/** What the engine does with a writer, without the entry. Whoever the declaration lets in, the rules are the writer's. */
async function write<Answer>(
  work: (writer: ReturnType<typeof createLevelWriter>, db: Queryable) => Promise<Answer>,
): Promise<Answer | string[]> {
  const writer = createLevelWriter({
    accounts: accounts.deps,
    portraits: { delete: async () => undefined } as never, // a level has no pictures
    mail: { forgetPerson: async () => undefined },
    deleteForgottenMailFiles: async () => undefined,
  });
  return withTransaction(accounts.pool, (db) => work(writer, db)).catch((error: AppError) => [
    error.code,
    ...error.fields.map(({ code }) => code),
  ]);
}

const findId = async (level: number): Promise<number> => {
  const { rows } = await accounts.pool.query("SELECT id FROM access_level WHERE level = $1", [level]);
  return rows[0]?.id;
};

const name = { en: "Level", tr: "Düzey" };

test.each<[number, number | null, string[]]>([
  [51, null, ["permission_denied", "level_above_own"]],
  [500, 499, ["permission_denied"]],
  [500, 5, ["permission_denied"]],
])("a level-50 writes level %d as %j: %j", async (level, next, refusal) => {
  const id = next === null ? 0 : await findId(level);
  const answer = await write((writer, db) =>
    next === null
      ? writer.create(db, new Map<string, unknown>(Object.entries({ level, name })), actor)
      : writer.update(db, id, new Map([["level", next]]), actor),
  );
  expect(answer).toEqual(refusal);
});

test("a level is not raised above one's own, and one above it is not deleted", async () => {
  const made = await write((writer, db) =>
    writer.create(db, new Map<string, unknown>(Object.entries({ level: 40, name })), actor),
  );
  const { id } = made as { id: number };
  const raised = await write((writer, db) => writer.update(db, id, new Map([["level", 51]]), actor));
  expect(raised).toEqual(["permission_denied", "level_above_own"]);
  const above = await findId(500);
  expect(await write((writer, db) => writer.delete(db, above, actor))).toEqual(["permission_denied"]);
});

test("who was demoted since the call began writes no more", async () => {
  await accounts.pool.query("UPDATE account_user SET access_level_id = $2 WHERE id = $1", [
    actor.userId,
    await findId(1),
  ]);
  const answer = await write((writer, db) =>
    writer.create(db, new Map<string, unknown>(Object.entries({ level: 45, name })), actor),
  );
  expect(answer).toEqual(["permission_denied", "level_above_own"]);
});
