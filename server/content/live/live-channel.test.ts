import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { toLiveTopic } from "#contract/content/objects.ts";
import { notifyChange, sendNotices, toNotice, toRowChange } from "#server/db/change-notices.ts";
import type { TestPerson } from "#test/app.ts";
import { openSocketClient, type SocketClient } from "#test/socket-client.ts";
import { until } from "#test/until.ts";
import { HIDDEN_ROW, HIDDEN_VALUE, SECRET_VALUE, VAULT_SQL, vault } from "#test/vault.ts";
import { type ContentSite, openContentSite } from "../fixture.ts";

const VAULT = toLiveTopic("test.vault");
/** Longer than the gap between two events of a model. */
const QUIET_MS = 300;

let content: ContentSite;
let url: string;
const people = new Map<number, TestPerson>();
const clients: SocketClient[] = [];

beforeAll(async () => {
  content = await openContentSite([vault], VAULT_SQL);
  const origin = await content.site.listen();
  url = `${origin.replace("http", "ws")}/socket/websocket?vsn=2.0.0`;
  for (const level of [0, 1, 5, 10]) people.set(level, await content.site.signInAs(level));
  people.set(999, await content.site.signInAs(999, "second_owner"));
});
afterEach(async () => {
  const closing = clients.splice(0);
  for (const client of closing) client.close();
  await Promise.all(closing.map((client) => client.waitForClose()));
});
afterAll(() => content.site.close());

async function connect(person: TestPerson): Promise<SocketClient> {
  const client = await openSocketClient(`${url}&token=${person.accessToken}`);
  clients.push(client);
  return client;
}

function requirePerson(level: number): TestPerson {
  const person = people.get(level);
  if (!person) throw new Error(`Nobody has level ${level}.`);
  return person;
}

async function setLevel(person: TestPerson, level: number): Promise<void> {
  const { status } = await content.call("PATCH", `/api/users/${person.userId}/`, {
    body: { access_level: level },
  });
  expect(status).toBe(200);
}

const write = (id: number, body: object) =>
  content.call("PATCH", content.objects("vault", `${id}/`), { body });
const toEvents = (client: SocketClient) =>
  client.frames.filter(([, , , event]) => event === "changed").map(([, , , , payload]) => payload);

test.each([
  [0, "unauthorized", "unauthorized"],
  [1, "unauthorized", "unauthorized"],
  [5, "unauthorized", "unauthorized"],
  [10, "ok", "ok"],
  [999, "ok", "ok"],
])(
  "level %i that joins the topics of a model and of people is answered %s and %s",
  async (level, first, second) => {
    const client = await connect(requirePerson(level));
    expect(await client.join(VAULT)).toBe(first);
    expect(await client.join(toLiveTopic("accounts.user"))).toBe(second);
    expect(await client.join(toLiveTopic("test.nothing"))).toBe("unauthorized");
  },
);

test("a model that one may not see and one that doesn't exist are refused with the same words", async () => {
  const client = await connect(requirePerson(5));
  await client.join(VAULT);
  await client.join(toLiveTopic("test.nothing"));
  const [hidden, absent] = client.frames.map(([, , , event, payload]) => [event, payload]);
  expect(hidden).toEqual(absent);
});

test("a write reaches those who may read the row with its id alone, and the others without a number or a value", async () => {
  const staff = await connect(requirePerson(10));
  const owner = await connect(requirePerson(999));
  const user = await connect(requirePerson(1));
  for (const client of [staff, owner, user]) await client.join(VAULT);
  const changes = [
    [1, { title: "Open again" }, { ids: [1], is_many: false }],
    [1, { code: HIDDEN_VALUE }, { ids: [1], is_many: false }],
    [2, { title: HIDDEN_ROW }, { ids: [], is_many: true }],
    [2, { pin: SECRET_VALUE }, { ids: [], is_many: true }],
  ] as const;
  for (const [index, [id, body, seen]] of changes.entries()) {
    expect((await write(id, { ...body, title: `${HIDDEN_ROW} ${index}` })).status).toBe(200);
    await owner.take("changed", index + 1);
    await staff.take("changed", index + 1);
    expect(toEvents(owner).at(-1)).toMatchObject({ type: "updated", ids: [id], is_many: false });
    expect(toEvents(staff).at(-1)).toEqual({
      type: "updated",
      content_type_id: expect.any(Number),
      ...seen,
    });
    await setTimeout(QUIET_MS);
  }
  expect(toEvents(user)).toEqual([]);
  for (const client of [staff, owner])
    for (const secret of [HIDDEN_ROW, HIDDEN_VALUE, SECRET_VALUE])
      expect(JSON.stringify(client.frames)).not.toContain(secret);
});

test("rows that are made and deleted are published with their type, but not of rows that one doesn't meet", async () => {
  const staff = await connect(requirePerson(10));
  const owner = await connect(requirePerson(999));
  for (const client of [staff, owner]) await client.join(VAULT);
  const { body } = await content.call("POST", content.objects("vault"), {
    body: { title: "x", is_open: false },
  });
  const [event] = await owner.take("changed");
  expect(event?.[4]).toMatchObject({ type: "created", ids: [body.id] });
  await setTimeout(QUIET_MS);
  expect(toEvents(staff)).toEqual([]);
  await content.call("DELETE", content.objects("vault", `${body.id}/`));
  await owner.take("changed", 2);
  expect(toEvents(owner).at(-1)).toMatchObject({ type: "deleted", ids: [body.id] });
  await staff.take("changed");
  expect(toEvents(staff)).toEqual([
    { type: "updated", content_type_id: expect.any(Number), ids: [], is_many: true },
  ]);
});

