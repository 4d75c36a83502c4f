import { expect, test } from "@jest/globals";
import { getTableName } from "drizzle-orm";
import { DECLARED } from "#server/models/declared/all.ts";
import { createTestDatabase } from "#test/database.ts";
import { findTableName } from "./dependents.ts";
import { selectReferences } from "./dependents-store.ts";

test("what a deletion takes along has a name in both languages, also where its table is no model's", async () => {
  const database = await createTestDatabase();
  const references = await selectReferences(database.pool);
  await database.close();
  const ofModels = DECLARED.flatMap(({ table, fields }) => [
    getTableName(table),
    ...Object.values(fields).flatMap(({ through }) => through?.table ?? []),
  ]);
  const others = references.map(({ table }) => table).filter((table) => !ofModels.includes(table));
  expect(others).toContain("account_session");
  for (const lang of ["en", "tr"] as const)
    expect(others.filter((table) => findTableName(table, lang) === undefined)).toEqual([]);
});
