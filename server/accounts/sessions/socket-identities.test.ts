import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { openChangeFeed } from "#server/db/change-feed.ts";
import { notifyChange, type RowChange, toRowChange } from "#server/db/change-notices.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { orHang } from "#test/until.ts";
import { type AccountsFixture, openAccounts } from "../fixture.ts";
import { type AccountIdentities, createIdentities } from "./socket-identities.ts";
import { toSessionRules } from "./store.ts";

describe("socket people", () => {
  type Received = readonly number[] | undefined;

  let accounts: AccountsFixture;
  let identities: AccountIdentities;
  let closeFeed: () => Promise<void>;
  let count = 0;
  const received: Received[] = [];
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
    identities = createIdentities({ pool, feed, clock: () => accounts.clock.now, rules: toSessionRules({}) });
    identities.subscribe((userIds) => received.push(userIds));
  });
  beforeEach(async () => {
    await settle();
    queries.length = 0;
  });
  afterAll(async () => {
    await closeFeed();
    await accounts.close();
  });

  /** What was published until now, in one list: everything before a last notice has arrived. */
  async function settle(): Promise<Received[]> {
    const last = 1_000_000 + ++count;
    // Together with one that concerns anybody it isn't named.
    while (!received.some((userIds) => userIds?.includes(last))) {
      await notifyChange(accounts.pool, "accounts.user", toRowChange("updated", [last]));
      await setTimeout(20);
    }
    return received.splice(0).map((userIds) => userIds?.filter((id) => id < 1_000_000));
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
    expect([...(await identities.find([who.sessionId])).keys()]).toEqual([who.sessionId]);
    await end(who);
    expect((await settle()).flat()).toEqual([who.person.id]);
    const found = await identities.find([who.sessionId, other.sessionId]);
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
    const found = await identities.find([here.sessionId, idOf(there.tokens.refresh_token)]);
    expect([...found.keys()]).toEqual([here.sessionId]);
  });

  test("signing in and refreshing notify nobody", async () => {
    const { tokens } = await signIn();
    await accounts.refresh(tokens.refresh_token);
    expect((await settle()).flat()).toEqual([]);
  });

  test("any number of sessions is one query, with the level of now and without what ended, expired or is suspended", async () => {
    const [kept, ended, suspended] = [await signIn(1), await signIn(), await signIn()];
    await accounts.signOut(ended.tokens.refresh_token);
    await accounts.pool.query("UPDATE account_user SET is_active = false WHERE id = $1", [
      suspended.person.id,
    ]);
    await accounts.pool.query(
      "UPDATE account_user SET access_level_id = (SELECT id FROM access_level WHERE level = 10) WHERE id = $1",
      [kept.person.id],
    );
    queries.length = 0;
    const asked = [kept, ended, suspended].map(({ sessionId }) => sessionId);
    const found = await identities.find([...asked, "00000000-0000-4000-8000-000000000000"]);
    expect(queries).toHaveLength(1);
    expect([...found.values()]).toEqual([
      {
        userId: kept.person.id,
        username: kept.person.username,
        level: 10,
        sessionId: kept.sessionId,
        ipAddress: null,
        requestId: null,
        confirmedAt: expect.any(Number),
      },
    ]);
    accounts.clock.now += 400 * 86_400_000;
    expect((await identities.find(asked)).size).toBe(0);
  });

  test("who owes a second factor whose time is over has a user's level on sockets too", async () => {
    const staff = await signIn(10);
    const identities = createIdentities({
      pool: accounts.pool,
      feed: accounts.feed,
      clock: () => accounts.clock.now,
      rules: toSessionRules({}),
      factorLevel: 10,
    });
    const findLevel = async () => (await identities.find([staff.sessionId])).get(staff.sessionId)?.level;
    const setDue = (at: number) =>
      accounts.pool.query("UPDATE account_user SET second_factor_due_at = $2 WHERE id = $1", [
        staff.person.id,
        new Date(at).toISOString(),
      ]);
    await setDue(accounts.clock.now + 1000);
    expect(await findLevel()).toBe(10);
    await setDue(accounts.clock.now - 1000);
    expect(await findLevel()).toBe(1);
  });

  test("notices of one transaction are published once; one that names nobody concerns anybody", async () => {
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
});

