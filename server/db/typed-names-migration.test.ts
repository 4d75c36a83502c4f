import { expect, test } from "@jest/globals";
import { asLogOwner, createTestDatabase } from "#test/database.ts";
import { readMigrations } from "./migrate.ts";

test("names typed at failed log-ins leave the log of an older version; people, domains and pseudonyms stay", async () => {
  const database = await createTestDatabase();
  const { pool } = database;
  const insert = (userId: number | null, action: string, username: string) =>
    pool.query("INSERT INTO audit_entry (user_id, action_type, username) VALUES ($1, $2, $3)", [
      userId,
      action,
      username,
    ]);
  await insert(null, "LOGIN", "Hunter2!");
  await insert(null, "LOGIN", "…@ssw0rd");
  await insert(null, "LOGIN", "…@typed.example");
  await insert(null, "LOGIN", "deleted account 12");
  await insert(5, "LOGIN", "ada");
  await insert(null, "UPDATE", "system");
  const cleans = readMigrations()
    .flatMap(({ statements }) => statements)
    .filter((statement) => /UPDATE "audit_entry" SET "username" = NULL/.test(statement));
  expect(cleans).toHaveLength(1);
  for (const statement of cleans) await asLogOwner(pool, statement);
  const { rows } = await pool.query("SELECT username FROM audit_entry ORDER BY id");
  expect(rows.map(({ username }) => username)).toEqual([
    null,
    null,
    "…@typed.example",
    "deleted account 12",
    "ada",
    "system",
  ]);
  await database.close();
});
