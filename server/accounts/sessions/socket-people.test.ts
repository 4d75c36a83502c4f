import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { openChangeFeed } from "#server/db/change-feed.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { type AccountsFixture, openAccounts } from "../fixture.ts";
import { type AccountPeople, createPeople } from "./socket-people.ts";

type Heard = readonly number[] | undefined;

let accounts: AccountsFixture;
let people: AccountPeople;
let closeFeed: () => Promise<void>;
let count = 0;
const heard: Heard[] = [];
const queries: string[] = [];

beforeAll(async () => {
  accounts = await openAccounts();
  const feed = await openChangeFeed(accounts.database.connection, { warn: () => undefined });
  closeFeed = () => feed.close();
  const query = (text: string, values: unknown[]) => {
    queries.push(text);
    return accounts.pool.query(text, values);
  };
  const pool = { query } as never; // only `query` is used
  people = createPeople({ pool, feed, clock: () => accounts.clock.now });
  people.subscribe((userIds) => heard.push(userIds));
});
beforeEach(async () => {
  await settle();
  queries.length = 0;
});
afterAll(async () => {
  await closeFeed();
  await accounts.close();
});

/** What was told until now, in one list: everything before a last notice has arrived. */
async function settle(): Promise<Heard[]> {
  const last = 1_000_000 + ++count;
  // Together with one that concerns anybody it isn't named.
  while (!heard.some((userIds) => userIds?.includes(last))) {
    await notifyChange(accounts.pool, "accounts.user", toRowChange("updated", [last]));
    await setTimeout(20);
  }
  return heard.splice(0).map((userIds) => userIds?.filter((id) => id < 1_000_000));
}

const addPerson = (level = 1) => accounts.addAccount(`person_${++count}`, level);
const idOf = (refreshToken: string) => refreshToken.slice(0, 36);

async function signIn(level = 1) {
  const person = await addPerson(level);
  const { tokens } = await accounts.signIn(person.username);
  return { person, tokens, sessionId: idOf(tokens.refresh_token) };
}
type SignedInPerson = Awaited<ReturnType<typeof signIn>>;

const ways: [string, (who: SignedInPerson) => Promise<unknown>][] = [
  ["signing out", ({ tokens }) => accounts.signOut(tokens.refresh_token)],
  [
    "signing out everywhere",
    ({ tokens }) => accounts.send("DELETE", "/api/users/sessions/", { token: tokens.access_token }),
  ],
  [
    "ending one session",
    ({ tokens, sessionId }) =>
      accounts.send("DELETE", `/api/users/sessions/${sessionId}/`, { token: tokens.access_token }),
  ],
  [
    "a spent refresh token that comes back",
    async ({ tokens }) => {
      await accounts.refresh(tokens.refresh_token);
      accounts.clock.now += 60_000;
      await accounts.refresh(tokens.refresh_token);
    },
  ],
];

test.each(ways)("%s names whose session ended, and it is found no more", async (_way, end) => {
  const who = await signIn();
  const other = await signIn();
  await settle();
  expect([...(await people.find([who.sessionId])).keys()]).toEqual([who.sessionId]);
  await end(who);
  expect((await settle()).flat()).toEqual([who.person.id]);
  const found = await people.find([who.sessionId, other.sessionId]);
  expect([...found.keys()]).toEqual([other.sessionId]);
});

test("a changed password names its person, and leaves the session that changed it", async () => {
  const here = await signIn();
  const there = await accounts.signIn(here.person.username);
  await settle();
  const answer = await accounts.send("POST", "/api/users/password/", {
    token: here.tokens.access_token,
    payload: {
      current_password: here.person.password,
      new_password: "Another-horse-2",
      new_password_confirm: "Another-horse-2",
    },
  });
  expect(answer.statusCode).toBe(200);
  expect(new Set((await settle()).flat())).toEqual(new Set([here.person.id]));
  const found = await people.find([here.sessionId, idOf(there.tokens.refresh_token)]);
  expect([...found.keys()]).toEqual([here.sessionId]);
});

test("signing in and refreshing tell nobody", async () => {
  const { tokens } = await signIn();
  await accounts.refresh(tokens.refresh_token);
  expect((await settle()).flat()).toEqual([]);
});

test("any number of sessions is one query, with the level of now and without what ended, expired or is suspended", async () => {
  const [kept, ended, suspended] = [await signIn(1), await signIn(), await signIn()];
  await accounts.signOut(ended.tokens.refresh_token);
  await accounts.pool.query("UPDATE account_user SET is_active = false WHERE id = $1", [suspended.person.id]);
  await accounts.pool.query(
    "UPDATE account_user SET access_level_id = (SELECT id FROM access_level WHERE level = 10) WHERE id = $1",
    [kept.person.id],
  );
  queries.length = 0;
  const asked = [kept, ended, suspended].map(({ sessionId }) => sessionId);
  const found = await people.find([...asked, "00000000-0000-4000-8000-000000000000"]);
  expect(queries).toHaveLength(1);
  expect([...found.values()]).toEqual([
    {
      userId: kept.person.id,
      username: kept.person.username,
      level: 10,
      sessionId: kept.sessionId,
      ipAddress: null,
      requestId: null,
    },
  ]);
  accounts.clock.now += 400 * 86_400_000;
  expect((await people.find(asked)).size).toBe(0);
});

test("notices of one transaction are told once; one that names nobody concerns anybody", async () => {
  await withTransaction(accounts.pool, async (db) => {
    for (const id of [1, 2, 3]) await notifyChange(db, "accounts.session", toRowChange("deleted", [id]));
  });
  expect((await settle())[0]).toEqual([1, 2, 3]);
  await notifyChange(accounts.pool, "accounts.user");
  expect(await settle()).toContain(undefined);
  await notifyChange(accounts.pool, "accounts.access_level", toRowChange("updated", [1]));
  expect(await settle()).toContain(undefined);
  await notifyChange(accounts.pool, "accounts.access_level", toRowChange("created", [9]));
  await notifyChange(accounts.pool, "cv.certificate");
  expect((await settle()).flat()).toEqual([]);
});
