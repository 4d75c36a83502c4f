import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTestApp, type TestApp } from "#test/app.ts";
import { createStaffChecks } from "./staff.ts";

let site: TestApp;
beforeAll(async () => {
  site = await createTestApp();
  for (const level of [999, 10, 5]) await site.signInAs(level);
  await site.signInAs(10, "suspended");
  await site.signInAs(10, "unproven");
  await site.database.pool.query(
    `UPDATE account_user SET is_email_verified = username <> 'unproven', is_active = username <> 'suspended',
       admin_language = CASE username WHEN 'level_999' THEN 'tr' END`,
  );
});
afterAll(() => site.close());

const list = async (ownerEmail?: string) =>
  (await createStaffChecks(ownerEmail).listStaff(site.database.pool)).map(
    ({ email, language, userId }) => `${email} ${language} ${userId === null ? "nobody" : "account"}`,
  );

const STAFF = ["level_999@example.org tr account", "level_10@example.org en account"];

test("staff are active people with access to the console who have proven their address", async () => {
  expect(await list()).toEqual(STAFF);
});

test("the owner's address comes first, and once where it is an account's", async () => {
  expect(await list("post@foyer.example")).toEqual(["post@foyer.example tr nobody", ...STAFF]);
  expect(await list("Level_10@Example.org")).toEqual(STAFF);
});
