import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createTestApp, type TestApp } from "#test/app.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { QUICK_PASSWORDS } from "#test/quick-passwords.ts";
import { createSuperuser } from "./owners.ts";
import { createPasswordRules } from "./passwords/password-rules.ts";
import { openSetupLink, type SetupLink } from "./setup-link.ts";
import { PASSWORD } from "./test-registration.ts";

const HOUR_MS = 60 * 60 * 1000;
const log = { warn: () => undefined };

/** Two processes on one database, with data folders of their own, and the link that each has printed. */
let database: TestDatabase;
let sites: [TestApp, TestApp];
let links: [SetupLink, SetupLink];
let clock: number;
/** What renews each process's link. */
let renewals: (() => Promise<void>)[];
beforeEach(async () => {
  database = await createTestDatabase();
  clock = Date.parse("2026-05-01T10:00:00Z");
  renewals = [];
  const open = () =>
    createTestApp({ database: { ...database, close: async () => undefined }, now: () => new Date(clock) });
  sites = [await open(), await open()];
  links = [await openLink(), await openLink()];
});
afterEach(async () => {
  for (const site of sites) await site.close();
  await database.close();
});

const openLink = () =>
  openSetupLink({
    pool: database.pool,
    now: () => new Date(clock),
    log,
    every(_, work) {
      renewals.push(work);
      return () => void renewals.splice(renewals.indexOf(work), 1);
    },
  });

async function setUp(site: TestApp, { token }: SetupLink, username = "owner"): Promise<string | number> {
  const answer = await site.app.inject({
    method: "POST",
    url: "/api/users/setup/",
    payload: {
      token,
      username,
      email: `${username}@example.org`,
      password: PASSWORD,
      password_confirm: PASSWORD,
    },
  });
  return answer.statusCode === 200 ? 200 : answer.json().code;
}

test("the link of one process makes the owner at the other, and the one of the other goes on until then", async () => {
  expect(links[0].token).toMatch(/^[\w-]{43}$/);
  expect(links[0].token).not.toBe(links[1].token);
  expect(await setUp(sites[0], links[1])).toBe(200);
  expect(await setUp(sites[1], links[0], "second")).toBe("setup_closed");
  // Every link is spent: also where the owner is gone.
  await database.pool.query("DELETE FROM account_user");
  expect(await setUp(sites[1], links[0], "second")).toBe("setup_link_invalid");
  await Promise.all(renewals.map((renew) => renew()));
  expect(await setUp(sites[1], links[0], "second")).toBe("setup_link_invalid");
});

test("of two owners at once, each at a process of their own and with a link of their own, there is one", async () => {
  const answers = await Promise.all([
    setUp(sites[0], links[0], "one"),
    setUp(sites[1], links[1], "two"),
    setUp(sites[0], links[1], "three"),
    setUp(sites[1], links[0], "four"),
  ]);
  expect(answers.filter((answer) => answer === 200)).toHaveLength(1);
  expect((await database.pool.query("SELECT FROM account_user")).rowCount).toBe(1);
});

test("a process that stops takes its link along, and no other one's", async () => {
  await links[0].close();
  expect(await setUp(sites[1], links[0])).toBe("setup_link_invalid");
  expect(await setUp(sites[0], links[1])).toBe(200);
});

test("the link of a process that was killed ends within a day, that of one that runs never", async () => {
  const [, renewOther] = renewals;
  for (let hours = 0; hours < 24; hours += 6) {
    clock += 6 * HOUR_MS;
    await renewOther?.();
  }
  expect(await setUp(sites[0], links[0])).toBe("setup_link_invalid");
  expect(await setUp(sites[0], links[1])).toBe(200);
});

test("an owner who is made by the command ends the links, and a start with an owner makes none", async () => {
  const passwordRules = createPasswordRules({ log });
  const deps = { pool: database.pool, passwords: QUICK_PASSWORDS, passwordRules };
  await createSuperuser(deps, { username: "owner", email: "owner@example.org", password: PASSWORD });
  expect((await database.pool.query("SELECT FROM setup_link")).rowCount).toBe(0);
  expect((await openLink()).token).toBeUndefined();
});

test("a database that can't be read stops no start", async () => {
  await database.pool.query("ALTER TABLE setup_link RENAME TO damaged");
  const link = await openLink();
  expect(link.token).toBeUndefined();
  await link.close();
});

test("tokens of links are long and never the same", () => {
  const tokens = links.map(({ token }) => token ?? "");
  for (const token of tokens) expect(Buffer.from(token, "base64url")).toHaveLength(32);
  expect(new Set(tokens).size).toBe(2);
});