describe("people settled", () => {
  /** People whose look-ups end when the test says so. */
  function openIdentities() {
    let receive = (_modelKey: string, _change: RowChange) => {};
    const queries: PromiseWithResolvers<{ rows: [] }>[] = [];
    const query = () => {
      const asked = Promise.withResolvers<{ rows: [] }>();
      queries.push(asked);
      return asked.promise;
    };
    const identities = createIdentities({
      rules: toSessionRules({}),
      pool: { query } as never, // only `query` is used
      feed: {
        subscribe: () => undefined,
        subscribeRows: (listener) => {
          receive = listener;
        },
      },
      clock: () => 0,
    });
    /** Looks as open sockets do: one at a time, and once more for what was noticed meanwhile. */
    let isLooking = false;
    let isAsked = false;
    const look = async () => {
      isAsked = true;
      if (isLooking) return;
      isLooking = true;
      while (isAsked) {
        isAsked = false;
        await identities.find(["a session"]).catch(() => undefined);
      }
      isLooking = false;
    };
    return {
      identities,
      queries,
      look,
      notice: () => receive("accounts.user", toRowChange("updated", [1])),
      answer: (index: number) => queries[index]?.resolve({ rows: [] }),
      fail: (index: number) => queries[index]?.reject(new Error("a lock")),
    };
  }

  /** What a promise has come to after a while; undefined while it waits. */
  const peek = async <Value>(promise: Promise<Value>) =>
    Promise.race([promise, setTimeout(20).then(() => undefined)]);

  test("who waits for people waits for the look under way and for the one behind it, which takes what was noticed meanwhile", async () => {
    const { identities, queries, look, notice, answer } = openIdentities();
    identities.subscribe(look);
    notice();
    await setTimeout(1);
    notice();
    const settled = identities.settled();
    expect(await peek(settled)).toBeUndefined();
    answer(0);
    expect(await peek(settled)).toBeUndefined();
    expect(queries).toHaveLength(2);
    answer(1);
    expect(await settled).toBe(true);
  });

  test("notices that never end keep nobody waiting", async () => {
    const { identities, queries, look, notice, answer } = openIdentities();
    identities.subscribe(look);
    let isOver = false;
    const write = async () => {
      for (let index = 0; !isOver; ) {
        notice();
        await setTimeout(1);
        // Noticed while it is looked: another look follows at once.
        notice();
        await setTimeout(1);
        while (index < queries.length) answer(index++);
      }
    };
    const writing = write();
    await setTimeout(10);
    const outcome = await orHang(identities.settled());
    isOver = true;
    await writing;
    expect(outcome).toBe(true);
  });

  test("when people can't be looked up it says so, and until a look has succeeded", async () => {
    const { identities, queries, look, notice, answer, fail } = openIdentities();
    const received: unknown[] = [];
    identities.subscribe((userIds) => {
      received.push(userIds);
      void look();
    });
    notice();
    const failed = identities.settled();
    await setTimeout(1);
    fail(0);
    expect(await failed).toBe(false);
    const again = identities.settled();
    await setTimeout(1);
    expect(received).toEqual([[1], undefined]);
    fail(1);
    expect(await again).toBe(false);
    const last = identities.settled();
    await setTimeout(1);
    expect(queries).toHaveLength(3);
    answer(2);
    expect(await last).toBe(true);
  });

  test("a failure that concerned people who are gone by now holds nobody up", async () => {
    const { identities, look, notice, fail } = openIdentities();
    let isConnected = true;
    identities.subscribe(() => void (isConnected && look()));
    notice();
    await setTimeout(1);
    isConnected = false;
    fail(0);
    expect(await identities.settled()).toBe(false);
    expect(await identities.settled()).toBe(true);
  });
});