test("who loses the right is put out of the topic, and receives nothing of what is written right after", async () => {
  const person = await content.site.signInAs(10, "falling");
  const client = await connect(person);
  expect(await client.join(VAULT)).toBe("ok");
  await setLevel(person, 1);
  await write(1, { title: "After" });
  const [close] = await client.take("phx_close");
  expect(close?.slice(0, 3)).toEqual(["1", "1", VAULT]);
  await setTimeout(QUIET_MS);
  expect(toEvents(client)).toEqual([]);
  expect(client.closeCode).toBeUndefined();
  expect(await client.join(VAULT)).toBe("unauthorized");
});

test("a new level counts on the open socket, and closes only what may no longer be seen", async () => {
  const person = await content.site.signInAs(10, "rising");
  const client = await connect(person);
  expect(await client.join(VAULT)).toBe("ok");
  await setLevel(person, 999);
  await setTimeout(QUIET_MS);
  await write(2, { title: "Only for owners" });
  await client.take("changed");
  expect(toEvents(client)).toEqual([expect.objectContaining({ ids: [2], is_many: false })]);
  await setLevel(person, 10);
  await setTimeout(QUIET_MS);
  await write(2, { title: "Only for owners again" });
  await client.take("changed", 2);
  expect(toEvents(client).at(-1)).toMatchObject({ ids: [], is_many: true });
  expect(client.frames.filter(([, , , event]) => event === "phx_close")).toEqual([]);
  expect(client.closeCode).toBeUndefined();
});

test("who is lowered while sessions can't be read receives nothing; the others receive it when they can be", async () => {
  const { pool } = content.site.database;
  const person = await content.site.signInAs(10, "lowered");
  const client = await connect(person);
  const owner = await connect(requirePerson(999));
  for (const one of [client, owner]) expect(await one.join(VAULT)).toBe("ok");
  const holder = await pool.connect();
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE account_session");
  await pool.query(
    "UPDATE account_user SET access_level_id = (SELECT id FROM access_level WHERE level = 1) WHERE id = $1",
    [person.userId],
  );
  await notifyChange(pool, "accounts.user", toRowChange("updated", [person.userId]));
  // As a time limit would.
  const cancelLook = () =>
    pool.query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%account_session%'`,
    );
  while ((await cancelLook()).rowCount === 0) await setTimeout(5);
  await notifyChange(pool, "test.vault", toRowChange("updated", [1]));
  await setTimeout(2 * QUIET_MS);
  const receivedMeanwhile = toEvents(client);
  await holder.query("ROLLBACK");
  holder.release();
  expect(receivedMeanwhile).toEqual([]);
  await owner.take("changed");
  await client.take("phx_close");
  await setTimeout(QUIET_MS);
  expect(toEvents(client)).toEqual([]);
});

test("a bulk write of two thousand rows is one event", async () => {
  const client = await connect(requirePerson(999));
  await content.site.database.pool.query(
    "INSERT INTO test_vault (title) SELECT 'Many ' || i FROM generate_series(1, 2000) i",
  );
  await client.join(VAULT);
  const { body } = await content.call("POST", content.objects("vault", "bulk/"), {
    body: { operation: "update", query: { search: "Many" }, data: { title: "One of many" } },
  });
  expect(body.affected_count).toBe(2000);
  await client.take("changed");
  await setTimeout(2 * QUIET_MS);
  expect(toEvents(client)).toEqual([
    { type: "updated", content_type_id: expect.any(Number), ids: [], is_many: true },
  ]);
});

test("two thousand notices are a handful of events, the first at once", async () => {
  const { pool } = content.site.database;
  const person = requirePerson(999);
  const client = await connect(person);
  await client.join(VAULT);
  let arrived = 0;
  content.site.feed.subscribeRows((key, { type }) => {
    if (key === "test.vault" && type === "created") arrived += 1;
  });
  await notifyChange(pool, "test.vault", toRowChange("created", [1]));
  await client.take("changed");
  expect(toEvents(client)).toEqual([expect.objectContaining({ type: "created", ids: [1], is_many: false })]);

  // The second event is held while the others arrive.
  const holder = await pool.connect();
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE account_session");
  await notifyChange(pool, "accounts.user", toRowChange("updated", [person.userId]));
  await until(async () => {
    const looking = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%account_session%'`;
    return (await pool.query(looking)).rowCount;
  });
  const ids = Array.from({ length: 1999 }, (_, index) => index + 2);
  const notices = ids.map((id) => toNotice("test.vault", toRowChange("created", [id])));
  await sendNotices(pool, notices);
  await until(() => arrived === 2000);
  await holder.query("ROLLBACK");
  holder.release();
  await client.take("changed", 2);
  await setTimeout(2 * QUIET_MS);
  // What came before the first rest was over, and what came afterwards.
  expect(toEvents(client).length).toBeLessThanOrEqual(3);
});

test("a client's own event is answered as unknown, and the membership goes on", async () => {
  const client = await connect(requirePerson(10));
  await client.join(VAULT);
  client.send("1", "9", VAULT, "changed", { type: "deleted" });
  const answers = await client.take("phx_reply", 2);
  expect(answers.at(-1)).toEqual([
    "1",
    "9",
    VAULT,
    "phx_reply",
    { status: "error", response: { reason: "unknown_event_type" } },
  ]);
  await write(1, { title: "Still there" });
  await client.take("changed");
});
